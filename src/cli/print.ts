/** Headless runs: one prompt or a driving program in; text, one JSON object or a stream of events out. */
import { userInfo } from "node:os";
import type { Happening } from "../agent/handle.ts";
import { answerDesk, nobody, type AnswerDesk } from "../agent/persons.ts";
import type { Person } from "../agent/ports.ts";
import { publicEvents } from "../agent/public-events.ts";
import type { SessionArguments } from "./args.ts";
import type { Streams } from "./command.ts";
import { composeSession, type Composed } from "./compose.ts";
import { drive } from "./drive.ts";
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
  const composed = await composeSession({
    args,
    person,
    environment: process.env,
    startedIn: process.cwd(),
    tell: complain,
    isInteractive: false,
  });
  if (isUsageError(composed)) {
    complain(composed.problem);
    return composed.exitCode;
  }
  const run = watch(composed, args, emit);
  const ended = isDriven
    ? await drive({ composed, desk: person as AnswerDesk, input: streams.stdin, prompt, complain })
    : await once(composed, prompt);
  const result = await finish(composed, run, { started, ended });
  write(result, args, streams);
  await composed.close();
  return exitCodes[result.status];
}

/** What is noted while it runs. */
interface Run {
  readonly denials: Denied[];
  readonly changed: Set<string>;
  error: string | null;
  stopped: "limit" | "interrupted" | null;
}

async function once({ handle }: Composed, prompt: string | null): Promise<"ended"> {
  if (prompt !== null && prompt.trim() !== "") await handle.send({ type: "user-said", text: prompt });
  await handle.settled();
  return "ended";
}

function watch({ handle, prompts }: Composed, args: SessionArguments, emit: (value: object) => void): Run {
  const run: Run = { denials: [], changed: new Set(), error: null, stopped: null };
  const stop = (why: "limit" | "interrupted"): void => {
    run.stopped ??= why;
    void handle.send({ type: "turn-cancelled" });
  };
  process.once("SIGINT", () => stop("interrupted"));
  process.once("SIGTERM", () => stop("interrupted"));
  const inputs = new Map<string, unknown>();
  handle.subscribe((happening) => {
    for (const event of publicEvents(happening, prompts)) {
      if (args.output === "stream-json") emit(event);
      if (event.type === "tool.denied") {
        const { tool, code, reason, id } = event as unknown as Denied & { readonly id: string };
        run.denials.push({ tool, input: inputs.get(id) ?? null, reason, code });
      }
    }
    note(happening, run, inputs);
    if (args.maxTurns !== null && isOver(happening, args.maxTurns)) stop("limit");
  });
  return run;
}

function note(happening: Happening, run: Run, inputs: Map<string, unknown>): void {
  if (happening.kind === "halted") run.error = `The session log cannot be written: ${happening.error}`;
  if (happening.kind !== "event") return;
  const { event } = happening;
  if (event.type === "model-replied") for (const call of event.calls) inputs.set(call.id, call.input);
  if (event.type === "model-failed") run.error = event.error;
  if (event.type === "user-said") run.error = null;
  if (event.type === "tool-finished" && isChange(event.output))
    for (const path of event.output.changed) run.changed.add(path);
}

/** The turn that would be one too many has just been asked for. */
function isOver(happening: Happening, most: number): boolean {
  if (happening.kind !== "event") return false;
  return happening.effects.some((effect) => effect.type === "call-model" && effect.request > most);
}

async function finish(
  { handle, model }: Composed,
  run: Run,
  { started }: { readonly started: number; readonly ended: string },
): Promise<RunResult> {
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
