/** The page of a session in this process: a person who answers beside the terminal, and the desk that the server asks (B2.6). */
import type { ReviewRequest } from "../../../core/plan/review.ts";
import { verdictOf, type Answerer } from "../../../core/verdict.ts";
import { freshSession, type Session } from "../../../core/session.ts";
import { pendingReview } from "../../../core/selectors.ts";
import { untilAborted } from "../../../agent/answers/ask-surface.ts";
import type { Happening, SendRefused } from "../../../agent/ports/handle.ts";
import { nobody } from "../../../agent/answers/persons.ts";
import type { PlanWords } from "../../../agent/answers/plan-words.ts";
import type { Files, Person, ReviewAnswer, Send } from "../../../agent/ports/ports.ts";
import { objectionTo, writeEdit } from "./answer-check.ts";
import { answeredFor, type AnsweredFrom, createBell, type Bell, type ReviewDesk, type Taken } from "./desk.ts";
import { lookAtFiles } from "./named-files.ts";
import { ofProject, pictureAt } from "./pictures.ts";
import { recordOf, reviewState } from "./review-state.ts";
import type { VerdictBody } from "./wire.ts";

export interface LiveOptions {
  readonly files: Files;
  readonly user: string;
  /** Gives words on a plan to the model while no request is open; false when they cannot be given. */
  readonly say: (words: PlanWords) => Promise<boolean>;
  readonly costUsd?: (session: Session) => number | null;
}

export interface LiveReview {
  readonly person: Person;
  readonly desk: ReviewDesk;
  /** Hears everything of the session, from its first event on; that of a linked one takes its place. */
  readonly listen: (happening: Happening) => void;
  /** `decided`: nothing follows. */
  end(reason?: "decided" | "ended"): void;
}

export function liveReview(options: LiveOptions): LiveReview {
  const bell = createBell();
  /** What waits for an answer here, oldest first. */
  const asked = new Map<string, Asked>();
  const heard = hearSession(asked);
  const person: Person = {
    ...nobody(),
    async review(request, signal, send) {
      if (send === undefined) return null;
      const one: Asked = { request, signal, send };
      asked.set(request.id, one);
      bell.ring();
      await untilAborted(signal);
      if (asked.get(request.id) === one) asked.delete(request.id);
      bell.ring();
      return null;
    },
  };
  return {
    person,
    desk: liveDesk(options, { bell, asked, heard }),
    listen: (happening) => void (heard.hear(happening) && bell.ring()),
    end: (reason = "ended") => bell.end(reason),
  };
}

type Heard = ReturnType<typeof hearSession>;

/**
 * How the session and its agents stand, and how the last request ended. What became of it is told by the session alone: closed by
 * somebody, or by nobody.
 */
function hearSession(asked: ReadonlyMap<string, Asked>) {
  const heard = {
    session: freshSession(),
    answered: null as AnsweredFrom | null,
    agents: new Map<string, Session>(),
    /** Whether the page may show something else now. */
    hear(happening: Happening): boolean {
      const isAgents = happening.kind === "agent";
      if (isAgents && happening.news.kind === "finished") heard.agents.delete(happening.id);
      const told = isAgents && happening.news.kind === "within" ? happening.news.happening : happening;
      if (told.kind !== "event") return false;
      const { session, effects } = told;
      if (isAgents) heard.agents.set(happening.id, session);
      else if (heard.session.links.from !== session.id) heard.session = session;
      for (const effect of effects) {
        if (effect.type !== "close-review") continue;
        const { requestId, by } = effect;
        const decision = recordOf(session, asked.get(requestId)?.request ?? null)?.decisions.at(-1);
        const kind = by === null ? "withdrawn" : (decision?.kind ?? "withdrawn");
        const mode = by === null || decision === undefined || decision.mode === "plan" ? null : decision.mode;
        heard.answered = { requestId, by, kind, mode, at: Date.now(), tab: null };
      }
      return true;
    },
  };
  return heard;
}

interface LiveDesk {
  readonly bell: Bell;
  readonly asked: ReadonlyMap<string, Asked>;
  readonly heard: Heard;
}

function liveDesk(options: LiveOptions, { bell, asked, heard }: LiveDesk): ReviewDesk {
  const { files, user, say, costUsd = () => null } = options;
  const look = lookAtFiles(files);
  const open = (): Asked | null => [...asked.values()].find(({ signal }) => !signal.aborted) ?? null;
  const sessionOf = (request: ReviewRequest | null): Session => heard.agents.get(request?.agent ?? "") ?? heard.session;
  /** With the choices that the session offers now. */
  const renewed = (request: ReviewRequest): ReviewRequest => {
    const now = pendingReview(sessionOf(request));
    return now?.id === request.id ? { ...request, choices: now.choices } : request;
  };
  const howItEnded = (requestId: string): Taken =>
    heard.answered?.requestId === requestId && heard.answered.by !== null ? "answered" : "stale";

  return {
    version: bell.version,
    subscribe: bell.subscribe,
    async state(tab) {
      const one = open();
      const request = one === null ? null : renewed(one.request);
      const session = sessionOf(request);
      const version = bell.version();
      const named = await look(recordOf(session, request)?.evidence ?? null, session.roots.project);
      const answered = answeredFor(heard.answered, tab);
      return reviewState({ version, session, request, files: named, live: true, answered, costUsd: costUsd(session) });
    },
    async decide(body, tab) {
      const { requestId } = body;
      const one = asked.get(requestId);
      if (one === undefined) return howItEnded(requestId);
      const objection = objectionTo(renewed(one.request), body);
      if (objection !== null) return objection;
      const by: Answerer = { user, surface: "browser" };
      const refused = await one.send({ verdict: verdictOf(body), by });
      if (refused === null) {
        heard.answered = answeredHere(heard.answered, { requestId, by, body, tab });
        bell.ring();
      }
      if (refused?.reason !== "already-answered") return refused === null ? null : (reasons[refused.reason] ?? "stale");
      await untilAborted(one.signal);
      return howItEnded(requestId);
    },
    picture: (path) => pictureAt(files, path, ofProject(sessionOf(open()?.request ?? null))),
    async comment(body) {
      if (open() !== null) return "stale";
      const record = recordOf(heard.session, null);
      if (record === null) return "closed";
      const { file } = record;
      const unwritten = await writeEdit(files, { file, hash: body.hash, text: body.plan, record });
      if (unwritten !== null) return unwritten;
      const { feedback = "", comments = [], resolved = [] } = body;
      return (await say({ file, feedback, comments, resolved })) ? null : "closed";
    },
  };
}

/** A teammate's session tells its own faces alone how its request ended. */
function answeredHere(
  told: AnsweredFrom | null,
  { requestId, by, body, tab }: Pick<AnsweredFrom, "requestId" | "by" | "tab"> & { readonly body: VerdictBody },
): AnsweredFrom {
  if (told?.requestId === requestId) return { ...told, tab };
  return { requestId, by, kind: body.kind, mode: body.mode ?? null, at: Date.now(), tab };
}

interface Asked {
  readonly request: ReviewRequest;
  /** Aborted when it is closed. */
  readonly signal: AbortSignal;
  readonly send: Send<ReviewAnswer>;
}

/** The session's reasons as the page knows them; stale for any other. */
const reasons: Partial<Record<SendRefused["reason"], Taken>> = {
  "not-planning": "not-planning",
  "mode-not-available": "mode-not-available",
  "empty-plan": "empty-plan",
  closed: "closed",
  halted: "write-failed",
};
