/** Words that look like a command and are none: nobody waits for a model because of a slip. */
import { nearest } from "../core/nearest.ts";
import type { CommandRow } from "./command.ts";

/** What stands behind `install`, `uninstall` and `crashtest`. */
const agentName = /^(claude|codex|opencode|gemini)$/;

/** Commands of other programs of this kind, and what does it here. */
const elsewhere: Readonly<Record<string, string | null>> = {
  version: "groundplan --version",
  resume: "groundplan --resume",
  continue: "groundplan --continue",
  run: 'groundplan -p "task"',
  exec: 'groundplan -p "task"',
  ...Object.fromEntries(
    "mcp config settings login logout auth update upgrade init serve models agents hooks plugin plugins permissions"
      .split(" ")
      .map((name) => [name, null]),
  ),
};

/** What to say of it, with the way to say it as a task; null where it may well be one. */
export function misspelt(word: string, rest: readonly string[], table: readonly CommandRow[]): string | null {
  const words = rest.filter((arg) => !arg.startsWith("-"));
  const isPrompt = rest.some((arg) => arg === "-p" || arg === "--print");
  if (isPrompt || !/^[a-z]+$/i.test(word)) return null;
  const rows = table.filter(({ internal = false }) => !internal);
  const asTask = `As a task: groundplan -- ${[word, ...words].join(" ")}`;
  const begin = `There is no command ${JSON.stringify(word)}`;
  const near = nearest(
    word,
    rows.map(({ name }) => name),
  );
  const there = Object.hasOwn(elsewhere, word) ? elsewhere[word] : undefined;
  const row = there === undefined ? rows.find(({ name }) => name === near) : undefined;
  if (row !== undefined && isCommandLine(row, words))
    return `${begin}; did you mean groundplan ${[row.name, ...words].join(" ")}? ${asTask}`;
  if (words.length > 0) return null;
  const owners = rows.filter(({ verbs = [] }) => verbs.includes(word)).map(({ name }) => `groundplan ${name} ${word}`);
  const meant = [...(typeof there === "string" ? [there] : []), ...owners];
  if (meant.length > 0) return `${begin}; did you mean ${meant.join(" or ")}? ${asTask}`;
  return there === null ? `${begin}; groundplan help lists them. ${asTask}` : null;
}

/** Nothing behind it, or what stands behind that command: a verb of its own, an agent. */
function isCommandLine({ name, verbs = [] }: CommandRow, words: readonly string[]): boolean {
  const [first = "", ...more] = words;
  if (words.length === 0) return true;
  if (agentName.test(words.join(" "))) return ["install", "uninstall", "crashtest"].includes(name);
  return verbs.includes(first) && more.length < 2;
}
