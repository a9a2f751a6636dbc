/** Character references that plans use; others stay as they are written. */

const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00A0",
  copy: "©",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  larr: "←",
  rarr: "→",
  times: "×",
  middot: "·",
  check: "✓",
};

/** `&lt;`, `&#60;` and `&#x3c;` give `<`; what they hide is made visible when it is drawn. */
export function decodeEntity(reference: string): string {
  const name = reference.slice(1, -1);
  if (!name.startsWith("#")) return Object.hasOwn(named, name) ? named[name]! : reference;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  const isCharacter = code > 0 && code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : reference;
}
