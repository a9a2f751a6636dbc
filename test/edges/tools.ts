/** What the tests of the edges share: the labelled sample, and a few tasks at a time. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export interface SampleCommand {
  readonly cmd: string;
  readonly label: "read" | "write";
  readonly class: string;
}

/** The labelled sample. */
export function sampleCommands(): SampleCommand[] {
  const file = fileURLToPath(new URL("../corpus/shell-dev.jsonl", import.meta.url));
  return readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line): SampleCommand => JSON.parse(line));
}

/** Runs tasks with a few at a time; the answers are in the order of the items. */
export async function inParallel<Item, Answer>(
  items: readonly Item[],
  task: (item: Item) => Promise<Answer>,
  width = 2,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const queue = [...items.entries()];
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        answers[next[0]] = await task(next[1]);
      }
    }),
  );
  return answers;
}
