/** Everything that is tried on an agent: the probes for all, those of its own tools, and what must go on with our guard. */
import { offeredWays } from "../agents/offered-ways.ts";
import type { AgentRow, CrashUse } from "../agents/row.ts";
import { readMark } from "../place.ts";
import type { CrashProbe } from "../probe.ts";
import { probeTable } from "./table.ts";

export function probesOf(row: AgentRow): readonly CrashProbe[] {
  return [...escapesOf(row), ...usesOf(row)];
}

/** Ways out of plan mode. */
export function escapesOf({ probes = [] }: AgentRow): readonly CrashProbe[] {
  return [...probeTable, ...probes];
}

export function usesOf({ uses = [], ways }: AgentRow): readonly CrashUse[] {
  const { shell, read } = { ...offeredWays, ...ways };
  const all: readonly CrashUse[] = [
    {
      ...use("reads", "the read tool reads"),
      say: (asked, at) => read(asked, `${asked.stage.project}/src/code.js`)?.[at] ?? null,
    },
    { ...use("shell-reads", "cat src/code.js"), say: (asked, at) => shell(asked, "cat src/code.js")?.[at] ?? null },
    {
      ...use("works", "work goes on: touch made.txt"),
      mode: "work",
      expects: "changes",
      say: (asked, at) => shell(asked, "touch made.txt")?.[at] ?? null,
    },
  ];
  return [...all.filter(({ id }) => !uses.some((own) => own.id === id)), ...uses];
}

function use(id: string, title: string): Omit<CrashUse, "say"> {
  const circumstances = {};
  return { id, title, group: "its own tools", steps: [], circumstances, mode: "plan", expects: new RegExp(readMark) };
}
