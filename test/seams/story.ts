/** One random story: a session on one of the surfaces, its files changed while it runs, resumed with other settings and flags. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Call } from "../../src/core/decide/access.ts";
import { items } from "../../src/core/chain.ts";
import type { Decision } from "../../src/core/decide/decision.ts";
import type { Event } from "../../src/core/event.ts";
import type { Outcome } from "../../src/core/outcome.ts";
import { reduce } from "../../src/core/reduce.ts";
import { freshSession, type Session } from "../../src/core/session.ts";
import type { LoopbackRequest, ScriptedTurn } from "../../src/testing/loopback.ts";
import { createChance, type Chance } from "../invariants/random.ts";
import { otherFiles, someCall, someFlags, someSources } from "./chances.ts";
import { begun, changed, chosen, decisionOf, resumed, type Expected, type Flags, type Sources } from "./expected.ts";
import type { Driver, Place } from "./program.ts";

export const surfaces = ["headless", "driven", "agent", "teammate"] as const;
export type Surface = (typeof surfaces)[number];

export interface Compared {
  readonly surface: string;
  readonly call: string;
  readonly decision: Decision["kind"];
  readonly mode: string;
  /** Null where they agree. */
  readonly difference: string | null;
}

/** What was in force when a call was handed out, by the call's id. */
type Book = Map<string, { readonly surface: string; readonly expected: Expected }>;

interface Telling {
  readonly place: Place;
  readonly chance: Chance;
  readonly surface: Surface;
  readonly seed: number;
  readonly book: Book;
  readonly mistake: Mistake | undefined;
  expected: Expected;
  sources: Sources;
}

/** Mistakes that a program could make; the comparison must find each. */
export type Mistake = "rules of the log" | "rules of the start" | "mode of the log";

export async function tell(
  place: Place,
  seed: number,
  { surface, mistake }: { readonly surface: Surface; readonly mistake?: Mistake },
): Promise<readonly Compared[]> {
  const chance = createChance(seed);
  const sources = someSources(chance);
  const flags = someFlags(chance);
  const telling: Telling = {
    place,
    chance,
    surface,
    seed,
    sources,
    book: new Map(),
    expected: begun(sources, flags),
    mistake,
  };
  place.settle(sources);
  const first = await act(telling, { flags, resume: null });
  const doubted = chance.chance(0.2);
  if (doubted)
    place.editLog(first, (text) =>
      text.replace('"bypassAvailable":false', '"bypassAvailable":true').replace('"at":', '"at": '),
    );
  telling.sources = someSources(chance);
  const again = {
    ...someFlags(chance),
    mode: chance.chance(0.7) ? null : chance.pick(["plan", "default", "acceptEdits", "auto"] as const),
  };
  const before = telling.expected;
  const now = resumed(before, telling.sources, { ...again, doubted });
  const { mode, returnTo, rules } = before;
  telling.expected =
    mistake === "rules of the log"
      ? { ...now, rules }
      : mistake === "mode of the log"
        ? { ...now, mode, returnTo }
        : now;
  place.settle(telling.sources);
  await act(telling, { flags: again, resume: first });
  return place.logs(first).flatMap((events) => compare(events, telling));
}

async function act(telling: Telling, { flags, resume }: { flags: Flags; resume: string | null }): Promise<string> {
  const { place, surface, sources } = telling;
  const isAgain = resume !== null;
  place.script(script(telling, isAgain ? "resumed" : "first"));
  const options = [
    ...(flags.mode === null ? [] : ["--permission-mode", flags.mode]),
    ...(flags.bypass === "on" ? ["--dangerously-skip-permissions"] : []),
    ...(flags.bypass === "available" ? ["--allow-dangerously-skip-permissions"] : []),
    ...(sources.trust ? ["--trust"] : []),
    "--settings",
    JSON.stringify(sources.option),
    ...(isAgain ? ["--resume", resume] : []),
    "--output-format",
    "stream-json",
  ];
  const { result } =
    surface === "driven"
      ? await place.run(["-p", ...options, "--input-format", "stream-json"], driver(telling))
      : surface === "teammate"
        ? await place.run(["team", `mate${telling.seed}`, "MAIN-TASK", ...options])
        : await place.run(["-p", "MAIN-TASK", ...options]);
  return result.sessionId;
}

/** Two rounds of calls, the files changed in between; an agent's work is the agent's. */
function script(telling: Telling, part: string): (request: LoopbackRequest) => ScriptedTurn {
  const { chance, place, surface, seed, book } = telling;
  let rounds = 0;
  let started = false;
  return (request) => {
    if (isSideQuestion(request)) return { text: `{"verdict":"${chance.pick(["allow", "unsure"])}","reason":"chance"}` };
    if (surface === "agent" && !isAgents(request)) {
      if (started) return { text: "Done." };
      started = true;
      const input = { subagent_type: "general-purpose", description: "work", prompt: "AGENT-TASK" };
      return { calls: [{ id: `s${seed}-${part}-agent`, tool: "Agent", input }] };
    }
    rounds += 1;
    if (rounds > 2) return { text: "Done." };
    if (rounds === 2) {
      telling.sources = otherFiles(chance, telling.sources);
      if (telling.mistake !== "rules of the start") telling.expected = changed(telling.expected, telling.sources);
      place.settle(telling.sources);
    }
    const calls = Array.from({ length: perRound }, (_, at) =>
      someCall(chance, `s${seed}-${part}-${rounds}-${at}`, { beside: place.beside, hasShell: seed % 3 === 0 }),
    );
    for (const { id = "" } of calls) book.set(id, { surface: `${surface}, ${part}`, expected: telling.expected });
    return { calls };
  };
}

const perRound = 24;

/** Chooses a mode, says the task, answers every question as the book says. */
function driver(telling: Telling): Driver {
  const { chance } = telling;
  let isBegun = false;
  return (event, stdin) => {
    if (!isBegun && (event["type"] === "session.started" || event["type"] === "session.resumed")) {
      isBegun = true;
      const mode = chance.pick(["plan", "default", "acceptEdits", "auto", "bypassPermissions", null] as const);
      if (mode !== null) {
        telling.expected = chosen(telling.expected, mode);
        stdin.write({ type: "mode", mode });
      }
      stdin.write({ type: "user", text: "MAIN-TASK" });
    }
    if (event["type"] === "permission.requested")
      stdin.write({ type: "permission", id: event["id"], allow: isYes(event["input"]) });
    if (event["type"] === "message" && event["text"] === "Done.") stdin.end();
  };
}

/** The person's answer depends on the call alone. */
function isYes(input: unknown): boolean {
  return Buffer.from(JSON.stringify(input)).reduce((sum, byte) => sum + byte, 0) % 2 === 0;
}

function compare(events: readonly Event[], { book, place, surface }: Telling): readonly Compared[] {
  const compared: Compared[] = [];
  const classified = new Map<string, string>();
  const asked = new Map<string, string>();
  const judged: { readonly call: Call; readonly session: Session }[] = [];
  let session = freshSession();
  for (const event of events) {
    const step = reduce(session, event);
    session = step.session;
    if (event.type === "model-replied") for (const call of event.calls) judged.push({ call, session });
    for (const effect of step.effects) if (effect.type === "classify") asked.set(effect.questionId, effect.call.id);
    if (event.type === "classifier-answered" && event.reason !== "no classifier")
      classified.set(asked.get(event.questionId) ?? "", event.answer);
  }
  const results = items(session.transcript).filter((entry) => entry.kind === "result");
  const outcomes = new Map(results.map(({ callId, outcome }) => [callId, outcome]));
  for (const { call, session: then } of judged) {
    const noted = book.get(call.id);
    if (noted === undefined) continue;
    const decision = decisionOf(call, noted.expected, then);
    const answer = surface === "driven" ? (isYes(call.input) ? "yes" : "no") : "nobody";
    const wanted = wantedOf(decision, { answer, classified: classified.get(call.id) });
    const got = shown(outcomes.get(call.id));
    const isThere = existsSync(pathOf(call, place));
    const lies =
      isWrite(call) && isThere !== (got === "ran") ? ` but the file is ${isThere ? "there" : "not there"}` : "";
    const difference =
      wanted === got && lies === ""
        ? null
        : `${noted.surface} ${call.id} ${call.tool} ${JSON.stringify(call.input)}: decide says ${JSON.stringify(decision)}, so ${wanted}; the program: ${got}${lies}; ${JSON.stringify(noted.expected)}`;
    compared.push({
      surface: noted.surface,
      call: call.id,
      decision: decision.kind,
      mode: noted.expected.mode,
      difference,
    });
  }
  return compared;
}

function wantedOf(
  decision: Decision,
  { answer, classified }: { readonly answer: "yes" | "no" | "nobody"; readonly classified: string | undefined },
): string {
  switch (decision.kind) {
    case "allow":
      return "ran";
    case "deny":
      return `denied ${decision.denial.code}`;
    case "classify":
      if (classified === "allow") return "ran";
      if (classified === undefined) return "asked a classifier";
      if (classified === "deny") return "denied classifier";
      return byPerson(decision.question.kind, answer);
    case "ask":
      return byPerson(decision.question.kind, answer);
    default:
      return decision.kind;
  }
}

function byPerson(question: string, answer: "yes" | "no" | "nobody"): string {
  if (answer === "yes") return "ran";
  if (answer === "no") return "denied declined";
  return question === "unproven" ? "denied plan-command-unproven" : "denied nobody";
}

function shown(outcome: Outcome | undefined): string {
  if (outcome === undefined) return "nothing";
  return outcome.kind === "denied" ? `denied ${outcome.denial.code}` : outcome.kind;
}

function isWrite({ tool }: Call): boolean {
  return tool === "Write";
}

function pathOf({ input }: Call, { repository }: Place): string {
  const path = (input as { readonly file_path?: unknown }).file_path;
  return typeof path === "string" ? resolve(repository, path) : join(repository, "no-such-file");
}

function isSideQuestion({ body }: LoopbackRequest): boolean {
  return !Array.isArray(body["tools"]) || body["tools"].length === 0;
}

function isAgents({ body }: LoopbackRequest): boolean {
  const [first] = body["messages"] as readonly unknown[];
  return JSON.stringify(first).includes("AGENT-TASK");
}
