/** Runs the story on real files, from its beginning or from whatever a killed run left behind. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startAgent, type SessionParts, type Beginning } from "../../src/agent/loop/agent.ts";
import type { SessionHandle } from "../../src/agent/ports/handle.ts";
import { createFiles } from "../../src/agent/host/files/files.ts";
import { openLog } from "../../src/agent/store/log.ts";
import { loadLog } from "../../src/agent/store/log-reader.ts";
import type { Host } from "../../src/agent/ports/host.ts";
import type { Model, ModelRequest } from "../../src/agent/ports/model.ts";
import type { Person, Shell } from "../../src/agent/ports/ports.ts";
import { restorePlan } from "../../src/agent/store/restore-plan.ts";
import { createTools } from "../../src/agent/tools/registry.ts";
import type { Event, SessionStarted } from "../../src/core/event.ts";
import { decodeLog } from "../../src/core/wire/log-format.ts";
import { replay } from "../../src/core/reduce.ts";
import { freshSession, type Session } from "../../src/core/session.ts";
import { loadPrompts } from "../../src/prompts/index.ts";
import { patience } from "../support/until.ts";
import { storyModel } from "./model.ts";
import { acts, actTypes, answer, permits, slowCommands, verdictOn, verdicts, type Act } from "./story.ts";

export interface StoryOptions {
  /** Holds the project, the plans and the log. */
  readonly folder: string;
  /** The model repeats calls that were interrupted. */
  readonly repeats?: boolean;
  /** Before and after each line of the log is written; the number is of lines that are there before. */
  readonly watch?: { readonly before: (lines: number) => void; readonly after: (lines: number) => void };
}

export interface Told {
  readonly session: Session;
  readonly requests: readonly ModelRequest[];
  readonly log: readonly Event[];
}

export async function tellStory({ folder, repeats = false, watch }: StoryOptions): Promise<Told> {
  const path = join(folder, "log.jsonl");
  const past = await loadLog(path).then(
    ({ entries }) => entries.map(({ event }) => event),
    () => [],
  );
  const events: Event[] = [...past];
  const done = (): number => events.filter(({ type }) => actTypes.has(type)).length;
  const requests: ModelRequest[] = [];
  let streams = 0;
  const log = await openLog(path);
  const files = createFiles();
  let random = events.length * 0.31;
  const hear = (request: ModelRequest) => void requests.push(request);
  const story = storyModel({ done, repeats, hear });
  const host: Host = {
    files,
    search: {
      glob: async ({ root }) => ({ paths: [join(root, "a.ts")], truncated: false }),
      grep: async () => ({ lines: [], truncated: false, problem: null }),
    },
    shell: storyShell(done),
    web: { inward: async () => [], fetchText: async () => ({ kind: "failed", reason: "no network here" }) },
    clock: { now: () => 1_000, random: () => ((random += 0.137), random % 1) },
    person: storyPerson(done),
    prompts: loadPrompts(),
    style: { workflow: "phases", planLength: "full", exploreAgents: 3, planAgents: 1 },
    planNames: "words",
    plansDirectory: join(folder, "plans"),
    directory: join(folder, "repo"),
    roots: [join(folder, "repo")],
    origin: async () => ({ branch: "main", commit: null }),
    report: () => undefined,
  };
  const parts: SessionParts = {
    host,
    log: {
      async append(entry) {
        watch?.before(events.length);
        await log.append(entry);
        events.push(entry.event);
        watch?.after(events.length);
      },
    },
    tools: createTools({ modelMayEnterPlan: "ask", planEagerness: "eager" }),
    model: { name: "story", model: counted(story, (change) => (streams += change)) },
  };
  const handle = await startAgent(parts, await beginningOf(past, folder, files));
  while (done() < acts.length) {
    const next = acts[done()]!;
    await readyFor(next, handle, () => streams > 0);
    await handle.send(next.event);
  }
  await handle.settled();
  handle.close();
  await log.close();
  return { session: handle.state, requests, log: events };
}

/** The events of a log on disk. */
export function eventsIn(folder: string): readonly Event[] {
  return decodeLog(readFileSync(join(folder, "log.jsonl"), "utf8")).entries.map(({ event }) => event);
}

async function beginningOf(past: readonly Event[], folder: string, files: Host["files"]): Promise<Beginning> {
  const session = replay(freshSession(), past);
  if (session.id === "") return { start: startOf(folder) };
  return {
    past,
    next: [{ type: "session-resumed", plan: await restorePlan(session, { files, tell: () => undefined }) }],
  };
}

function startOf(folder: string): SessionStarted {
  return {
    type: "session-started",
    id: "story",
    at: 0,
    actor: { kind: "main" },
    roots: { project: join(folder, "repo"), home: folder },
    mode: "default",
    bypassAvailable: false,
    reviewable: true,
    rules: { allow: [], ask: [], deny: [] },
    runners: ["Bash", "Agent"],
    settings: freshSession().settings,
    auto: { optedIn: false, gateOpen: false },
  };
}

/** Tells how many streams are open. */
function counted(model: Model, count: (change: number) => void): Model {
  return {
    async *stream(request, signal) {
      count(1);
      try {
        yield* model.stream(request, signal);
      } finally {
        count(-1);
      }
    },
  };
}

/** What does not come within minutes never comes: better an error than a test that hangs. */
async function readyFor({ when, event }: Act, handle: SessionHandle, isAsked: () => boolean): Promise<void> {
  const late = () => new Error(`The story waits in vain for ${when} before ${JSON.stringify(event)}.`);
  if (when === "settled") {
    const isSettled = await Promise.race([handle.settled().then(() => true), pause(patience, false, { ref: false })]);
    if (!isSettled) throw late();
    return;
  }
  for (let looks = 0; looks < patience; looks += 1) {
    const { turn } = handle.state;
    if (when === "thinking" ? turn.thinking !== null && isAsked() : turn.open.some(({ state }) => state.kind === when))
      return;
    await pause(1);
  }
  throw late();
}

function storyPerson(done: () => number): Person {
  const by = { user: "ada", surface: "script" };
  return {
    review: async (request) => ({ verdict: verdictOn(request, done()), by }),
    async permit(ask, signal) {
      const allowed = permits(ask);
      if (allowed === null) await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      return { allowed: allowed ?? false, by };
    },
    answer: async () => ({ answer, by }),
  };
}

function storyShell(done: () => number): Shell {
  return {
    judge: async (command, directory) => ({
      command,
      directory,
      canonical: command,
      verdict: verdicts[command] ?? "unproven",
      reason: "as the story says",
      span: null,
      parts: [command],
      reads: [],
      edits: null,
      network: false,
      sandboxed: false,
    }),
    async run({ command }, { signal }) {
      while (done() < (slowCommands[command] ?? 0) && !signal.aborted) await pause(1);
      return { exitCode: 0, stdout: `ran ${command}`, stderr: "", truncated: false, timedOut: false, refused: null };
    },
  };
}
