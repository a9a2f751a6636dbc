/** The labelled commands of `test/corpus`, and a situation to judge them in. */
import { readFileSync } from "node:fs";
import type { ShellSituation } from "../src/shell/index.ts";

export interface Row {
  readonly cmd: string;
  readonly label: string;
  readonly class: string;
}

export const project: ShellSituation = {
  platform: "linux",
  directory: "/home/dev/proj",
  home: "/home/dev",
  projectTools: [],
  projectUnseen: [],
};

export function rowsOf(name: "shell-dev" | "shell-own" | "shell-classes"): readonly Row[] {
  const text = readFileSync(new URL(`corpus/${name}.jsonl`, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => toRow(JSON.parse(line)));
}

function toRow(value: unknown): Row {
  if (typeof value !== "object" || value === null) throw new Error("a row is not an object");
  const row = { cmd: "", label: "", class: "", ...value };
  if (row.cmd === "" || !/^(read|write)$/.test(row.label)) throw new Error(`not a labelled command: ${row.cmd}`);
  return row;
}
