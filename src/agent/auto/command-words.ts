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

/** A backslash and what it protects, or a text in quotes; one that is not closed goes to the end. */
const quoted = /\\([^]?)|'([^']*)'?|"((?:\\[^]?|[^"\\])*)"?/g;
const word = new RegExp(`(?:${quoted.source}|[^\\s\\\\'"]+)+`, "g");

function splitWords(text: string): readonly string[] {
  return (text.match(word) ?? []).map((one) => one.replaceAll(quoted, unquoted));
}

function unquoted(_: string, escaped?: string, single?: string, double = ""): string {
  return escaped ?? single ?? double.replaceAll(/\\([^]?)/g, "$1");
}
