/** What is piped into a headless run: the prompt itself, or what goes with one. */
import type { Streams } from "../command.ts";

export type PipedInput =
  | { readonly kind: "text"; readonly text: string }
  /** Somebody holds the pipe open and says nothing. */
  | { readonly kind: "silent" }
  | { readonly kind: "failed"; readonly problem: string };

/**
 * Reads to the end. Beside a prompt it waits only so long for a first byte: CI systems leave pipes open that nobody writes to. Whoever
 * has written something is waited for.
 */
export function readPipedInput(
  stdin: Streams["stdin"] & { readonly isTTY?: boolean },
  { patienceMs }: { readonly patienceMs: number | null },
): Promise<PipedInput> {
  if (stdin.isTTY === true) return Promise.resolve({ kind: "text", text: "" });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (input: PipedInput): void => {
      clearTimeout(timer);
      resolve(input);
      if (input.kind !== "text") stdin.destroy();
    };
    const timer = patienceMs === null ? undefined : setTimeout(() => finish({ kind: "silent" }), patienceMs);
    stdin.on("data", (chunk: Buffer | string) => {
      clearTimeout(timer);
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      chunks.push(bytes);
      if (size > largest) finish({ kind: "failed", problem: tooLarge });
    });
    stdin.on("end", () => finish({ kind: "text", text: textOf(chunks) }));
    stdin.on("error", (error) => finish({ kind: "failed", problem: `stdin cannot be read: ${error.message}` }));
  });
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
}

/** More does not fit into any model's context. */
const largest = 4 * 1024 * 1024;
const tooLarge = "stdin is larger than 4 MiB: write it to a file in the project, and name the file in the prompt.";
