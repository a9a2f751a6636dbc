/** The desk of a session that is not in this process: read from its log, answered by what is kept for it (B2.1, B2.6). */
import { oneAtATime } from "../../../agent/host/one-at-a-time.ts";
import { verdictOf, type Answerer } from "../../../core/verdict.ts";
import type { Session } from "../../../core/session.ts";
import { objectionTo, writeEdit } from "./answer-check.ts";
import { decidedBy, type Decided } from "./decided.ts";
import { answeredFor, createBell, type Taken, type WaitingDesk } from "./desk.ts";
import { lookAtFiles } from "./named-files.ts";
import { openOther, type OtherProcessOptions, type OtherSession } from "./other-session.ts";
import { ofProject, pictureAt } from "./pictures.ts";
import { recordOf, requestOf, reviewState } from "./review-state.ts";
import type { CommentsBody, VerdictBody } from "./wire.ts";

export async function otherProcessDesk(
  options: OtherProcessOptions,
): Promise<WaitingDesk | { readonly problem: string }> {
  const { planId, planFile, files, store, user } = options;
  const bell = createBell();
  const look = lookAtFiles(files);
  const other = await openOther(options, bell);
  if (other === null) return { problem: `The session's log ${options.log} cannot be read.` };
  let done: ((decided: Decided) => void) | null = null;
  const decided = new Promise<Decided>((resolve) => (done = resolve));
  /** An answer never sees half of a change. */
  const alone = oneAtATime();
  const timer = setInterval(() => void alone(other.refresh).catch(() => undefined), pollMs).unref();

  const decide = async (body: VerdictBody, tab: string | null): Promise<Taken> => {
    await other.refresh();
    const request = other.openRequest();
    if (request === null) return (other.endOf(body.requestId)?.by ?? null) === null ? "stale" : "answered";
    const objection = objectionTo(request, body);
    if (objection !== null) return objection;
    const by: Answerer = { user, surface: "browser" };
    const at = Date.now();
    const answer = { requestId: request.id, file: planFile, hash: request.hash, verdict: verdictOf(body), by, at };
    await other.makeRoom(request);
    const name = await store.keep(answer).catch(() => "");
    if (name === null) return "answered";
    if (name === "") return "write-failed";
    const taken = other.live ? await other.delivered(request, { kind: body.kind, at }) : "kept";
    if (taken !== "kept" && taken !== "delivered") return taken;
    other.answered = { requestId: request.id, by, kind: body.kind, mode: body.mode ?? null, at, tab };
    bell.ring();
    const delivered = taken === "delivered";
    if (!delivered || body.kind !== "revise")
      done?.(decidedBy(body, { file: planFile, session: other.session.id, delivered }));
    return null;
  };

  const comment = async (body: CommentsBody): Promise<Taken> => {
    await other.refresh();
    if (other.openRequest() !== null) return "stale";
    const { feedback = "", comments = [], resolved = [], hash } = body;
    const text = body.plan === other.onDisk ? undefined : body.plan;
    const record = recordOf(other.session, null, planId);
    const unwritten = await writeEdit(files, { file: planFile, hash, text, record });
    if (unwritten !== null) return unwritten;
    const verdict = { kind: "revise", feedback, comments, resolved } as const;
    const by: Answerer = { user, surface: "browser" };
    const name = await store
      .keep({ requestId: null, file: planFile, hash, verdict, by, at: Date.now() })
      .catch(() => null);
    if (name === null) return "write-failed";
    bell.ring();
    if (!other.live) done?.(decidedBy(body, { file: planFile, session: other.session.id, delivered: false }));
    return null;
  };

  return {
    decided,
    version: bell.version,
    subscribe: bell.subscribe,
    async state(tab) {
      await alone(other.refresh);
      const request = other.openRequest();
      const version = bell.version();
      const { session, live, answered, elsewhere } = other;
      const named = await look(recordOf(session, request, planId)?.evidence ?? null, session.roots.project);
      const text = request === null ? textOf(other, planId) : request.plan;
      const previous = request === null && answered === null ? submittedText(session, planFile) : null;
      const facts = { version, session, request, planId, text, previous, files: named, live, costUsd: null };
      return reviewState({ ...facts, answered: answeredFor(elsewhere ?? answered, tab) });
    },
    picture: (path) => pictureAt(files, path, ofProject(other.session)),
    decide: (body, tab) => alone(() => decide(body, tab)),
    comment: (body) => alone(() => comment(body)),
    close() {
      clearInterval(timer);
      bell.end(other.answered === null ? "ended" : "decided");
    },
  };
}

/** Where the file is no longer what waits for an answer. */
function submittedText(session: Session, planFile: string): string | null {
  const request = requestOf(session);
  return request?.planFile === planFile ? request.plan : null;
}

/** An approved plan's bytes are the approved ones, whatever its file holds. */
function textOf({ session, onDisk }: OtherSession, planId: string): string | null {
  const record = recordOf(session, null, planId);
  const approval = record?.decisions.findLast(({ kind }) => kind === "approve");
  const approved = record?.revisions.find(({ hash }) => hash === approval?.hash)?.text;
  return approved ?? onDisk;
}

const pollMs = 500;
