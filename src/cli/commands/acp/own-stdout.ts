/** Stdout for one alone: what anybody else prints goes to stderr from now on. */
import { Writable } from "node:stream";

export function ownStdout({ stdout, stderr }: Pick<NodeJS.Process, "stdout" | "stderr">): Writable {
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const own = new Writable({
    write: (chunk: Uint8Array, _, done) => void write(chunk, done),
  });
  stdout.on("error", (error) => own.destroy(error));
  return own;
}
