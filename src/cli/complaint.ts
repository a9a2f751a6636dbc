/** The program's words on stderr: whatever foreign text is in them does nothing to a terminal. */
import { makeVisible } from "../core/wire/visible.ts";
import type { Streams } from "./command.ts";

export function tellPerson({ stderr }: Pick<Streams, "stderr">, line: string): void {
  stderr.write(`groundplan: ${makeVisible(line)}\n`);
}

/** Foreign text as a part of a line: what could hide, reorder or end it becomes an escape. */
export function visibleLine(text: string): string {
  return makeVisible(text).replaceAll("\t", "\\u{9}").replaceAll("\n", "\\u{a}");
}

/** The system's words have no full stop; ours have. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Says what is wrong, and gives the exit code that goes with it. */
export function complain(streams: Pick<Streams, "stderr">, problem: string, code: number): number {
  tellPerson(streams, problem);
  return code;
}
