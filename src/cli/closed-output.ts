/** Whoever reads may stop reading (`| head -1`): the command then ends quietly; output that cannot be written is a failure. */
import type { Streams } from "./command.ts";

/** For commands that only tell something: nothing is under way that the end could tear. */
export function endWhenUnread({ stdout, stderr }: Pick<Streams, "stdout" | "stderr">): void {
  stderr.on("error", () => undefined);
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") stderr.write(`groundplan: the output cannot be written: ${error.message}\n`);
    process.exit(error.code === "EPIPE" ? 0 : 1);
  });
}
