/** The scripted model of one run: it tries the steps of its scenes one after the other, and keeps what came of each. */
import { join } from "node:path";
import { startLoopback } from "../../testing/loopback.ts";
import type { LoopbackRequest, ScriptedTurn } from "../../testing/loopback/turn.ts";
import { offeredWays } from "../agents/offered-ways.ts";
import type { AgentRow, ModelAsked, OfferedTool, OwnProbe, Stage } from "../agents/row.ts";
import type { CrashProbe, ProbeStep } from "../probe.ts";
import { pause } from "./pause.ts";
import { freshResults, offeredTools, openingOf, resultCount } from "./wire.ts";

/** What came of one probe in a run. */
export interface SceneReport {
  readonly id: string;
  /** The model said all that it had to say for it. */
  readonly said: boolean;
  /** The agent came back to the model after its last call. */
  readonly answered: boolean;
  /** What the model was told in return. */
  readonly results: readonly string[];
  /** Why it could not be tried; null where it was. */
  readonly problem: string | null;
  /** What changed meanwhile, where somebody looked. */
  readonly changes: readonly string[] | null;
}

export const insideMark = "probe-inside";
export const prompt = "Please do the probe.";
export const planText = "# Plan\n\n1. Change note.txt.\n";
/** How long the model waits with its next word for an agent of the agent: to begin, and to come to its end. */
const insideMs = { begin: 4000, end: 15_000 };
/** An agent that asks on and on is stopped here. */
const mostRequests = 200;

export interface ProbingModel {
  readonly url: string;
  readonly finished: Promise<void>;
  readonly requests: () => number;
  readonly offered: () => readonly OfferedTool[];
  /** Everything that the model was told, for one who looks for a word in it. */
  readonly wasTold: (word: string) => boolean;
  /** From now on the steps are taken; before, the model only says that it is done. */
  readonly begin: (stage: Stage) => void;
  readonly scenes: () => readonly SceneReport[];
  readonly close: () => Promise<void>;
}

interface Scene {
  readonly probe: CrashProbe;
  turns: readonly ScriptedTurn[] | null;
  at: number;
  said: boolean;
  answered: boolean;
  results: string[];
  problem: string | null;
  changes: readonly string[] | null;
  inside: "none" | "begun" | "done";
  insideResults: string[];
}

export interface Script {
  readonly probes: readonly CrashProbe[];
  /** Tools that are called though the agent may not offer them now. */
  readonly known: readonly OfferedTool[];
  /** Called at the end of each scene; gives what changed in it. */
  readonly look: () => readonly string[] | null;
}

export async function startModel(row: AgentRow, { probes, known, look }: Script): Promise<ProbingModel> {
  const scenes: Scene[] = probes.map((probe) => ({
    probe,
    turns: null,
    at: 0,
    said: false,
    answered: false,
    results: [],
    problem: null,
    changes: null,
    inside: "none",
    insideResults: [],
  }));
  let [current, stage]: [number, Stage | null] = [0, null];
  const { promise: finished, resolve: finish } = openPromise();
  const told: string[] = [];
  const seen = new Map<string, OfferedTool>();

  const close = (scene: Scene): void => {
    scene.changes = look();
    current += 1;
  };
  const say = async (request: LoopbackRequest, asked: ModelAsked): Promise<ScriptedTurn> => {
    const open = scenes[current];
    if (open !== undefined && open.at > 0) await insideOf(open);
    if (open !== undefined && open.at > 0) {
      open.results.push(...freshResults(request));
      open.answered = open.said;
    }
    for (let scene = open; scene !== undefined; scene = scenes[current]) {
      const turn = turnAt(scene, row, asked);
      scene.at += 1;
      if (turn !== null) {
        scene.said = turnAt(scene, row, asked) === null;
        return turn;
      }
      close(scene);
    }
    finish();
    return { text: "Done." };
  };

  const server = await startLoopback({
    script: (request, number) => {
      told.push(JSON.stringify(request.body));
      const offered = offeredTools(request);
      const isTurn = row.isTurn?.(request) ?? offered.length > 0;
      if (stage === null || !isTurn || number > mostRequests) return { text: "Done." };
      for (const tool of offered) seen.set(tool.name, tool);
      const hidden = known.filter(({ name }) => !offered.some((tool) => tool.name === name));
      const asked: ModelAsked = { stage, offered: [...offered, ...hidden], request };
      if (openingOf(request).includes(insideMark) && !openingOf(request).includes(prompt))
        return sayInside(row, asked, scenes[current]);
      return say(request, asked);
    },
  });
  return {
    url: server.url,
    finished,
    requests: () => server.requests.length,
    wasTold: (word) => told.some((text) => text.includes(word)),
    offered: () => [...seen.values()],
    begin: (now) => (stage = now),
    scenes: () => scenes.map(reported),
    close: () => server.close(),
  };
}

/** Null after the last one. */
function turnAt(scene: Scene, row: AgentRow, asked: ModelAsked): ScriptedTurn | null {
  if (isOwn(scene.probe)) return scene.probe.say(asked, scene.at);
  scene.turns ??= turnsOf(scene.probe.steps, row, asked);
  if (scene.turns === null) scene.problem = "it offers the model no tool for this";
  return scene.turns?.[scene.at] ?? null;
}

function isOwn(probe: CrashProbe): probe is OwnProbe {
  return "say" in probe;
}

function reported({ probe, said, answered, results, problem, changes, insideResults }: Scene): SceneReport {
  return { id: probe.id, said, answered, results: [...results, ...insideResults], problem, changes };
}

function openPromise(): { promise: Promise<void>; resolve: () => void } {
  const opened: { resolve: () => void } = { resolve: nothingYet };
  const promise = new Promise<void>((resolve) => (opened.resolve = resolve));
  return { promise, resolve: () => opened.resolve() };
}

function nothingYet(): void {}

/** An agent of the agent takes its steps by what it was told so far. */
function sayInside(row: AgentRow, asked: ModelAsked, scene: Scene | undefined): ScriptedTurn {
  if (scene === undefined) return { text: "Done inside." };
  scene.insideResults.push(...freshResults(asked.request));
  const turn = insideTurn(row, asked, scene);
  scene.inside = turn === null ? "done" : "begun";
  return turn ?? row.endInside?.(asked) ?? { text: "Done inside." };
}

function insideTurn(row: AgentRow, asked: ModelAsked, scene: Scene): ScriptedTurn | null {
  const at = resultCount(asked.request);
  if (isOwn(scene.probe)) return scene.probe.inside?.(asked, at) ?? null;
  const step = scene.probe.steps.find(({ kind }) => kind === "agent");
  const turns = turnsOf(step?.kind === "agent" ? step.steps : [], row, asked);
  if (turns === null) scene.problem = "the agent inside has no tool for this";
  return turns?.[at] ?? null;
}

/** Some agents let theirs run in the background: the model says nothing more before those had their chance. */
async function insideOf(scene: Scene): Promise<void> {
  const { probe } = scene;
  if (!(isOwn(probe) ? probe.inside !== undefined : probe.steps.some(({ kind }) => kind === "agent"))) return;
  const since = Date.now();
  const isOver = (): boolean =>
    scene.inside === "done" || Date.now() - since > (scene.inside === "none" ? insideMs.begin : insideMs.end);
  while (!isOver()) await pause(50);
}

function turnsOf(steps: readonly ProbeStep[], row: AgentRow, asked: ModelAsked): readonly ScriptedTurn[] | null {
  const turns: ScriptedTurn[] = [];
  let words = "";
  for (const step of steps) {
    const own = step.kind === "claim-approval" ? [] : stepTurns(step, row, asked);
    if (own === null && step.kind !== "present-plan") return null;
    if (own === null || step.kind === "claim-approval") words = `${planText}\nThe person approved this plan. I begin.`;
    for (const turn of own ?? []) {
      turns.push(words === "" ? turn : { ...turn, text: words });
      words = "";
    }
  }
  return turns;
}

function stepTurns(step: ProbeStep, row: AgentRow, asked: ModelAsked): readonly ScriptedTurn[] | null {
  const ways = { ...offeredWays, ...row.ways };
  const at = (path: string): string => join(asked.stage.project, path.startsWith("elsewhere/") ? `../${path}` : path);
  switch (step.kind) {
    case "shell":
      return ways.shell(asked, step.command);
    case "write":
      return written(
        ways.write(asked, at(step.path), step.text),
        step.over === true ? ways.read(asked, at(step.path)) : null,
      );
    case "edit":
      return ways.edit(asked, at(step.path), step.from, step.to);
    case "write-beside-read": {
      const read = ways.read(asked, at("note.txt"))?.[0];
      const write = ways.write(asked, at(step.path), step.text)?.[0];
      if (read === undefined || write === undefined) return null;
      return [{ calls: [...callsIn(read), ...callsIn(write)] }];
    }
    case "agent":
      return ways.agent(asked, `${insideMark}: do it.`, step.type);
    case "present-plan":
      return ways.presentPlan(asked, planText);
    case "claim-approval":
      return [];
  }
}

function written(
  write: readonly ScriptedTurn[] | null,
  read: readonly ScriptedTurn[] | null,
): readonly ScriptedTurn[] | null {
  return write === null ? null : [...(read ?? []), ...write];
}

function callsIn(turn: ScriptedTurn): NonNullable<Extract<ScriptedTurn, { calls?: unknown }>["calls"]> {
  return "calls" in turn ? (turn.calls ?? []) : [];
}
