/** The program's words on stderr: whatever foreign text is in them does nothing to a terminal. */
import { makeVisible } from "../core/wire/visible.ts";
import type { Streams } from "./command.ts";

export function tellPerson({ stderr }: Pick<Streams, "stderr">, line: string): void {
  stderr.write(`groundplan: ${makeVisible(line)}\n`);
}

/** Says what is wrong, and gives the exit code that goes with it. */
export function complain(streams: Pick<Streams, "stderr">, problem: string, code: number): number {
  tellPerson(streams, problem);
  return code;
}
