/** What the parser needs to know of addresses: they stay as they are written, with everything odd in them escaped. */

interface Address {
  readonly address: string;
}

export function parse(address: string): Address {
  return { address };
}

/** Empty where it cannot be escaped. */
export function format({ address }: Address): string {
  try {
    return encodeURI(address).replace(/%25([0-9a-f]{2})/gi, "%$1");
  } catch {
    return "";
  }
}

/** The words of a link that is written as its address. */
export function decode(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}
