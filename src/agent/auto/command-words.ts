/** The words of one canonical part of a command, its redirections and its program. */

export interface CommandWords {
  /** Without a folder. */
  readonly program: string;
  readonly words: readonly string[];
  /** Files that its output or input goes to or comes from. */
  readonly redirects: readonly string[];
}

/** Understands the canonical quoting of the shell guard; expansions stay as they are written. */
export function commandWords(part: string): CommandWords {
  const all = splitWords(part);
  const start = all.findIndex((word) => !/^\w+\+?=/.test(word));
  const [first = "", ...rest] = start === -1 ? [] : all.slice(start);
  const words = rest.filter((word) => !redirect.test(word));
  const redirects = rest.flatMap((word) => redirect.exec(word)?.[1] ?? []);
  return { program: first.slice(first.lastIndexOf("/") + 1), words, redirects };
}

/** Whether it works on whole folders. */
export function isRecursive({ words }: CommandWords): boolean {
  return words.some((word) => word === "--recursive" || /^-[A-Za-z]*[rR]/.test(word));
}

const redirect = /^(?:\d*|&)(?:<>|<|>>|>\||>)&?(?![<(])([^&\d].*)$/s;

function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | null = null;
  let at = 0;
  while (at < text.length) {
    const character = text[at]!;
    if (/\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
      at += 1;
      continue;
    }
    const { value, next } = piece(text, at);
    word = (word ?? "") + value;
    at = next;
  }
  return word === null ? words : [...words, word];
}

function piece(text: string, at: number): { readonly value: string; readonly next: number } {
  const character = text[at]!;
  if (character === "\\") return { value: text[at + 1] ?? "", next: at + 2 };
  if (character === "'") {
    const end = text.indexOf("'", at + 1);
    return end === -1
      ? { value: text.slice(at + 1), next: text.length }
      : { value: text.slice(at + 1, end), next: end + 1 };
  }
  if (character !== '"') return { value: character, next: at + 1 };
  let value = "";
  let next = at + 1;
  for (; next < text.length && text[next] !== '"'; next += 1) {
    if (text[next] === "\\") next += 1;
    value += text[next] ?? "";
  }
  return { value, next: next + 1 };
}
