/** Headless runs: one prompt or a driving program in; text, one JSON object or a stream of events out. */
import { userInfo } from "node:os";
import type { Happening } from "../agent/handle.ts";
import { answerDesk, nobody, type AnswerDesk } from "../agent/persons.ts";
import type { Person } from "../agent/ports.ts";
import { publicEvents, type PublicEvent } from "../agent/public-events.ts";
import { loadPrompts } from "../prompts/index.ts";
import type { SessionArguments } from "./args.ts";
import type { Streams } from "./command.ts";
import { composeSession, type Composed } from "./compose.ts";
import { drive, settled } from "./drive.ts";
import { endsWithPlan, exitCodes, runResult, type Denied, type RunResult, type RunStatus } from "./run-result.ts";
import { isUsageError } from "./usage-error.ts";

export async function print(args: SessionArguments, streams: Streams): Promise<number> {
  const started = performance.now();
  const complain = (line: string): void => void streams.stderr.write(`groundplan: ${line}\n`);
  const emit = (value: object): void => void streams.stdout.write(`${JSON.stringify(value)}\n`);
  const isDriven = args.input === "stream-json";
  const prompt = isDriven ? args.prompt : (args.prompt ?? (await readAll(streams.stdin)));
  if (!isDriven && (prompt ?? "").trim() === "" && args.approve === null) {
    complain('There is no prompt: groundplan -p "what to do", or give it on stdin.');
    return 2;
  }
  const person = isDriven ? desk(emit) : args.approve === null ? nobody() : approver(args);
  const prompts = loadPrompts();
  const run = newRun();
  const listen = (happening: Happening): void => {
    note(happening, run);
    for (const event of publicEvents(happening, prompts)) {
      if (args.output === "stream-json") emit(event);
      noteDenial(event, run);
    }
    if (args.maxTurns !== null && isOver(happening, args.maxTurns)) run.stop("limit");
  };
  const composed = await composeSession({
    args,
    person,
    environment: process.env,
    startedIn: process.cwd(),
    tell: complain,
    prompts,
    listen,
  });
  if (isUsageError(composed)) {
    complain(composed.problem);
    return composed.exitCode;
  }
  run.cancel = () => void composed.handle.send({ type: "turn-cancelled" });
  process.once("SIGINT", () => run.stop("interrupted"));
  process.once("SIGTERM", () => run.stop("interrupted"));
  if (isDriven) await drive({ composed, desk: person as AnswerDesk, input: streams.stdin, prompt, complain });
  else await once(composed, prompt);
  const result = await finish(composed, run, started);
  write(result, args, streams);
  await composed.close();
  return exitCodes[result.status];
}

/** What is noted while it runs. */
interface Run {
  readonly denials: Denied[];
  readonly changed: Set<string>;
  readonly inputs: Map<string, unknown>;
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

function noteDenial(event: PublicEvent, { denials, inputs }: Run): void {
  if (event.type !== "tool.denied") return;
  const { tool, code, reason, id } = event as unknown as Denied & { readonly id: string };
  denials.push({ tool, input: inputs.get(id) ?? null, reason, code });
}

function note(happening: Happening, run: Run): void {
  if (happening.kind === "halted") run.error = `The session log cannot be written: ${happening.error}`;
  if (happening.kind !== "event") return;
  const { event, session } = happening;
  if (event.type === "model-replied") for (const call of event.calls) run.inputs.set(call.id, call.input);
  if (event.type === "model-failed") run.error = session.turn.compaction === null ? event.error : null;
  if (event.type === "compaction-failed" && happening.before.turn.compaction?.why === "full") run.error = event.error;
  if (event.type === "user-said") run.error = null;
  if (event.type !== "tool-finished" || !isChange(event.output)) return;
  const plans = new Set(session.plans.map(({ file }) => file));
  for (const path of event.output.changed) if (!plans.has(path)) run.changed.add(path);
}

/** The turn that would be one too many has just been asked for. */
function isOver(happening: Happening, most: number): boolean {
  if (happening.kind !== "event") return false;
  return happening.effects.some((effect) => effect.type === "call-model" && effect.request > most);
}

async function finish({ handle, model }: Composed, run: Run, started: number): Promise<RunResult> {
  const status = statusOf(handle.state, run);
  const { denials, error } = run;
  const durationMs = performance.now() - started;
  return runResult(handle.state, { status, error, denials, changed: [...run.changed], durationMs, model: model.name });
}

function statusOf(session: Composed["handle"]["state"], { stopped, error }: Run): RunStatus {
  if (stopped !== null) return stopped;
  if (error !== null) return "failed";
  return endsWithPlan(session) ? "plan_ready" : "done";
}

function write(result: RunResult, { output }: SessionArguments, { stdout, stderr }: Streams): void {
  if (output !== "text") {
    stdout.write(`${JSON.stringify(result)}\n`);
    return;
  }
  if (result.status === "failed") stderr.write(`groundplan: ${result.result}\n`);
  else if (result.status === "plan_ready" && result.plan !== null) {
    stdout.write(`${result.plan.text.trimEnd()}\n\nPlan: ${result.plan.path}\nHash: ${result.plan.hash}\n`);
    const how = `groundplan -p --resume ${result.sessionId} --approve ${result.plan.hash}`;
    stderr.write(`groundplan: not approved. To approve exactly this plan: ${how}\n`);
  } else stdout.write(`${result.result.trimEnd()}\n`);
  if (result.status === "limit") stderr.write("groundplan: the limit of turns was reached.\n");
}

function desk(emit: (value: object) => void): AnswerDesk {
  const by = { user: userInfo().username, surface: "stream-json" };
  return answerDesk({ by, onQuestion: (id, questions) => emit({ type: "question.requested", id, questions }) });
}

/** `--approve <hash>`: approves the plan with exactly this hash, and nothing else. */
function approver({ approve, mode }: SessionArguments): Person {
  const absent = nobody();
  const by = { user: userInfo().username, surface: "command line" };
  return {
    ...absent,
    review: async ({ hash }) => {
      if (hash !== approve) return null;
      return { verdict: { kind: "approve", hash, ...(mode === null || mode === "plan" ? {} : { mode }) }, by };
    },
  };
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
