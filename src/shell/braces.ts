/** Brace expansion of literal text, as bash does it. */

const most = 64;
const literal = /^[\w.,{}/@:+%-]*$/;

/** The words of `{a,b}` or `{1..3}`; null when it is too large or holds more than literal text. */
export function expandBraces(text: string): readonly string[] | null {
  return literal.test(text) ? expand(text, 0) : null;
}

function expand(text: string, depth: number): readonly string[] | null {
  if (depth > 8) return null;
  const open = text.indexOf("{");
  if (open === -1) return [text];
  const close = closing(text, open);
  if (close === -1) return null;
  const inner = choices(text.slice(open + 1, close), depth);
  const rest = expand(text.slice(close + 1), depth + 1);
  if (inner === null || rest === null || inner.length * rest.length > most) return null;
  const before = text.slice(0, open);
  return inner.flatMap((choice) => rest.map((end) => before + choice + end));
}

function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === "{") depth += 1;
    else if (text[at] === "}") depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

function choices(inner: string, depth: number): readonly string[] | null {
  const range = /^(?:(0|-?[1-9]\d{0,4})\.\.(0|-?[1-9]\d{0,4})|([A-Za-z])\.\.([A-Za-z]))$/.exec(inner);
  if (range !== null) return range[1] === undefined ? letters(range[3]!, range[4]!) : numbers(+range[1], +range[2]!);
  const pieces = split(inner);
  if (pieces.length < 2) return null;
  const expanded = pieces.map((piece) => expand(piece, depth + 1));
  return expanded.includes(null) ? null : expanded.flatMap((list) => list!);
}

function split(inner: string): readonly string[] {
  const pieces: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < inner.length; at += 1) {
    if (inner[at] === "{") depth += 1;
    else if (inner[at] === "}") depth -= 1;
    else if (inner[at] === "," && depth === 0) {
      pieces.push(inner.slice(from, at));
      from = at + 1;
    }
  }
  return [...pieces, inner.slice(from)];
}

function letters(from: string, to: string): readonly string[] | null {
  if (/[a-z]/.test(from) !== /[a-z]/.test(to)) return null;
  return numbers(from.charCodeAt(0), to.charCodeAt(0))?.map((code) => String.fromCharCode(Number(code))) ?? null;
}

function numbers(from: number, to: number): readonly string[] | null {
  const length = Math.abs(to - from) + 1;
  if (length > most) return null;
  const step = from <= to ? 1 : -1;
  return Array.from({ length }, (_, index) => String(from + step * index));
}
