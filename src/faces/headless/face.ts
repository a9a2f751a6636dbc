/** The headless face: a session without dialogs; text, one JSON object or a stream of events out, and lines in where it is driven. */
import { userInfo } from "node:os";
import type { Happening } from "../../agent/ports/handle.ts";
import { answerDesk } from "../../agent/answers/persons.ts";
import type { PublicEvent } from "../../agent/ports/event-shapes.ts";
import type { Person } from "../../agent/ports/ports.ts";
import { isPlanning } from "../../core/mode.ts";
import type { Session } from "../../core/session.ts";
import { commandLinePerson, type SaidAtStart } from "./command-line-person.ts";
import { carryOut } from "./headless-command.ts";
import type { HeadlessLink, HeadlessStreams } from "./link.ts";
import { callShower } from "../../agent/tools/show.ts";
import { progressLine, retryLine } from "./progress.ts";
import { fromRoot, newRun, note, noteDenials, refusedWork, type Run } from "./run-notes.ts";
import { endsWithPlan, exitCodes, runResult, type Denied, type RunStatus } from "./run-result.ts";
import { runNotices, type RunNotices } from "./run-notices.ts";
import { newsText } from "./team-news.ts";
import { settled } from "./settled.ts";
import { writeResult } from "./write-result.ts";

export interface HeadlessOptions {
  readonly streams: HeadlessStreams;
  readonly output: "text" | "json" | "stream-json";
  /** Another program speaks and answers by lines on stdin. */
  readonly isDriven: boolean;
  /** The name of the channel that it drives by. */
  readonly channel: string | null;
  /** Somebody may be looking: rounds of work are told. */
  readonly tellsProgress: boolean;
  /** Requests to the model, of this run. */
  readonly maxTurns: number | null;
  readonly said: SaidAtStart;
  /** The name of the teammate that it is. */
  readonly teammate: string | null;
  /** The program as the person started it. */
  readonly program: string;
  /** One line for the person. */
  readonly complain: (line: string) => void;
  readonly eventsOf: (happening: Happening) => readonly PublicEvent[];
}

/** Made before the session, which is opened with its person and its ears. */
export interface HeadlessFace {
  readonly person: Person;
  readonly listen: (happening: Happening) => void;
  readonly tell: (line: string) => void;
  /** The run ends soon, as if it was interrupted. */
  readonly interrupt: () => void;
  /** Until the work is done; closes the session, and gives the exit code. */
  run(session: HeadlessLink): Promise<number>;
}

export function headlessFace(options: HeadlessOptions): HeadlessFace {
  const { streams, output, isDriven, maxTurns, complain, eventsOf } = options;
  const started = performance.now();
  const emit = (value: object): void => void streams.stdout.write(`${JSON.stringify(value)}\n`);
  const run = newRun();
  const single = commandLinePerson(options.said);
  /** Whoever drives answers under its own name, where it gave one. */
  const by = { user: userInfo().username, surface: options.channel ?? "stream-json" };
  const driver = isDriven ? answerDesk(by) : null;
  const notices = runNotices({ complain, emit: output === "stream-json" ? emit : null });
  streams.stdout.on("error", (error) => {
    run.outputError ??= error;
    run.stop("interrupted");
  });
  streams.stderr.on("error", () => undefined);
  let show = callShower([], "");
  return {
    person: driver ?? single,
    tell: (line) => notices.tell(line),
    interrupt: () => run.stop("interrupted"),
    listen(happening) {
      note(happening, run);
      if (happening.kind === "team") complain(newsText(happening.news));
      const progress = options.tellsProgress ? progressLine(happening, show) : null;
      for (const line of [progress, retryLine(happening)]) if (line !== null) complain(line);
      for (const event of eventsOf(happening)) {
        if (output === "stream-json") emit(event);
        notices.hear(event);
      }
      noteDenials(happening, run, eventsOf);
      if (maxTurns !== null && run.turns > maxTurns) run.stop("limit");
    },
    async run(session) {
      ({ show } = session);
      run.cancel = () => {
        session.stopWaiting();
        void session.handle.send({ type: "turn-cancelled" });
      };
      if (run.stopped !== null) run.cancel();
      else if (driver === null) await once(session, single.restOfPrompt(), run);
      else {
        const { prompt } = options.said;
        const lines = { composed: session, desk: driver, input: streams.stdin, prompt, complain, emit };
        const { drive } = await import("./drive.ts");
        await drive({ ...lines, signal: run.signal });
      }
      return end(session, { run, started, notices }, options);
    },
  };
}

interface Ended {
  readonly run: Run;
  readonly started: number;
  readonly notices: RunNotices;
}

/** Writes the result, closes the session, and waits until everything is out. */
async function end(session: HeadlessLink, { run, started, notices }: Ended, options: HeadlessOptions): Promise<number> {
  const { streams, program, complain, output, teammate } = options;
  const isWorking = !isPlanning(session.handle.state.permissions) && run.stopped === null;
  const isRefused = isWorking && refusedWork(run).length > 0;
  const denied = isWorking && run.unasked.denials.length > 0 ? deniedText(run.unasked.denials, { isRefused }) : null;
  const result = { ...(await finish(session, run, { started, isRefused, program })), notices: notices.all };
  const { mode } = session.handle.state.permissions;
  const workingMode = mode.current === "plan" ? mode.returnTo : mode.current;
  const isScout = session.modelName === "scout";
  const written = { output, teammate, program, tell: complain, isScout, workingMode, error: run.error, denied };
  writeResult(result, written, streams.stdout);
  await session.close(endOf[result.status]);
  await new Promise<void>((resolve) => void streams.stdout.write("", () => resolve()));
  /** A reader that has gone away wanted no more. */
  const lost = run.outputError?.code === "EPIPE" ? null : run.outputError;
  if (lost === null) return run.isRefused ? 2 : exitCodes[result.status];
  complain(
    `the output cannot be written: ${lost.message}. The session is kept: ${program} --resume ${result.sessionId}`,
  );
  return 1;
}

/** A plan that is ready ends nothing. */
const endOf = {
  done: "done",
  failed: "failed",
  limit: "failed",
  interrupted: "stopped",
  plan_ready: undefined,
} as const;

async function once(composed: HeadlessLink, prompt: string | null, run: Run): Promise<void> {
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
  readonly program: string;
}

async function finish(
  { handle, model, sideModel, shell }: HeadlessLink,
  run: Run,
  { started, isRefused, program }: Ending,
) {
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
    rung: shell.knownRung(),
    said,
    program,
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
function missingPlan(session: Session): string | null {
  const { actor, permissions } = session;
  const mustPlan = actor.kind === "teammate" && actor.planRequired && isPlanning(permissions);
  if (!mustPlan || endsWithPlan(session)) return null;
  const last = session.plan.rejected === null ? "nothing was sent to the lead" : "the lead sent the last one back";
  return `The teammate ended without a plan: ${last}.`;
}

function statusOf(session: Session, { stopped, error, said }: Run, worked: RunStatus): RunStatus {
  if (stopped !== null) return stopped;
  if (error !== null) return "failed";
  return said === null && endsWithPlan(session) ? "plan_ready" : worked;
}
