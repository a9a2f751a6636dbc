/** One leg of the crash test, run in the cage: model and agent together, where no other network is. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LoopbackWire } from "../../testing/loopback/turn.ts";
import { agentNamed } from "../agents/table.ts";
import { changedMark } from "./changed-mark.ts";
import type { AgentRow, OfferedTool, Stage } from "../agents/row.ts";
import { byCommand } from "../agents/by-command.ts";
import { changesOf, restore, setUp, treeOf, type CrashPlace, type Tree } from "../place.ts";
import type { CrashProbe } from "../probe.ts";
import { probesOf } from "../probes/of-agent.ts";
import { prompt, startModel, type SceneReport, type ProbingModel } from "./model.ts";
import { run, type Ended } from "./process.ts";

/** What the outside asks for: a line of JSON on standard input. */
export interface LegWish {
  /** A row's name; null for one that is known by its command lines alone. */
  readonly agent: string | null;
  /** Program and first arguments. */
  readonly program: readonly string[];
  /** The same out of plan mode, where that is another command line. */
  readonly workProgram: readonly string[];
  readonly wire: LoopbackWire | null;
  readonly mode: "plan" | "work";
  readonly guarded: boolean;
  /** No agent: the probe's command, by hand. */
  readonly byHand: boolean;
  /** Tools that it offers out of plan mode: they are called all the same. */
  readonly known: readonly OfferedTool[];
  /** One, or several that are tried one after the other in one conversation; each is looked at, and undone. */
  readonly probes: readonly string[];
  readonly limitMs: number;
  readonly place: CrashPlace;
  readonly path: string;
  /** Node and our own program, which installs the guard. */
  readonly groundplan: readonly string[];
}

export interface LegReport {
  readonly scenes: readonly SceneReport[];
  /** The tools that the model was told of. */
  readonly offered: readonly OfferedTool[];
  readonly ended: Ended | null;
  /** Requests that came to the model. */
  readonly requests: number;
  /** Attempts to reach anything else: the kernel has no way for them. */
  readonly unreachable: number;
  /** Of a plan whose file was changed: the model was told the changed text. */
  readonly toldChanged: boolean;
  /** Why nothing was tried. */
  readonly problem: string | null;
}

/** `ready` is called when everything but the agent stands, and resolves when it may begin. */
export async function runLeg(wish: LegWish, ready: () => Promise<void>): Promise<LegReport> {
  const row = wish.agent === null ? byCommand : agentNamed(wish.agent)!;
  const probes = wish.probes.map((id) => probesOf(row).find((probe) => probe.id === id)!);
  const looker = lookAt(wish.place, row);
  const model = await startModel(row, {
    probes,
    known: wish.known,
    look: wish.probes.length > 1 ? looker.look : () => null,
  });
  try {
    const problem = await prepared(row, wish, stageOf(wish, model, probes[0]!));
    if (problem !== null) return { ...nothing, problem };
    looker.begin();
    await ready();
    const ended = await performed(row, wish, { model, probe: probes[0]! });
    return {
      scenes: model.scenes(),
      offered: model.offered(),
      ended,
      requests: model.requests(),
      unreachable: unreachable(),
      toldChanged: model.wasTold(changedMark),
      problem: null,
    };
  } finally {
    await model.close();
  }
}

const nothing: LegReport = {
  scenes: [],
  offered: [],
  ended: null,
  requests: 0,
  unreachable: 0,
  toldChanged: false,
  problem: null,
};

function stageOf(wish: LegWish, model: ProbingModel, { circumstances }: CrashProbe): Stage {
  const { place, mode, guarded, limitMs, path } = wish;
  const browser = join(place.root, "browser");
  return {
    ...place,
    mode,
    circumstances,
    guarded,
    limitMs,
    prompt,
    resumes: false,
    program: mode === "work" ? wish.workProgram : wish.program,
    url: model.url,
    wire: wish.wire ?? (wish.agent === null ? "anthropic" : agentNamed(wish.agent)!.wires[0]!),
    finished: model.finished,
    environment: {
      PATH: path,
      SHELL: "/bin/bash",
      LANG: "C.UTF-8",
      HOME: place.home,
      TMPDIR: place.temporary,
      BROWSER: browser,
      NO_COLOR: "1",
      GROUNDPLAN_REVIEW: "off",
    },
  };
}

/** The repository, the agent's settings, our guard; gives what went wrong. */
async function prepared(row: AgentRow, wish: LegWish, stage: Stage): Promise<string | null> {
  writeFileSync(join(stage.root, "browser"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  const { environment, project } = stage;
  const made = await run({
    argv: ["sh", "-c", setUp(stage.circumstances.repository)],
    directory: project,
    environment,
    limitMs: 60_000,
  });
  if (made.exitCode !== 0) return `the repository could not be made: ${firstLine(made.output)}`;
  row.prepare(stage);
  if (!wish.guarded) return null;
  const installed = await run({
    argv: [...wish.groundplan, "install", row.guard ?? row.name, "--yes"],
    directory: project,
    environment,
    limitMs: 60_000,
  });
  const isWaiting = row.trust !== undefined && installed.exitCode === writtenNotTrusted;
  if (installed.exitCode !== 0 && !isWaiting) return `the guard could not be installed: ${firstLine(installed.output)}`;
  await row.trust?.(stage);
  return null;
}

/** `install` says by this that its entries do not count yet. */
const writtenNotTrusted = 3;

function firstLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}

async function performed(
  row: AgentRow,
  wish: LegWish,
  { model, probe }: { model: ProbingModel; probe: CrashProbe },
): Promise<Ended> {
  const stage = stageOf(wish, model, probe);
  const { resumedFrom, approval } = probe.circumstances;
  if (wish.byHand) return handmade(stage, probe);
  if (approval === true && row.approve !== undefined) {
    model.begin(stage);
    return row.approve(stage, wish.mode === "plan");
  }
  if (resumedFrom !== undefined) {
    const mode = wish.mode === "work" ? "work" : resumedFrom;
    const before = { ...stage, mode, program: mode === "work" ? wish.workProgram : wish.program } as const;
    const first = await converse(row, before);
    if (first.timedOut || first.exitCode !== 0) return first;
  }
  const now = { ...stage, resumes: resumedFrom !== undefined };
  model.begin(now);
  return converse(row, now);
}

function handmade({ project, environment, limitMs }: Stage, { byHand = "" }: CrashProbe): Promise<Ended> {
  return run({ argv: ["bash", "-c", byHand], directory: project, environment, limitMs });
}

function converse(row: AgentRow, stage: Stage): Promise<Ended> {
  const start = row.start(stage);
  if (row.converse !== undefined) return row.converse(stage, start);
  return run({
    argv: [...stage.program, ...start.args],
    directory: stage.project,
    environment: { ...stage.environment, ...start.environment },
    limitMs: stage.limitMs,
  });
}

/** What changed since it was asked last; undone at once. */
function lookAt(place: CrashPlace, { own }: AgentRow): { begin: () => void; look: () => readonly string[] } {
  let before: Tree = new Map();
  return {
    begin: () => void (before = treeOf(place, own)),
    look: () => {
      const after = treeOf(place, own);
      restore(before, after);
      return changesOf(before, after, place);
    },
  };
}

/** Packets that had no route since this network of ours began. */
function unreachable(): number {
  const [names = "", values = ""] = readFileSync("/proc/net/snmp", "utf8")
    .split("\n")
    .filter((line) => line.startsWith("Ip: "));
  const at = names.split(" ").indexOf("OutNoRoutes");
  return at < 0 ? 0 : Number(values.split(" ")[at] ?? 0);
}
