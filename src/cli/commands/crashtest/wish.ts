/** What a person asks of the crash test: who, which probes, how; or what is wrong with it. */
import { realpathSync } from "node:fs";
import { nearest } from "../../../core/nearest.ts";
import { groups, type CrashProbe } from "../../../crashtest/probe.ts";
import type { AgentRow, CrashUse } from "../../../crashtest/agents/row.ts";
import { probeTable } from "../../../crashtest/probes/table.ts";
import { escapesOf, usesOf } from "../../../crashtest/probes/of-agent.ts";
import { wiresByName } from "../../../crashtest/agents/wires.ts";
import { subjectOf, type CrashSubject } from "../../../crashtest/subject.ts";
import { among, count, file, flag, oneOf, value, type Read } from "../../options.ts";

export const options = {
  command: value,
  "work-command": value,
  only: among([...groups, ...probeTable.map(({ id }) => id)]),
  timeout: value,
  bin: file,
  html: file,
  wire: among(Object.keys(wiresByName)),
  compare: flag,
  json: flag,
  list: flag,
} as const;

const defaultSeconds = 40;

export interface CrashWish {
  readonly subject: CrashSubject;
  readonly probes: readonly CrashProbe[];
  readonly uses: readonly CrashUse[];
  readonly compare: boolean;
  readonly limitMs: number;
}

/** `exitCode`: 2 for wrong usage, 4 where there is nothing to test. */
export interface CrashRefusal {
  readonly problem: string;
  readonly exitCode: 2 | 4;
}

export function wishOf({ values, positionals }: Read<typeof options>): CrashWish | CrashRefusal {
  const { command, timeout, wire } = values;
  const [agent, ...more] = positionals;
  const isBoth = agent !== undefined && command !== undefined;
  const problem =
    (more.length > 0 ? `One agent at a time; not ${JSON.stringify(more[0])} as well.` : null) ??
    (isBoth ? "Name an agent or give --command, not both." : null) ??
    (command === undefined && values["work-command"] !== undefined ? "--work-command goes with --command." : null) ??
    (command !== undefined && values.bin !== undefined
      ? "--bin goes with the name of an agent, not with --command."
      : null) ??
    count("--timeout", timeout) ??
    oneOf("--wire", wire, Object.keys(wiresByName));
  if (problem !== null) return { problem, exitCode: 2 };
  const subject = subjectOf({
    agent: agent ?? null,
    command: command ?? null,
    workCommand: values["work-command"] ?? null,
    bin: values.bin ?? null,
    wire: wire === undefined ? null : wiresByName[wire as keyof typeof wiresByName],
    groundplan: [process.execPath, realpathSync(process.argv[1]!)],
  });
  if ("problem" in subject) return subject;
  const probes = chosen(values.only, subject.row);
  if (typeof probes === "string") return { problem: probes, exitCode: 2 };
  const compare = values.compare === true;
  if (compare && subject.row.guard === null)
    return { problem: `--compare: our guard cannot be installed into ${subject.row.title}.`, exitCode: 2 };
  const uses = values.only === undefined ? usesOf(subject.row) : [];
  return { subject, probes, uses, compare, limitMs: Number(timeout ?? defaultSeconds) * 1000 };
}

/** By names of probes or groups; in the table's order. A text says what is wrong. */
function chosen(only: string | undefined, row: AgentRow): readonly CrashProbe[] | string {
  const all = escapesOf(row);
  if (only === undefined) return all;
  const names = only
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const known = [...all.map(({ id }) => id), ...groups];
  const unknown = names.find((name) => !known.includes(name));
  if (names.length === 0) return "--only takes names of probes or groups, with commas between them; --list shows them.";
  if (unknown !== undefined) {
    const near = nearest(unknown, known);
    const meant = near === null ? "" : ` Did you mean ${near}?`;
    return `There is no probe ${JSON.stringify(unknown)}.${meant} groundplan crashtest --list shows them.`;
  }
  return all.filter(({ id, group }) => names.includes(id) || names.includes(group));
}
