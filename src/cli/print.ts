/** Headless runs: one prompt or a driving program in; text, one JSON object or a stream of events out. */
import { userInfo } from "node:os";
import type { Happening } from "../agent/handle.ts";
import { answerDesk, type AnswerDesk } from "../agent/persons.ts";
import { publicEvents } from "../agent/public-events.ts";
import { isPlanning } from "../core/mode.ts";
import { hasHidden, makeVisible } from "../core/visible.ts";
import { loadPrompts, type Prompts } from "../prompts/index.ts";
import type { SessionArguments, TeammateArguments } from "./args.ts";
import type { Streams } from "./command.ts";
import { commandLinePerson } from "./command-line-person.ts";
import { tellPerson } from "./complaint.ts";
import { composeSession, type Composed } from "./compose.ts";
import { drive, settled } from "./drive.ts";
import { hasKeptAnswer } from "./kept-prompt.ts";
import { programName } from "./program-name.ts";
import { progressLine } from "./progress.ts";
import { endsWithPlan, exitCodes, runResult, type Denied, type RunResult, type RunStatus } from "./run-result.ts";
import { runNotices } from "./run-notices.ts";
import { newsText } from "./team-news.ts";
import { isUsageError } from "./usage-error.ts";

export async function print(args: SessionArguments, streams: Streams): Promise<number> {
  const started = performance.now();
  const complain = (line: string): void => tellPerson(streams, line);
  const emit = (value: object): void => void streams.stdout.write(`${JSON.stringify(value)}\n`);
  const isDriven = args.input === "stream-json";
  /** A teammate that was stopped while it waited just goes on waiting. */
  const needsPrompt = !isDriven && args.approve === null && (args.teammate === null || args.resume === null);
  const readsPrompt = needsPrompt && args.prompt === null;
  const prompt = readsPrompt ? await readAll(streams.stdin) : args.prompt;
  const isSilent = (prompt ?? "").trim() === "";
  if (needsPrompt && isSilent && !(await hasKeptAnswer(args))) {
    complain('There is no prompt: groundplan -p "what to do", or give it on stdin.');
    return 2;
  }
  const single = commandLinePerson(args, prompt);
  const person = isDriven ? desk(emit) : single;
  const prompts = loadPrompts();
  const run = newRun();
  const notices = runNotices({ complain, emit: args.output === "stream-json" ? emit : null });
  streams.stdout.on("error", () => run.stop("interrupted"));
  const listen = (happening: Happening): void => {
    note(happening, run);
    if (happening.kind === "team") complain(newsText(happening.news));
    const progress = args.print || args.output !== "text" ? null : progressLine(happening);
    if (progress !== null) complain(progress);
    for (const event of publicEvents(happening, prompts)) {
      if (args.output === "stream-json") emit(event);
      notices.hear(event);
    }
    noteDenials(happening, run, prompts);
    if (args.maxTurns !== null && isOver(happening, args.maxTurns)) run.stop("limit");
  };
  const composed = await composeSession({
    args,
    person,
    kept: isDriven ? "beside" : "before",
    environment: process.env,
    startedIn: process.cwd(),
    tell: (line) => notices.tell(line),
    prompts,
    listen,
    mayLead: isDriven,
    onShutdown: () => run.stop("interrupted"),
  });
  if (isUsageError(composed)) {
    complain(composed.problem);
    return composed.exitCode;
  }
  run.cancel = () => {
    composed.stopWaiting();
    void composed.handle.send({ type: "turn-cancelled" });
  };
  process.once("SIGINT", () => run.stop("interrupted"));
  process.once("SIGTERM", () => run.stop("interrupted"));
  if (isDriven) await drive({ composed, desk: person as AnswerDesk, input: streams.stdin, prompt, complain });
  else await once(composed, single.restOfPrompt());
  const result = { ...(await finish(composed, run, started)), notices: notices.all };
  write(result, { args, isScout: composed.modelName === "scout" }, streams);
  await composed.close();
  return exitCodes[result.status];
}

/** What is noted while it runs. */
interface Run {
  readonly denials: Denied[];
  readonly changed: Set<string>;
  readonly inputs: Map<string, unknown>;
  readonly agentModels: Set<string>;
  /** A side model used tokens, too. */
  hasSideUsage: boolean;
  error: string | null;
  stopped: "limit" | "interrupted" | null;
  cancel: () => void;
  stop(why: "limit" | "interrupted"): void;
}

function newRun(): Run {
  return {
    denials: [],
    changed: new Set(),
    inputs: new Map(),
    agentModels: new Set(),
    hasSideUsage: false,
    error: null,
    stopped: null,
    cancel: () => undefined,
    stop(why) {
      this.stopped ??= why;
      this.cancel();
    },
  };
}

async function once(composed: Composed, prompt: string | null): Promise<void> {
  if (prompt !== null && prompt.trim() !== "") await composed.handle.send({ type: "user-said", text: prompt });
  await settled(composed);
}

/** Those of agents too: the id of a call is then behind the agent's. */
function noteDenials(happening: Happening, run: Run, prompts: Prompts): void {
  const isWithin = happening.kind === "agent" && happening.news.kind === "within";
  const told = isWithin ? happening.news.happening : happening;
  const prefix = isWithin ? `${happening.id}:` : "";
  if (told.kind !== "event") return;
  const { event } = told;
  if (event.type === "model-replied") for (const call of event.calls) run.inputs.set(prefix + call.id, call.input);
  for (const shown of publicEvents(told, prompts)) {
    if (shown.type !== "tool.denied") continue;
    const { tool, code, reason, id } = shown as unknown as Denied & { readonly id: string };
    run.denials.push({ tool, input: run.inputs.get(prefix + id) ?? null, reason, code });
  }
}

function note(happening: Happening, run: Run): void {
  if (happening.kind === "halted") run.error = `The session log cannot be written: ${happening.error}`;
  if (happening.kind === "agent" && happening.news.kind === "started") run.agentModels.add(happening.news.model);
  if (happening.kind !== "event") return;
  const { event, session } = happening;
  if (event.type === "model-failed") run.error = session.turn.compaction === null ? event.error : null;
  if (event.type === "compaction-failed" && happening.before.turn.compaction?.why === "full") run.error = event.error;
  if (event.type === "user-said") run.error = null;
  if (event.type === "classifier-answered" && event.usage !== undefined) run.hasSideUsage = true;
  if (event.type !== "tool-finished" || !isChange(event.output)) return;
  const plans = new Set(session.plans.map(({ file }) => file));
  for (const path of event.output.changed) if (!plans.has(path)) run.changed.add(path);
}

/** The turn that would be one too many has just been asked for. */
function isOver(happening: Happening, most: number): boolean {
  if (happening.kind !== "event") return false;
  return happening.effects.some((effect) => effect.type === "call-model" && effect.request > most);
}

async function finish({ handle, model, sideModel }: Composed, run: Run, started: number) {
  run.error ??= missingPlan(handle.state);
  const status = statusOf(handle.state, run);
  const { denials, error } = run;
  if (run.hasSideUsage && sideModel !== null) run.agentModels.add(sideModel);
  const isPriced = [...run.agentModels].every((name) => name === model.name);
  const durationMs = performance.now() - started;
  return runResult(handle.state, {
    status,
    error,
    denials,
    changed: [...run.changed],
    durationMs,
    model: isPriced ? model.name : null,
  });
}

/** R12.1: a teammate that must plan, and has no plan, did not do what it was started for. */
function missingPlan(session: Composed["handle"]["state"]): string | null {
  const { actor, permissions } = session;
  const mustPlan = actor.kind === "teammate" && actor.planRequired && isPlanning(permissions);
  return mustPlan && !endsWithPlan(session) ? "The teammate ended without a plan: nothing was sent to the lead." : null;
}

function statusOf(session: Composed["handle"]["state"], { stopped, error }: Run): RunStatus {
  if (stopped !== null) return stopped;
  if (error !== null) return "failed";
  return endsWithPlan(session) ? "plan_ready" : "done";
}

interface Written {
  readonly args: SessionArguments;
  readonly isScout: boolean;
}

function write(result: RunResult, { args, isScout }: Written, { stdout, stderr }: Streams): void {
  if (args.output !== "text") {
    stdout.write(`${JSON.stringify(result)}\n`);
    return;
  }
  if (result.status === "failed") stderr.write(`groundplan: ${makeVisible(result.result)}\n`);
  else if (result.status === "plan_ready" && result.plan !== null) {
    stdout.write(
      `${makeVisible(result.plan.text).trimEnd()}\n\nPlan: ${result.plan.path}\nHash: ${result.plan.hash}\n`,
    );
    if (hasHidden(result.plan.text))
      stderr.write("groundplan: the plan holds hidden characters; they are shown as escapes.\n");
    const how = `${programName()} -p --resume ${result.sessionId} --approve ${result.plan.hash}`;
    if (args.teammate === null) {
      stderr.write(`groundplan: not approved. To approve exactly this plan: ${how}\n`);
      if (isScout) stderr.write(scoutHints(result.sessionId));
    } else stderr.write(`groundplan: not approved. To ask the lead again: ${again(args.teammate, result)} continue\n`);
  } else stdout.write(`${result.result.trimEnd()}\n`);
  if (result.status === "interrupted" && args.teammate !== null)
    stderr.write(`groundplan: to go on: ${again(args.teammate, result)}\n`);
  if (result.status === "limit") stderr.write("groundplan: the limit of turns was reached.\n");
}

function again({ name }: TeammateArguments, { sessionId }: RunResult): string {
  return `${programName()} team start ${name} --resume ${sessionId}`;
}

/** Scout plans and does not code: how the work goes on from here. */
function scoutHints(id: string): string {
  return [
    "groundplan: with a key before it (ANTHROPIC_API_KEY=…, OPENAI_API_KEY=…, GEMINI_API_KEY=…) a model then carries the plan out\n",
    `groundplan: to change it: ${programName()} -p --resume ${id} "leave out …" (or: add …, only …, without tests)\n`,
  ].join("");
}

function desk(emit: (value: object) => void): AnswerDesk {
  const by = { user: userInfo().username, surface: "stream-json" };
  return answerDesk({ by, onQuestion: (id, questions) => emit({ type: "question.requested", id, questions }) });
}

async function readAll(stdin: Streams["stdin"] & { readonly isTTY?: boolean }): Promise<string> {
  if (stdin.isTTY === true) return "";
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

function isChange(output: unknown): output is { readonly changed: readonly string[] } {
  return typeof output === "object" && output !== null && "changed" in output && Array.isArray(output.changed);
}
