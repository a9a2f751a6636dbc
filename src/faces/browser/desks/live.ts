/** The page of a session in this process: a person who answers beside the terminal, and the desk that the server asks (B2.6). */
import type { Effect } from "../../../core/effect.ts";
import type { ReviewRequest } from "../../../core/plan/review.ts";
import { verdictOf, type Answerer } from "../../../core/verdict.ts";
import { freshSession, type Session } from "../../../core/session.ts";
import type { Happening } from "../../../agent/loop/handle.ts";
import { nobody } from "../../../agent/answers/persons.ts";
import type { PlanWords } from "../../../agent/answers/plan-words.ts";
import type { Files, Person } from "../../../agent/ports/ports.ts";
import { answeredFor, type AnsweredFrom } from "./answered.ts";
import { askedOf, type Asked } from "./asked.ts";
import { createBell, type ReviewDesk } from "./desk.ts";
import { lookAtFiles } from "./named-files.ts";
import { recordOf, reviewState } from "./state.ts";
import { objectionTo } from "./verdict.ts";
import { writeEdit } from "./write-edit.ts";

export interface LiveOptions {
  readonly files: Files;
  readonly user: string;
  readonly now?: () => number;
  /** Gives words on a plan to the model while no request is open; false when they cannot be given. */
  readonly say: (words: PlanWords) => Promise<boolean>;
  readonly costUsd?: (session: Session) => number | null;
}

export interface LiveReview {
  readonly person: Person;
  readonly desk: ReviewDesk;
  /** Hears everything of the session, from its first event on; that of a linked one takes its place. */
  readonly listen: (happening: Happening) => void;
  end(): void;
}

export function liveReview(options: LiveOptions): LiveReview {
  const { files, user, say, costUsd = () => null, now = Date.now } = options;
  const bell = createBell(now);
  const look = lookAtFiles(files);
  const asked = new Map<string, Asked>();
  const agents = new Map<string, Session>();
  let session: Session = freshSession();
  let answered: AnsweredFrom | null = null;

  const listen = (happening: Happening): void => {
    if (happening.kind === "halted") {
      for (const { close } of asked.values()) close("write-failed");
      return;
    }
    if (happening.kind === "agent") {
      const { news, id } = happening;
      if (news.kind === "finished") agents.delete(id);
      if (news.kind !== "within" || news.happening.kind !== "event") return;
      agents.set(id, news.happening.session);
      follow(news.happening);
    }
    if (happening.kind !== "event") return;
    if (session.links.from !== happening.session.id) session = happening.session;
    follow(happening);
  };

  /** What became of a request is told by the session alone: closed by somebody, or by nobody. */
  const follow = (happening: Extract<Happening, { kind: "event" }>): void => {
    for (const effect of happening.effects) {
      if (effect.type === "close-review") closed(effect, happening.session);
      if (effect.type === "refuse" && happening.event.type === "review-decided") {
        const { requestId, by } = happening.event;
        const one = asked.get(requestId);
        if (one?.given()?.by === by) one.close("stale");
      }
    }
    bell.ring();
  };

  const closed = ({ requestId, by }: Extract<Effect, { type: "close-review" }>, after: Session): void => {
    const one = asked.get(requestId);
    const given = one?.given() ?? null;
    const isOurs = by !== null && given?.by === by;
    const decision = recordOf(after, one?.request ?? null)?.decisions.at(-1);
    const kind = by === null ? "withdrawn" : (decision?.kind ?? "withdrawn");
    const mode = by === null || decision === undefined || decision.mode === "plan" ? null : decision.mode;
    answered = { requestId, by, kind, mode, at: now(), tab: isOurs ? given.tab : null };
    one?.close(isOurs ? null : by === null ? "stale" : "answered");
    asked.delete(requestId);
  };

  const person: Person = {
    ...nobody(),
    review: (request, signal) =>
      new Promise((resolve) => {
        const one = askedOf(request, resolve);
        asked.set(request.id, one);
        if (signal.aborted) one.leave();
        signal.addEventListener("abort", () => one.leave(), { once: true });
        bell.ring();
      }),
  };

  const open = (): Asked | null => [...asked.values()].findLast(({ isOpen }) => isOpen()) ?? null;
  const sessionOf = (request: ReviewRequest | null): Session =>
    [...agents.values()].find(({ id }) => request?.id.startsWith(`${id}-review-`)) ?? session;

  const desk: ReviewDesk = {
    version: bell.version,
    subscribe: bell.subscribe,
    async state(tab) {
      const request = open()?.request ?? null;
      const shown = sessionOf(request);
      const version = bell.version();
      const named = await look(recordOf(shown, request)?.evidence ?? null, shown.roots.project);
      return reviewState({
        version,
        session: shown,
        request,
        files: named,
        live: true,
        answered: answeredFor(answered, tab),
        costUsd: costUsd(shown),
      });
    },
    async decide(body, tab) {
      const one = asked.get(body.requestId);
      if (one === undefined) {
        return answered?.requestId === body.requestId && answered.by !== null ? "answered" : "stale";
      }
      if (!one.isOpen()) return (await one.outcome) ?? "answered";
      const objection = objectionTo(one.request, body);
      if (objection !== null) return objection;
      const by: Answerer = { user, surface: "browser" };
      one.answer({ verdict: verdictOf(body), by }, tab);
      return one.outcome;
    },
    async comment(body) {
      if (open() !== null) return "stale";
      const record = recordOf(session, null);
      if (record === null) return "closed";
      const { file } = record;
      const unwritten = await writeEdit(files, { file, hash: body.hash, text: body.plan, record });
      if (unwritten !== null) return unwritten;
      const { feedback = "", comments = [], resolved = [] } = body;
      return (await say({ file, feedback, comments, resolved })) ? null : "closed";
    },
  };

  return {
    person,
    desk,
    listen,
    end() {
      for (const { close } of asked.values()) close("closed");
      bell.end("ended");
    },
  };
}
