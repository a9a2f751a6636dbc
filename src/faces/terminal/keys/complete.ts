/** Finds what completes the word at the cursor: commands with their help, files of the project. */
import { commandList, type CommandDefinition } from "../../../core/commands.ts";
import { hasHidden } from "../../../core/wire/visible.ts";
import { safeLine } from "../view/safe-text.ts";
import type { TextBox } from "./text-box.ts";
import { completable, type WordOffer, type Offers } from "./completion.ts";

export type Complete = (box: TextBox) => Promise<Offers>;

/** `files`: paths relative to where the program works; may take a while. */
export function completion(files: () => Promise<readonly string[]>): Complete {
  return async (box) => {
    const wanted = completable(box);
    if (wanted === null) return { items: [], prefix: "" };
    const { kind, word } = wanted;
    if (kind === "command") {
      const items = commandList.filter(({ name }) => name.startsWith(word.toLowerCase())).map(commandOffer);
      return { items, prefix: `/${word}` };
    }
    const near = nearest(await files(), word).filter((path) => !hasHidden(path));
    return { items: near.slice(0, mostFiles).map(fileOffer), prefix: `@${word}` };
  };
}

/** Those that have all letters of the word in its order, the nearest first. */
export function nearest(paths: readonly string[], word: string): readonly string[] {
  if (word === "") return paths;
  const wanted = word.toLowerCase();
  return paths
    .map((path) => ({ path, distance: distance(path.toLowerCase(), wanted) }))
    .filter(({ distance }) => distance !== null)
    .toSorted((one, other) => one.distance! - other.distance!)
    .map(({ path }) => path);
}

/** Letters together and at the beginning of a name are near, gaps and late ones far; null: it has not all of them. */
function distance(path: string, word: string): number | null {
  let sum = path === word ? -100 : 0;
  let together = 0;
  let last = -1;
  for (const letter of word) {
    const at = path.indexOf(letter, last + 1);
    if (at === -1) return null;
    together = last >= 0 && at === last + 1 ? together + 1 : 0;
    const gap = last >= 0 ? (at - last - 1) * 2 : 0;
    const isBeginning = at === 0 || /[\s\-_./:]/.test(path[at - 1]!);
    sum += gap - together * 5 - (isBeginning ? 10 : 0) + at * 0.1;
    last = at + letter.length - 1;
  }
  return sum;
}

function commandOffer({ name, hint, summary }: CommandDefinition): WordOffer {
  return { value: `/${name}`, label: hint === "" ? `/${name}` : `/${name} ${hint}`, note: summary };
}

/** A path with blanks is quoted, so that it stays one word. */
function fileOffer(path: string): WordOffer {
  const value = /\s/.test(path) ? `@"${path}"` : `@${path}`;
  return { value, label: safeLine(path, 120), note: "" };
}

const mostFiles = 50;
