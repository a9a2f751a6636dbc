/** Whoever reads may stop reading (`| head -1`): the program then ends quietly; output that cannot be written is a failure. */
import type { Streams } from "./command.ts";

/** Waits until everything is out, and says what could not be written; a reader that has gone away wanted no more. */
export async function lostOutput(stdout: Streams["stdout"], heard: () => NodeJS.ErrnoException | null) {
  await new Promise<void>((resolve) => void stdout.write("", () => resolve()));
  const error = heard();
  return error === null || error.code === "EPIPE" ? null : error.message;
}

/** For commands that only tell something: nothing is under way that the end could tear. */
export function endWhenUnread({ stdout, stderr }: Pick<Streams, "stdout" | "stderr">): void {
  stderr.on("error", () => undefined);
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") stderr.write(`groundplan: the output cannot be written: ${error.message}\n`);
    process.exit(error.code === "EPIPE" ? 0 : 1);
  });
}
