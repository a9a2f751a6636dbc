/** Another agent's session as one of ours: its plans are revisions in our log and library, answered on a page of its own (B11.5, B11.6). */
import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { reviewsFolder } from "../../agent/answers/kept-answers.ts";
import { createFiles } from "../../agent/host/files/files.ts";
import { logPath } from "../../agent/library/session-logs.ts";
import type { Happening } from "../../agent/ports/handle.ts";
import type { PlanAnswer } from "../../clients/review/plan-answer.ts";
import type { PresentBody } from "../../clients/review/wire.ts";
import { isPlanning } from "../../core/mode.ts";
import { hashText } from "../../core/plan/hash.ts";
import type { ReviewRequest } from "../../core/plan/review.ts";
import { pendingReview } from "../../core/selectors.ts";
import type { Session } from "../../core/session.ts";
import type { Answerer } from "../../core/verdict.ts";
import { liveReview } from "../../faces/browser/desks/live.ts";
import { offeredDesk, type CarriedAnswers } from "../../faces/browser/desks/offered.ts";
import type { PageHouse } from "../../faces/browser/server/house.ts";
import { onePlan, type PageRoom } from "../../faces/browser/server/room.ts";
import { openSession, type OpenedSession } from "../../program/open-session.ts";
import { isUsageError, type UsageError } from "../../program/usage-error.ts";
import type { Prompts } from "../../prompts/index.ts";
import { createRelay, type Relay } from "./relay-model.ts";
import { createSettling, type Settling } from "./settling.ts";
import { whenShown } from "./presented-call.ts";
import { heldAnswer, missedAnswer, undeliveredAnswers, type UndeliveredAnswers } from "./undelivered.ts";

export interface ForeignOptions {
  /** The config home. */
  readonly home: string;
  /** Ours. */
  readonly id: string;
  /** The project's. */
  readonly root: string;
  /** As people call the agent. */
  readonly title: string;
  readonly body: Pick<PresentBody, "client" | "directory" | "environment" | "offer">;
  readonly house: PageHouse;
  readonly prompts: Prompts;
  readonly tell: (line: string) => void;
  /** Whether a plan waits, each time that this changes. */
  readonly onWaiting: (waits: boolean) => Promise<void>;
}

export interface ForeignSession {
  readonly room: PageRoom;
  /** A plan is before the person, or before the client's own dialog. */
  isWaiting(): boolean;
  /** Shows it; an answer where there is one already: kept, or given without anybody being asked. */
  present(body: Pick<PresentBody, "plan" | "offer">): Promise<PlanAnswer | null>;
  /** The answer to what is shown now; null when the signal is aborted before. */
  wait(signal: AbortSignal): Promise<PlanAnswer | null>;
  /** Keeps an approval for one `collect`: a client with our entries in two of its files asks twice, and collects twice. */
  hold(plan: string, answer: PlanAnswer): Promise<void>;
  /** What was kept for exactly this text since it was presented last, and only if the log has it. */
  collect(plan: string): Promise<PlanAnswer | null>;
  /** Answered in the client itself. */
  answered(how: "approved" | "rejected" | "over"): Promise<void>;
  close(): Promise<void>;
}

/** A log of that session is gone on with, also where a plan waits in it. */
export async function openForeign(options: ForeignOptions): Promise<ForeignSession | UsageError> {
  const { home, id, root, title, body, house, prompts, tell } = options;
  const files = createFiles();
  const user = userInfo().username;
  const live = liveReview({ files, user, say: () => Promise.resolve(false) });
  const undelivered = undeliveredAnswers(home, id, missedAnswer);
  const held = undeliveredAnswers(home, id, heldAnswer);
  const settling = createSettling({ ...options, undelivered });
  let opened: OpenedSession | null = null;
  const relay = createRelay({ files, planFile: () => opened?.handle.state.plan.file ?? null });
  const isKnown = existsSync(logPath(home, root, id));
  const start = await openSession({
    wish: {
      directory: body.directory,
      source: body.client,
      channel: "reviews",
      modeByModel: false,
      ...(isKnown ? { resume: id } : { sessionId: id, mode: "plan" }),
    },
    person: live.person,
    model: { model: relay.model, name: body.client },
    environment: { ...body.environment, GROUNDPLAN_HOME: home },
    startedIn: body.directory,
    prompts,
    tell,
    listen(happening: Happening) {
      live.listen(happening);
      settling.listen(happening);
    },
  });
  if (isUsageError(start)) return start;
  opened = start;
  const offered = { current: body.offer };
  const desk = offeredDesk(live.desk, () => carriedBy(offered.current, title));
  const room = await house.open(onePlan(desk), join(reviewsFolder(home, id), "server.json"));
  const parts: Parts = {
    ...options,
    opened: start,
    relay,
    settling,
    undelivered,
    held,
    offered,
    by: { user, surface: title },
  };
  const pending = (): ReviewRequest | null => pendingReview(start.handle.state);
  settling.begin(pending()?.plan ?? null);
  return {
    room,
    isWaiting: () => pending() !== null,
    present: (asked) => present(parts, asked),
    wait: (signal) => settling.wait(signal, () => pending() !== null),
    async hold(plan, answer) {
      if (answer.kind === "approved") await held.keepAgain({ hash: hashText(plan), at: Date.now(), answer });
    },
    async collect(plan) {
      const kept = await held.take(hashText(plan));
      return kept !== null && isRecorded(kept, start.handle.state) ? kept : null;
    },
    answered: (how) => answered(parts, how),
    async close() {
      const isOver = pending() === null && start.handle.state.plan.approved !== null;
      await settling.close();
      live.end(isOver ? "decided" : "ended");
      room.close();
      await start.close();
    },
  };
}

interface Parts extends ForeignOptions {
  readonly opened: OpenedSession;
  readonly relay: Relay;
  readonly settling: Settling;
  readonly undelivered: UndeliveredAnswers;
  readonly held: UndeliveredAnswers;
  readonly offered: { current: PresentBody["offer"] };
  /** Who answers in the client itself. */
  readonly by: Answerer;
}

/** The same text joins what is shown already; another one is the next revision. */
async function present(parts: Parts, { plan, offer }: Pick<PresentBody, "plan" | "offer">): Promise<PlanAnswer | null> {
  const { opened, relay, settling, undelivered, held, prompts, title, onWaiting } = parts;
  const { handle } = opened;
  await settling.done();
  await held.drop();
  parts.offered.current = offer;
  const kept = await undelivered.find(hashText(plan));
  if (kept !== null && isRecorded(kept, handle.state)) return kept;
  const open = pendingReview(handle.state);
  if (open !== null && (settling.presented() ?? open.plan) === plan) return null;
  if (open !== null) await handle.send({ type: "turn-cancelled" });
  await settling.done();
  if (!isPlanning(handle.state.permissions)) await handle.send({ type: "mode-chosen", mode: "plan" });
  settling.begin(plan);
  relay.give(plan);
  const shown = whenShown(handle);
  await handle.send({ type: "user-said", text: prompts("clients-review/presented", { agent: title }) });
  await shown;
  if (pendingReview(handle.state) === null) return settling.settled();
  await onWaiting(true);
  return null;
}

async function answered({ opened, offered, undelivered, settling, by }: Parts, how: "approved" | "rejected" | "over") {
  const { handle } = opened;
  const request = pendingReview(handle.state);
  if (how !== "over") await undelivered.drop();
  if (request === null) return;
  const verdict =
    how === "approved"
      ? ({ kind: "approve", hash: request.hash, mode: offered.current.modes[0]!.ours } as const)
      : ({ kind: "revise", feedback: "" } as const);
  const ended = settling.next();
  const refused =
    how === "over"
      ? await handle.send({ type: "turn-cancelled" })
      : await handle.send({ type: "review-decided", requestId: request.id, verdict, by, at: Date.now() });
  if (refused === null) await ended;
}

/** An approval that was kept counts only if the log has it. */
function isRecorded(answer: PlanAnswer, { plans }: Session): boolean {
  if (answer.kind !== "approved") return true;
  const hash = hashText(answer.plan);
  return plans.at(-1)?.decisions.some((decision) => decision.kind === "approve" && decision.hash === hash) === true;
}

function carriedBy({ modes, editable, notes }: PresentBody["offer"], title: string): CarriedAnswers {
  const ours = modes.map((mode) => mode.ours);
  return { title, modes: ours, setsMode: modes.some(({ theirs }) => theirs !== null), edit: editable, notes };
}
