/** One key as the terminal sent it, in whichever encoding, read as a name and the text that it types. */

export interface Key {
  /** Modifiers in the order shift, ctrl, alt, super, then the key: `shift+tab`, `ctrl+c`, `a`, `pageup`; "" when unknown. */
  readonly name: string;
  /** What it types, or what was pasted; null for a key that types nothing. */
  readonly text: string | null;
  readonly event: "press" | "repeat" | "release" | "paste";
}

export function readKey(input: string): Key {
  return readPaste(input) ?? readCsi(input) ?? readLegacy(input);
}

/** The name of a key as a person may write it, or null when there is no such key. */
export function keyName(written: string): string | null {
  const [, before = "", last = ""] = /^(.*\+)?(\+|[^+]+)$/.exec(written.trim().toLowerCase()) ?? [];
  const parts = before.split("+").filter((part) => part.trim() !== "");
  const modifiers = parts.map((part) => aliases[part.trim()] ?? part.trim());
  const base = aliases[last.trim()] ?? last.trim();
  const isKnown = modifiers.every((modifier) => order.includes(modifier)) && isKeyName(base);
  return isKnown ? joined(new Set(modifiers), base) : null;
}

const order: readonly string[] = ["shift", "ctrl", "alt", "super"];
const aliases: Readonly<Record<string, string>> = {
  control: "ctrl",
  option: "alt",
  meta: "alt",
  cmd: "super",
  command: "super",
  esc: "escape",
  return: "enter",
  del: "delete",
  ins: "insert",
  pgup: "pageup",
  pgdn: "pagedown",
  pgdown: "pagedown",
  " ": "space",
};
const specialKeys = new Set(
  "escape enter tab space backspace delete insert home end pageup pagedown up down left right clear".split(" "),
);

function isKeyName(name: string): boolean {
  return specialKeys.has(name) || /^f([1-9]|1[0-2])$/.test(name) || /^[\u0021-\u007E]$/.test(name);
}

function joined(modifiers: ReadonlySet<string>, base: string): string {
  return [...order.filter((modifier) => modifiers.has(modifier)), base].join("+");
}

function readPaste(input: string): Key | null {
  const start = "\u001B[200~";
  if (!input.startsWith(start)) return null;
  const end = input.lastIndexOf("\u001B[201~");
  const text = input.slice(start.length, end < 0 ? undefined : end);
  return { name: "", text: text.replace(/\r\n?/g, "\n"), event: "paste" };
}

/** CSI-u, modifyOtherKeys and cursor keys with modifiers, each with the event and text that newer terminals add. */
function readCsi(input: string): Key | null {
  if (!input.startsWith("\u001B[")) return null;
  const match = /^([\d:;]*)([A-Za-z~])$/.exec(input.slice(2));
  if (match === null) return null;
  const fields = match[1]!
    .split(";")
    .map((field) => field.split(":").map((part) => (part === "" ? NaN : Number(part))));
  const [first = NaN, shifted = NaN] = fields[0] ?? [];
  const [modifier = NaN, event = NaN] = fields[1] ?? [];
  const modifiers = modifiersOf(modifier);
  const kind = event === 3 ? "release" : event === 2 ? "repeat" : "press";
  if (match[2] === "u") {
    return ofCode({ code: first, base: fields[0]?.[2], shifted, modifiers, kind, typed: fields[2] });
  }
  if (match[2] === "~" && first === 27 && fields.length === 3) return ofCode({ code: fields[2]![0]!, modifiers, kind });
  if (match[2] === "Z") return { name: joined(modifiers.add("shift"), "tab"), text: null, event: kind };
  const base = match[2] === "~" ? tildeKeys[first] : letterKeys[match[2]!];
  return base === undefined ? null : { name: joined(modifiers, base), text: null, event: kind };
}

interface CodedKey {
  readonly code: number;
  readonly base?: number | undefined;
  readonly shifted?: number;
  readonly modifiers: Set<string>;
  readonly kind: "press" | "repeat" | "release";
  readonly typed?: readonly number[] | undefined;
}

function ofCode({ code, base, shifted = NaN, modifiers, kind, typed = [] }: CodedKey): Key | null {
  if (!isCodePoint(code)) return null;
  const special = codedKeys[code];
  if (special !== undefined && special.length > 1) {
    const text = special === "space" && areTyping(modifiers) ? " " : null;
    return { name: joined(modifiers, special), text, event: kind };
  }
  const plain = special ?? String.fromCodePoint(code);
  const isLatin = /^[\u0021-\u007E]$/.test(plain);
  const known = isLatin || base === undefined || !isCodePoint(base) ? plain : String.fromCodePoint(base);
  const lower = known.toLowerCase();
  if (lower !== known) modifiers.add("shift");
  const upper = isCodePoint(shifted) ? String.fromCodePoint(shifted) : plain.toUpperCase();
  const said = String.fromCodePoint(...typed.filter(isCodePoint));
  const text = said !== "" ? said : modifiers.has("shift") ? upper : plain;
  return { name: joined(modifiers, lower), text: areTyping(modifiers) && code >= 32 ? text : null, event: kind };
}

function areTyping(modifiers: ReadonlySet<string>): boolean {
  return [...modifiers].every((modifier) => modifier === "shift");
}

function isCodePoint(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 0x10ffff && !(value >= 0xd800 && value <= 0xdfff);
}

/** Sent one higher than the sum of the bits; the locks are not ours to look at. */
function modifiersOf(sent: number): Set<string> {
  const bits = Number.isNaN(sent) ? 0 : sent - 1;
  return new Set(order.filter((_, index) => (bits & [1, 4, 2, 8][index]!) !== 0));
}

const letterKeys: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  H: "home",
  F: "end",
  E: "clear",
  P: "f1",
  Q: "f2",
  S: "f4",
};
/** Keys with the numbers from `first` on; `-` is none. */
function numbered(first: number, keys: string): Readonly<Record<number, string>> {
  const named = keys.split(" ").map((key, index) => [first + index, key] as const);
  return Object.fromEntries(named.filter(([, key]) => key !== "-"));
}

const functionKeys = "f1 f2 f3 f4 f5 - f6 f7 f8 f9 f10 - f11 f12";
const tildeKeys = numbered(1, `home insert delete end pageup pagedown home end - - ${functionKeys}`);
const codedKeys: Readonly<Record<number, string>> = {
  8: "backspace",
  9: "tab",
  13: "enter",
  27: "escape",
  32: "space",
  127: "backspace",
  57414: "enter",
  ...numbered(57417, "left right up down pageup pagedown home end insert delete"),
  ...Object.fromEntries("0123456789./*-+".split("").map((sign, index) => [57399 + index, sign])),
};

function readLegacy(input: string): Key {
  const typed = /^[^\u0000-\u001F\u007F-\u009F]+$/.test(input) ? input : null;
  if (typed !== null) return { name: nameOfTyped(typed), text: typed, event: "press" };
  return { name: legacyKeys[input] ?? controlName(input), text: null, event: "press" };
}

/** Ctrl with a letter is one control character, alt is an escape before the key. */
function controlName(input: string): string {
  const isAlt = input.length === 2 && input.startsWith("\u001B");
  const key = isAlt ? input.slice(1) : input;
  if (key.length !== 1) return "";
  const code = key.charCodeAt(0);
  if (code >= 1 && code <= 26) return `ctrl+${isAlt ? "alt+" : ""}${String.fromCharCode(code + 96)}`;
  return isAlt && /^[a-z0-9]$/.test(key) ? `alt+${key}` : "";
}

function named(rows: readonly (readonly [string, string])[]): Readonly<Record<string, string>> {
  return Object.fromEntries(rows.map(([sequence, key]) => [`\u001B${sequence}`, key]));
}

const arrows = ["up", "down", "right", "left"] as const;

/** What older terminals send: application mode (O), rxvt ($ and ^), the Linux console ([[). */
const legacyKeys: Readonly<Record<string, string>> = {
  "\u001B": "escape",
  "\t": "tab",
  "\r": "enter",
  "\n": "enter",
  "\u0000": "ctrl+space",
  "\b": "backspace",
  "\u007F": "backspace",
  "\u001C": "ctrl+\\",
  "\u001D": "ctrl+]",
  "\u001F": "ctrl+-",
  ...named([
    ["OM", "enter"],
    ["\r", "alt+enter"],
    [" ", "alt+space"],
    ["\u007F", "alt+backspace"],
    ["\b", "alt+backspace"],
    ["\u001B", "ctrl+alt+["],
    ["\u001C", "ctrl+alt+\\"],
    ["\u001D", "ctrl+alt+]"],
    ["\u001F", "ctrl+alt+-"],
    ["b", "alt+left"],
    ["B", "alt+left"],
    ["f", "alt+right"],
    ["F", "alt+right"],
    ["p", "alt+up"],
    ["n", "alt+down"],
    ["OR", "f3"],
  ]),
  ...named(Object.entries(letterKeys).map(([sign, key]) => [`O${sign}`, key])),
  ...named(arrows.map((key, index) => [`[${"abcd"[index]!}`, `shift+${key}`])),
  ...named(arrows.map((key, index) => [`O${"abcd"[index]!}`, `ctrl+${key}`])),
  ...named([2, 3, 5, 6, 7, 8].map((number) => [`[${number}$`, `shift+${tildeKeys[number]!}`])),
  ...named([2, 3, 5, 6, 7, 8].map((number) => [`[${number}^`, `ctrl+${tildeKeys[number]!}`])),
  ...named(["A", "B", "C", "D", "E"].map((sign, index) => [`[[${sign}`, `f${index + 1}`])),
};

/** Several signs at once were pasted by a terminal that does not say so: they are text, never a key. */
function nameOfTyped(typed: string): string {
  if (Array.from(typed).length > 1) return "";
  if (typed === " ") return "space";
  return /^[A-Z]$/.test(typed) ? `shift+${typed.toLowerCase()}` : typed;
}
