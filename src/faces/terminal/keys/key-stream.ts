/** What a terminal sends, taken apart into keys: a sequence that comes in pieces is one key, a paste is one, too. */

/** `late`: a sequence that did not go on, such as Esc alone. */
export function createKeyStream(late: (key: string) => void) {
  let rest = "";
  let timer: NodeJS.Timeout | undefined;
  const giveUp = (): void => {
    const key = rest;
    rest = "";
    late(key);
  };
  return {
    /** The keys that are whole now; what may still go on waits a moment. */
    read(text: string): readonly string[] {
      clearTimeout(timer);
      const taken = takenApart(rest + text);
      rest = taken.rest;
      if (rest !== "" && !rest.startsWith(pasteStart)) timer = setTimeout(giveUp, patience);
      return taken.keys;
    },
    close(): void {
      clearTimeout(timer);
      rest = "";
    },
  };
}

/** What is left is the beginning of a key, or a paste without its end. */
export function takenApart(text: string): { readonly keys: readonly string[]; readonly rest: string } {
  const keys: string[] = [];
  let at = 0;
  while (at < text.length) {
    const length = keyLength(text, at);
    if (length === null) break;
    keys.push(text.slice(at, at + length));
    at += length;
  }
  return { keys: withoutEchoes(keys), rest: text.slice(at) };
}

const pasteStart = "\u001B[200~";
const pasteEnd = "\u001B[201~";
/** Milliseconds. */
const patience = 25;

/** Null: it may still go on. */
function keyLength(text: string, at: number): number | null {
  if (text[at] !== "\u001B") return characterLength(text, at);
  const next = text[at + 1];
  if (next === undefined) return null;
  if (next === "[") return text.startsWith(pasteStart, at) ? endOf(text, at, [pasteEnd]) : csiLength(text, at);
  if (next === "]") return endOf(text, at, ["\u0007", "\u001B\\"]);
  if (next === "P" || next === "_") return endOf(text, at, ["\u001B\\"]);
  if (next === "O") return text.length > at + 2 ? 3 : null;
  if (next === "\u001B") return isIntroducer(text[at + 2]) ? 1 : 2;
  return 1 + characterLength(text, at + 1);
}

function characterLength(text: string, at: number): number {
  return String.fromCodePoint(text.codePointAt(at)!).length;
}

/** Esc and the beginning of a sequence: two keys that were sent at once. */
function isIntroducer(sign: string | undefined): boolean {
  return sign !== undefined && "[]OP_".includes(sign);
}

/** Ended by the first letter or sign of its kind; function keys of the Linux console have one more, old mouse reports three. */
function csiLength(text: string, at: number): number | null {
  if (text[at + 2] === "[") return text.length > at + 3 ? 4 : null;
  if (text[at + 2] === "M") return text.length >= at + 6 ? 6 : null;
  const found = /^\d\$|[@-~]/.exec(text.slice(at + 2, at + longest));
  if (found !== null) return 2 + found.index + found[0].length;
  return text.length - at >= longest ? longest : null;
}

const longest = 256;

function endOf(text: string, at: number, ends: readonly string[]): number | null {
  const found = ends.map((end) => ({ end, place: text.indexOf(end, at + 2) })).filter(({ place }) => place >= 0);
  const first = found.toSorted((one, other) => one.place - other.place)[0];
  return first === undefined ? null : first.place + first.end.length - at;
}

/** Some terminals send a letter in the newer way and then once more as it is. */
function withoutEchoes(keys: readonly string[]): readonly string[] {
  return keys.filter((key, index) => index === 0 || typedBy(keys[index - 1]!) !== key);
}

function typedBy(key: string): string | null {
  const code = Number(/^\u001B\[(\d+)(?::\d*){0,2}u$/.exec(key)?.[1] ?? 0);
  return code >= 32 && code <= 0x10ffff ? String.fromCodePoint(code) : null;
}
