/** Which outside programs the tests of the edges have here; in CI a missing one is a failure. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Whether a test that needs these programs can run; says so when not, and throws in CI. */
export function hasTools(...names: readonly string[]): boolean {
  const missing = names.filter((name) => !isInstalled(name));
  if (missing.length === 0) return true;
  const message = `needs ${missing.join(", ")}`;
  if (process.env["CI"] !== undefined) throw new Error(`these tests must run in CI: ${message}`);
  process.stderr.write(`skipped: ${message}\n`);
  return false;
}

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

function isInstalled(name: string): boolean {
  try {
    execFileSync("/bin/sh", ["-c", `command -v ${name}`], { stdio: "ignore" });
    return process.platform === "linux";
  } catch {
    return false;
  }
}
