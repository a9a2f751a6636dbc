/** The desk of a session that is not in this process: read from its log, answered by what is kept for it (B2.1, B2.6). */
import type { PlanDecision } from "../../../core/plan/ledger.ts";
import type { ReviewRequest } from "../../../core/plan/review.ts";
import { verdictOf, type Answerer } from "../../../core/verdict.ts";
import { hashText } from "../../../core/plan/hash.ts";
import type { Session } from "../../../core/session.ts";
import type { AnswerStore } from "../../../agent/answers/kept-answers.ts";
import type { Files } from "../../../agent/ports/ports.ts";
import { answeredFor, type AnsweredFrom } from "./answered.ts";
import { decidedBy, type Decided } from "./decided.ts";
import { createBell, type Taken } from "./desk.ts";
import { followLog, textIn } from "./follow-log.ts";
import type { WaitingDesk } from "./loose-file.ts";
import { lookAtFiles } from "./named-files.ts";
import { recordOf, requestOf, reviewState } from "./review-state.ts";
import { pledge } from "./pledge.ts";
import { objectionTo } from "./verdict-check.ts";
import { writeEdit } from "./write-edit.ts";
import type { CommentsBody, VerdictBody } from "./wire.ts";

export interface OtherProcessOptions {
  /** Of the session. */
  readonly log: string;
  readonly planId: string;
  readonly planFile: string;
  readonly files: Files;
  readonly store: AnswerStore;
  readonly user: string;
  readonly now?: () => number;
}

export async function otherProcessDesk(
  options: OtherProcessOptions,
): Promise<WaitingDesk | { readonly problem: string }> {
  const { log, planId, planFile, files, store, user, now = Date.now } = options;
  const bell = createBell(now);
  const look = lookAtFiles(files);
  const follower = followLog(log);
  const loaded = await follower.read();
  if (loaded === null) return { problem: `The session's log ${log} cannot be read.` };
  let session: Session = loaded;
  let onDisk = await textIn(files, planFile);
  let live = await follower.isLive();
  let answered: AnsweredFrom | null = null;
  /** Kept by another page meanwhile. One that lay there before this page was opened may be replaced. */
  let elsewhere: AnsweredFrom | null = null;
  const earlier = new Set((await store.list()).map(({ name, at }) => `${name} ${at}`));
  let busy: Promise<unknown> = Promise.resolve();
  const { promise: decided, keep: done } = pledge<Decided>();

  const refresh = async (): Promise<void> => {
    const [read, text, held] = await Promise.all([follower.read(), textIn(files, planFile), follower.isLive()]);
    const before = openRequest();
    const decisions = decisionsOn(session, before);
    const isNew = (read !== null && read !== session) || text !== onDisk || held !== live;
    if (read !== null) session = read;
    onDisk = text;
    live = held;
    const after = requestOf(session);
    if (before !== null && before.id !== after?.id && answered?.requestId !== before.id) {
      const isDecided = decisionsOn(session, before).length > decisions.length;
      answered = howAnswered(before, isDecided ? decisionsOn(session, before).at(-1) : undefined, now());
    }
    const known = elsewhere;
    elsewhere = await keptElsewhere(after);
    if (isNew || known?.requestId !== elsewhere?.requestId) bell.ring();
  };
  const keptElsewhere = async (request: ReviewRequest | null): Promise<AnsweredFrom | null> => {
    if (request === null || request.id === answered?.requestId) return null;
    const kept = (await store.list()).find(({ requestId }) => requestId === request.id);
    if (kept === undefined || earlier.has(`${kept.name} ${kept.at}`)) return null;
    const { by, at, verdict } = kept;
    const mode = verdict.kind === "approve" ? (verdict.mode ?? null) : null;
    return { requestId: request.id, by, kind: verdict.kind, mode, at, tab: null };
  };
  const timer = setInterval(() => void alone(refresh).catch(() => undefined), pollMs).unref();
  /** One after the other: an answer never sees half of a change. */
  const alone = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = busy.then(work);
    busy = result.catch(() => undefined);
    return result;
  };

  /** Null where nothing can be decided: none waits, it was answered here, or the file is no longer what was submitted. */
  const openRequest = (): ReviewRequest | null => {
    const request = requestOf(session);
    if (request === null || request.planFile !== planFile) return null;
    if (request.id === answered?.requestId || request.id === elsewhere?.requestId) return null;
    return onDisk !== null && hashText(onDisk) === request.hash ? request : null;
  };

  const decide = async (body: VerdictBody, tab: string | null): Promise<Taken> => {
    await refresh();
    const request = openRequest();
    const ended = [answered, elsewhere].find((one) => one?.requestId === body.requestId);
    if (request === null) return (ended?.by ?? null) === null ? "stale" : "answered";
    const objection = objectionTo(request, body);
    if (objection !== null) return objection;
    const by: Answerer = { user, surface: "browser" };
    const at = now();
    const answer = { requestId: request.id, file: planFile, hash: request.hash, verdict: verdictOf(body), by, at };
    await makeRoom(request);
    const name = await store.keep(answer).catch(() => "");
    if (name === null) return "answered";
    if (name === "") return "write-failed";
    const taken = live ? await delivered(request, { kind: body.kind, at }) : "kept";
    if (taken !== "kept" && taken !== "delivered") return taken;
    answered = { requestId: request.id, by, kind: body.kind, mode: body.mode ?? null, at, tab };
    bell.ring();
    const isDelivered = taken === "delivered";
    if (!isDelivered || body.kind !== "revise") {
      done(decidedBy(body, { file: planFile, session: session.id, delivered: isDelivered }));
    }
    return null;
  };

  const makeRoom = async ({ id }: ReviewRequest): Promise<void> => {
    for (const { name, at, requestId } of await store.list()) {
      if (requestId === id && earlier.has(`${name} ${at}`)) await store.drop(name);
    }
  };

  /** The running session takes it within moments; where it does not, it stays kept. */
  const delivered = async (
    request: ReviewRequest,
    given: Given,
  ): Promise<"delivered" | "kept" | NonNullable<Taken>> => {
    for (let waited = 0; waited < patienceMs; waited += stepMs) {
      await new Promise((resolve) => setTimeout(resolve, stepMs));
      const read = await follower.read();
      if (read !== null) session = read;
      if (requestOf(session)?.id === request.id) continue;
      const open = session.turn.open.some(({ state }) => "request" in state && state.request.id === request.id);
      if (open) continue;
      const last = recordOf(session, request)?.decisions.at(-1);
      if (last === undefined || last.at < given.at) return "stale";
      return last.by.surface === "browser" && last.kind === given.kind ? "delivered" : "answered";
    }
    return "kept";
  };

  const comment = async (body: CommentsBody): Promise<Taken> => {
    await refresh();
    if (openRequest() !== null) return "stale";
    const { feedback = "", comments = [], resolved = [], hash } = body;
    const text = body.plan === onDisk ? undefined : body.plan;
    const record = recordOf(session, null, planId);
    const unwritten = await writeEdit(files, { file: planFile, hash, text, record });
    if (unwritten !== null) return unwritten;
    const verdict = { kind: "revise", feedback, comments, resolved } as const;
    const by: Answerer = { user, surface: "browser" };
    const name = await store.keep({ requestId: null, file: planFile, hash, verdict, by, at: now() }).catch(() => null);
    if (name === null) return "write-failed";
    bell.ring();
    if (!live) done(decidedBy(body, { file: planFile, session: session.id, delivered: false }));
    return null;
  };

  return {
    decided,
    version: bell.version,
    subscribe: bell.subscribe,
    async state(tab) {
      await alone(refresh);
      const request = openRequest();
      const version = bell.version();
      const named = await look(recordOf(session, request, planId)?.evidence ?? null, session.roots.project);
      return reviewState({
        version,
        session,
        request,
        planId,
        text: request === null ? textOf() : request.plan,
        previous: request === null && answered === null ? submittedText() : null,
        files: named,
        live,
        answered: answeredFor(elsewhere ?? answered, tab),
        costUsd: null,
      });
    },
    decide: (body, tab) => alone(() => decide(body, tab)),
    comment: (body) => alone(() => comment(body)),
    close() {
      clearInterval(timer);
      bell.end(answered === null ? "ended" : "decided");
    },
  };

  /** Where the file is no longer what waits for an answer. */
  function submittedText(): string | null {
    const request = requestOf(session);
    return request?.planFile === planFile ? request.plan : null;
  }

  /** An approved plan's bytes are the approved ones, whatever its file holds. */
  function textOf(): string | null {
    const record = recordOf(session, null, planId);
    const approval = record?.decisions.findLast(({ kind }) => kind === "approve");
    const approved = record?.revisions.find(({ hash }) => hash === approval?.hash)?.text;
    return approved ?? onDisk;
  }
}

interface Given {
  readonly kind: VerdictBody["kind"];
  readonly at: number;
}

const pollMs = 500;
const stepMs = 50;
const patienceMs = 5000;

function decisionsOn(session: Session, request: ReviewRequest | null): readonly PlanDecision[] {
  return request === null ? [] : (recordOf(session, request)?.decisions ?? []);
}

/** Without a decision it was withdrawn. */
function howAnswered({ id }: ReviewRequest, decision: PlanDecision | undefined, now: number): AnsweredFrom {
  if (decision === undefined) return { requestId: id, by: null, kind: "withdrawn", mode: null, at: now, tab: null };
  const { by, kind, mode, at } = decision;
  return { requestId: id, by, kind, mode: mode === "plan" ? null : mode, at, tab: null };
}
