/** The headless face: a session without dialogs; text, one JSON object or a stream of events out, and lines in where it is driven. */
import { userInfo } from "node:os";
import { settled, type Happening } from "../../agent/ports/handle.ts";
import { answerDesk } from "../../agent/answers/persons.ts";
import type { Person } from "../../agent/ports/ports.ts";
import { isPlanning } from "../../core/mode.ts";
import type { Session } from "../../core/session.ts";
import { visibleJson } from "../../core/wire/visible.ts";
import { carryOut, type Say } from "../../agent/loop/line-command.ts";
import { commandLinePerson, sayOnce } from "./command-line-person.ts";
import { elsewhere } from "./headless-command.ts";
import type { HeadlessLink, HeadlessOptions, SaidAtStart } from "./link.ts";
import { callShower } from "../../agent/tools/show.ts";
import { newRun, note, noteDenials, noteNotice, noticeIn, type Run } from "./run-notes.ts";
import { endsWithPlan, exitCodes, runResult, type RunStatus } from "./run-result.ts";
import { newsLine, progressLine } from "./told-lines.ts";
import { writeResult } from "./write-result.ts";

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
  const emit = (value: object): void => void streams.stdout.write(`${visibleJson(value)}\n`);
  const run = newRun();
  const single = commandLinePerson(options.said);
  /** Whoever drives answers under its own name, where it gave one. */
  const by = { user: userInfo().username, surface: options.channel ?? "stream-json" };
  const driver = isDriven ? answerDesk(by) : null;
  streams.stdout.on("error", (error) => {
    run.outputError ??= error;
    run.stop("interrupted");
  });
  streams.stderr.on("error", () => undefined);
  let show = callShower([], "");
  const tell = (text: string): void => {
    const notice = { key: "program", text };
    noteNotice(run, notice, complain);
    if (output !== "stream-json") return;
    emit({ type: "notification", ...notice, priority: "normal", tone: "warning", seconds: 10 });
  };
  return {
    person: driver ?? single,
    tell,
    interrupt: () => run.stop("interrupted"),
    listen(happening) {
      note(happening, run);
      const progress = options.tellsProgress ? progressLine(happening, show) : null;
      for (const line of [progress, newsLine(happening)]) if (line !== null) complain(line);
      for (const event of eventsOf(happening)) {
        if (output === "stream-json") emit(event);
        const notice = noticeIn(event);
        if (notice !== null) noteNotice(run, notice, complain);
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
      else if (driver === null) await once(session, { run, said: options.said, tell });
      else {
        const { prompt } = options.said;
        const lines = { composed: session, desk: driver, input: streams.stdin, prompt, complain, emit };
        const { drive } = await import("./drive.ts");
        await drive({ ...lines, signal: run.signal });
      }
      tellUnheard(session.handle.state, tell);
      return end(session, run, options);
    },
  };
}

/** What was said and waits behind a plan that nobody answered. */
function tellUnheard({ turn }: Session, tell: (line: string) => void): void {
  for (const words of turn.queued) tell(`not heard by the model yet, kept for when the session goes on: ${words}`);
  if (turn.compaction?.why === "asked") tell("/compact was not carried out yet, it is when the session goes on");
}

/** Writes the result, closes the session, and waits until everything is out. */
async function end(session: HeadlessLink, run: Run, options: HeadlessOptions): Promise<number> {
  const { streams, program, complain } = options;
  await session.undo.idle();
  const { state } = session.handle;
  const { denials, hasDeniedEdit, hasEdited } = run.work;
  run.error ??= missingPlan(state);
  const isWorking = !isPlanning(state.permissions) && run.stopped === null;
  /** Nothing of what the work needed was let through: the run did not do what it was asked for. */
  const isRefused = isWorking && hasDeniedEdit && !hasEdited;
  const denied = isWorking && denials.length > 0 ? deniedText(denials, { isRefused }) : null;
  const status = statusOf(state, run, isRefused ? "failed" : "done");
  const result = await runResult(session, run, { status, program });
  writeResult(result, { ...options, session, error: run.error, denied });
  await session.close(endOf[status]);
  await new Promise<void>((resolve) => void streams.stdout.write("", () => resolve()));
  /** A reader that has gone away wanted no more. */
  const lost = run.outputError?.code === "EPIPE" ? null : run.outputError;
  if (lost === null) return run.isRefused ? 2 : exitCodes[status];
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

interface Once {
  readonly run: Run;
  readonly said: SaidAtStart;
  readonly tell: (line: string) => void;
}

async function once(composed: HeadlessLink, { run, said: { prompt, approve }, tell }: Once): Promise<void> {
  const isSaid = prompt !== null && prompt.trim() !== "";
  const say: Say =
    approve === null ? sayOnce(composed, tell) : (text) => composed.handle.send({ type: "user-said", text });
  const carried = isSaid ? await carryOut(prompt, { session: composed, elsewhere }, say) : null;
  const unsaid = isSaid && carried === null ? await say(prompt) : null;
  if (unsaid !== null) run.error ??= `The session did not take the words (${unsaid.reason}).`;
  await settled(composed);
  if (carried === null) return;
  if (carried.refusal !== null) {
    run.error = carried.refusal;
    run.isRefused = true;
  } else if (!carried.isTask) run.said = carried.said();
}

/** Nobody takes a run for done in which nothing could be done. */
function deniedText(denials: Run["denials"], { isRefused }: { readonly isRefused: boolean }): string {
  const lines = denials.slice(0, 20).map(({ tool, reason }) => `  ${tool}: ${reason.split("\n")[0]!}`);
  const more = denials.length > lines.length ? [`  and ${denials.length - lines.length} more`] : [];
  const unasked = denials.filter(({ code }) => code === "nobody").length;
  const why = unasked === denials.length ? "Denied, as nobody could be asked:" : "Denied:";
  if (!isRefused) return [why, ...lines, ...more].join("\n");
  const how = "Edits are made with --permission-mode acceptEdits, or by allow rules in the settings.";
  const hint = unasked === 0 ? [] : [how];
  return ["Every edit was denied; nothing was changed:", ...lines, ...more, ...hint].join("\n");
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
