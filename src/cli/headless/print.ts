/** Headless runs: one prompt or a driving program in; text, one JSON object or a stream of events out. */
import { userInfo } from "node:os";
import type { Happening } from "../../agent/loop/handle.ts";
import { answerDesk, type AnswerDesk } from "../../agent/answers/persons.ts";
import { publicEvents, type PublicEvent } from "../../agent/loop/public-events.ts";
import { isPlanning } from "../../core/mode.ts";
import { loadPrompts, type Prompts } from "../../prompts/index.ts";
import { withPipedInput } from "../../prompts/render/opening.ts";
import type { SessionArguments } from "../args.ts";
import type { Streams } from "../command.ts";
import { lostOutput } from "../closed-output.ts";
import { commandLinePerson } from "./command-line-person.ts";
import { tellPerson } from "../complaint.ts";
import { openSession, type OpenedSession } from "../../program/open-session.ts";
import { drive, settled } from "./drive.ts";
import { carryOut, commandProblem, isCommand } from "./headless-command.ts";
import { hasKeptAnswer, waitingHash } from "../../program/kept-prompt.ts";
import { readPipedInput } from "./piped-input.ts";
import { programName } from "../program-name.ts";
import { progressLine, retryLine } from "./progress.ts";
import { fromRoot, newRun, note, noteDenials, notingQuestions, refusedWork, type Run } from "./run-notes.ts";
import { endsWithPlan, exitCodes, runResult, type Denied, type RunStatus } from "./run-result.ts";
import { runNotices } from "./run-notices.ts";
import { newsText } from "./team-news.ts";
import { isUsageError, type UsageError } from "../../program/usage-error.ts";
import { writeResult } from "./write-result.ts";

export async function print(args: SessionArguments, streams: Streams): Promise<number> {
  const started = performance.now();
  const complain = (line: string): void => tellPerson(streams, line);
  const emit = (value: object): void => void streams.stdout.write(`${JSON.stringify(value)}\n`);
  const isDriven = args.input === "stream-json";
  const prompts = loadPrompts();
  const asked = isDriven ? { prompt: args.prompt } : await promptOf(args, { streams, prompts, complain });
  if (isUsageError(asked)) {
    complain(asked.problem);
    return asked.exitCode;
  }
  const { prompt } = asked;
  const run = newRun();
  const single = notingQuestions(commandLinePerson(args, prompt), run);
  const person = isDriven ? notingQuestions(desk(emit, args.channel), run) : single;
  const notices = runNotices({ complain, emit: args.output === "stream-json" ? emit : null });
  streams.stdout.on("error", (error) => {
    run.outputError ??= error;
    run.stop("interrupted");
  });
  streams.stderr.on("error", () => undefined);
  const listen = (happening: Happening): void => {
    note(happening, run);
    if (happening.kind === "team") complain(newsText(happening.news));
    const progress = args.print || args.output !== "text" ? null : progressLine(happening);
    for (const line of [progress, retryLine(happening)]) if (line !== null) complain(line);
    for (const event of publicEvents(happening, prompts, { hasTaskTool: true })) {
      if (isDriven) expectAnswer(event, person as AnswerDesk);
      if (args.output === "stream-json") emit(event);
      notices.hear(event);
    }
    noteDenials(happening, run, prompts);
    if (args.maxTurns !== null && run.turns > args.maxTurns) run.stop("limit");
  };
  const composed = await openSession({
    wish: args,
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
  if (run.stopped !== null) run.cancel();
  else if (isDriven) {
    const driver = { composed, desk: person as AnswerDesk, input: streams.stdin, prompt, complain, emit };
    await drive({ ...driver, signal: run.signal });
  } else await once(composed, single.restOfPrompt(), run);
  const isWorking = !isPlanning(composed.handle.state.permissions) && run.stopped === null;
  const isRefused = isWorking && refusedWork(run).length > 0;
  const denied = isWorking && run.unasked.denials.length > 0 ? deniedText(run.unasked.denials, { isRefused }) : null;
  const result = { ...(await finish(composed, run, { started, isRefused })), notices: notices.all };
  const { mode } = composed.handle.state.permissions;
  const workingMode = mode.current === "plan" ? mode.returnTo : mode.current;
  const isScout = composed.modelName === "scout";
  writeResult(result, { args, isScout, workingMode, error: run.error, denied }, streams);
  await composed.close();
  const lost = await lostOutput(streams.stdout, () => run.outputError);
  if (lost === null) return run.isRefused ? 2 : exitCodes[result.status];
  complain(`the output cannot be written: ${lost}. The session is kept: ${programName()} --resume ${result.sessionId}`);
  return 1;
}

interface Asking {
  readonly streams: Streams;
  readonly prompts: Prompts;
  readonly complain: (line: string) => void;
}

/** What is to be done: the words of the command line, with what is piped in; else what is piped in alone. */
async function promptOf(args: SessionArguments, asking: Asking): Promise<{ prompt: string | null } | UsageError> {
  if (args.prompt !== null && args.prompt.trim() !== "") {
    const problem = commandProblem(args.prompt);
    return problem === null ? withPiped(args.prompt, asking) : { problem, exitCode: 2 };
  }
  /** A teammate that was stopped while it waited just goes on waiting. */
  if (args.approve !== null || (args.teammate !== null && args.resume !== null)) return { prompt: null };
  const piped = await readPipedInput(asking.streams.stdin, { patienceMs: null });
  if (piped.kind === "failed") return { problem: piped.problem, exitCode: 2 };
  const prompt = piped.kind === "text" ? piped.text : "";
  if (prompt.trim() === "" && !(await hasKeptAnswer(args))) return nothingToDo(args);
  const problem = commandProblem(prompt);
  return problem === null ? { prompt } : { problem, exitCode: 2 };
}

async function nothingToDo(args: SessionArguments): Promise<UsageError> {
  const none = 'There is no prompt: groundplan -p "what to do", or give it on stdin.';
  if (args.resume === null) return { problem: none, exitCode: 2 };
  const waiting = await waitingHash(args, args.resume);
  if (isUsageError(waiting)) return waiting;
  const { hash } = waiting;
  const approve = hash === null ? "" : `, or its plan is approved: --approve ${hash} --permission-mode acceptEdits`;
  return { problem: `Without a terminal a session goes on by words, "…" or on stdin${approve}.`, exitCode: 2 };
}

async function withPiped(
  prompt: string,
  { streams, prompts, complain }: Asking,
): Promise<{ prompt: string } | UsageError> {
  const piped = await readPipedInput(streams.stdin, { patienceMs });
  if (piped.kind === "failed") return { problem: piped.problem, exitCode: 2 };
  if (piped.kind === "silent") {
    complain("nothing came on stdin within 3 seconds; going on without it (</dev/null says so at once).");
    return { prompt };
  }
  if (piped.text.trim() === "") return { prompt };
  if (isCommand(prompt) && !/^\/plan\s/.test(prompt.trim())) {
    complain(`stdin is no part of ${prompt.trim().split(/\s/)[0]!}; it was left out.`);
    return { prompt };
  }
  return { prompt: withPipedInput(prompts, prompt, piped.text) };
}

const patienceMs = 3_000;

async function once(composed: OpenedSession, prompt: string | null, run: Run): Promise<void> {
  const isSaid = prompt !== null && prompt.trim() !== "";
  const carried = isSaid ? await carryOut(prompt, composed) : null;
  if (isSaid && carried === null) await composed.handle.send({ type: "user-said", text: prompt });
  await settled(composed);
  if (carried === null) return;
  if (carried.refusal !== null) {
    run.error = carried.refusal;
    run.isRefused = true;
  } else if (!carried.isTask) run.said = carried.said();
}

interface Ending {
  readonly started: number;
  /** Every edit was denied. */
  readonly isRefused: boolean;
}

async function finish({ handle, model, sideModel }: OpenedSession, run: Run, { started, isRefused }: Ending) {
  run.error ??= missingPlan(handle.state);
  const { denials, error, questions, said } = run;
  if (run.hasSideUsage && sideModel !== null) run.agentModels.add(sideModel);
  const isPriced = [...run.agentModels].every((name) => name === model.name);
  const changed = [...run.changed, ...run.seenChanged].map((path) => fromRoot(path, handle.state));
  return runResult(handle.state, {
    status: statusOf(handle.state, run, isRefused ? "failed" : "done"),
    error,
    denials,
    changed: [...new Set(changed)],
    questions,
    said,
    durationMs: performance.now() - started,
    model: isPriced ? model.name : null,
  });
}

/** Nobody takes a run for done in which nothing could be done. */
function deniedText(denials: readonly Denied[], { isRefused }: Pick<Ending, "isRefused">): string {
  const lines = denials.slice(0, 20).map(({ tool, reason }) => `  ${tool}: ${reason.split("\n")[0]!}`);
  const more = denials.length > lines.length ? [`  and ${denials.length - lines.length} more`] : [];
  if (!isRefused) return ["Denied, as nobody could be asked:", ...lines, ...more].join("\n");
  const how = "Edits are made with --permission-mode acceptEdits, or by allow rules in the settings.";
  return ["Every edit was denied; nothing was changed:", ...lines, ...more, how].join("\n");
}

/** R12.1: a teammate that must plan, and has no plan, did not do what it was started for. */
function missingPlan(session: OpenedSession["handle"]["state"]): string | null {
  const { actor, permissions } = session;
  const mustPlan = actor.kind === "teammate" && actor.planRequired && isPlanning(permissions);
  return mustPlan && !endsWithPlan(session) ? "The teammate ended without a plan: nothing was sent to the lead." : null;
}

function statusOf(
  session: OpenedSession["handle"]["state"],
  { stopped, error, said }: Run,
  worked: RunStatus,
): RunStatus {
  if (stopped !== null) return stopped;
  if (error !== null) return "failed";
  return said === null && endsWithPlan(session) ? "plan_ready" : worked;
}

/** Before it is told: an answer can be there before the session asks for it. */
function expectAnswer({ type, id, awaitingLeaderApproval }: PublicEvent, answers: AnswerDesk): void {
  const isReview = type === "plan.submitted" && awaitingLeaderApproval !== true;
  if (isReview || type === "permission.requested") answers.expect(String(id));
  if (type === "permission.withdrawn") answers.forget(String(id));
}

/** Whoever drives answers under its own name, where it gave one. */
function desk(emit: (value: object) => void, channel: string | null): AnswerDesk {
  const by = { user: userInfo().username, surface: channel ?? "stream-json" };
  return answerDesk({ by, onQuestion: (id, questions) => emit({ type: "question.requested", id, questions }) });
}
