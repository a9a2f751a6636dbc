/** What hooks ask of the page process: to show a plan and bring its answer, and to hear that it was answered elsewhere. */
import { projectRoot } from "../../agent/host/config-home.ts";
import type { PlanAnswer } from "../../clients/review/plan-answer.ts";
import { reviewPlaceOf } from "../../clients/review/review-place.ts";
import {
  ownSessionId,
  type AnsweredBody,
  type PresentBody,
  type PresentLine,
  type ReceivedBody,
} from "../../clients/review/wire.ts";
import { errorText } from "../../core/error-text.ts";
import { openBrowser } from "../../faces/browser/server/open.ts";
import { isUsageError } from "../../program/usage-error.ts";
import type { ForeignSession } from "./foreign-session.ts";
import { createShelf, type Shelf, type ShelfOptions, type ShelvedSession } from "./shelf.ts";
import { missedAnswer, undeliveredAnswers } from "./undelivered.ts";
import { createWaitingList, type WaitingList } from "./waiting-list.ts";
import { noteWaiting, waitingOf } from "./waiting-plans.ts";

export type OfficeOptions = ShelfOptions;

export type Office = ReturnType<typeof createOffice>;

export function createOffice(options: OfficeOptions) {
  const { home, prompts } = options;
  const shelf = createShelf(options);
  const list = createWaitingList({ ...options, shelf });
  let connected = 0;
  const over = (problem: string): PlanAnswer => ({
    kind: "over",
    why: prompts("clients-review/no-page", { problem }),
    link: null,
  });

  const present = async (body: PresentBody, hook: WaitingHook): Promise<PlanAnswer | null> => {
    const root = await projectRoot(body.directory);
    const place = await reviewPlaceOf({ ...body, home, root });
    if (typeof place !== "string") return over(place.problem);
    if (place === "off") return { kind: "sent-back", feedback: prompts("clients-review/off") };
    const shelved = shelf.sessionOf(body, root);
    if (body.step === "collect") return collected(shelved, { body, over, prompts });
    const shown = await shelved.inTurn(async () => {
      const session = await shelved.open(body);
      if (isUsageError(session)) return over(session.problem);
      const answer = await session.present(body);
      if (answer !== null) return answer;
      shelved.isAsked = place !== "terminal";
      if (place === "terminal") return { kind: "leave-to-client" } as const;
      await showPage(session, { home, body, hook });
      return session;
    });
    const answer = "kind" in shown ? shown : await whileWaiting(shelved, { body, list }, () => shown.wait(hook.signal));
    if (body.step === "ask" && answer !== null)
      await shelved.inTurn(async () => shelved.opened()?.hold(body.plan, answer));
    return answer;
  };
  return {
    /** Null where the hook left before there was an answer. */
    async present(body: PresentBody, hook: WaitingHook): Promise<PlanAnswer | null> {
      connected += 1;
      try {
        return await present(body, hook);
      } catch (error) {
        return over(errorText(error));
      } finally {
        connected -= 1;
      }
    },
    /** The hook has the answer to this text: it is given to nobody else. */
    received: (body: ReceivedBody): Promise<void> => acknowledge(body, shelf, home),
    /** Of what waits for that session, wherever it presented it; also where it was this program's run before. */
    async answered({ client, session, how }: AnsweredBody): Promise<void> {
      for (const { directory } of await waitingOf(home, client, session)) {
        const root = await projectRoot(directory);
        const shelved = shelf.sessionOf({ client, session }, root);
        await shelved.inTurn(async () => {
          const opened = await shelved.open({ client, session, directory, environment: {}, offer: plainOffer });
          if (!isUsageError(opened)) await opened.answered(how);
          await noteWaiting(home, { client, session, directory }, { root, waits: false });
        });
      }
    },
    /** `awaited`: a hook waits; `waiting`: a person is asked; `watched`: only pages look on; `idle`: nothing is open. */
    state(): "awaited" | "waiting" | "watched" | "idle" {
      if (connected > 0) return "awaited";
      if (list.listening() > 0) return "waiting";
      const all = shelf.all();
      if (all.some(({ opened, isAsked }) => isAsked && opened()?.isWaiting() === true)) return "waiting";
      const isWatched = list.hasWatchers() || all.some(({ opened }) => (opened()?.room.listening() ?? 0) > 0);
      return isWatched ? "watched" : "idle";
    },
    /** A link to the page of all plans that wait. */
    list: (): Promise<string> => list.link(),
    /** A page of them that was left open goes on. */
    goOn: (): Promise<void> => list.goOn(),
    async close(): Promise<void> {
      list.close();
      for (const { opened } of shelf.all()) await opened()?.close();
    },
  };
}

interface Collecting {
  readonly body: PresentBody;
  readonly over: (problem: string) => PlanAnswer;
  readonly prompts: OfficeOptions["prompts"];
}

function collected(shelved: ShelvedSession, { body, over, prompts }: Collecting): Promise<PlanAnswer> {
  return shelved.inTurn(async () => {
    const session = await shelved.open(body);
    if (isUsageError(session)) return over(session.problem);
    const kept = await session.collect(body.plan);
    return kept ?? { kind: "over", why: prompts("clients-review/not-asked"), link: null };
  });
}

/** The list of waiting plans tells meanwhile that somebody waits, and until when. */
async function whileWaiting<Value>(
  { hooks }: ShelvedSession,
  { body, list }: { readonly body: Pick<PresentBody, "until">; readonly list: Pick<WaitingList, "ring"> },
  wait: () => Promise<Value>,
): Promise<Value> {
  const waiting = { until: body.until ?? null };
  hooks.add(waiting);
  list.ring();
  try {
    return await wait();
  } finally {
    hooks.delete(waiting);
    list.ring();
  }
}

async function acknowledge({ client, session, directory, hash }: ReceivedBody, shelf: Shelf, home: string) {
  const root = await projectRoot(directory);
  const kept = undeliveredAnswers(home, ownSessionId(client, session, root), missedAnswer);
  await shelf.sessionOf({ client, session }, root).inTurn(() => kept.acknowledge(hash));
}

export interface WaitingHook {
  readonly say: (line: PresentLine) => void;
  /** Aborted when it is gone. */
  readonly signal: AbortSignal;
}

/** Where no page looks on, a browser is opened on it; the link is told in any case. */
async function showPage(
  { room }: ForeignSession,
  { home, body, hook }: { readonly home: string; readonly body: PresentBody; readonly hook: WaitingHook },
): Promise<void> {
  if (room.listening() > 0) return hook.say({ link: room.link(), opened: true });
  const url = room.link();
  const problem = await openBrowser({ url, home, environment: body.environment, project: body.directory });
  hook.say({ link: problem === null ? room.link() : url, opened: problem === null });
}

/** For a session that is only told of an answer. */
const plainOffer = { modes: [{ ours: "default", theirs: null }], editable: false, notes: false } as const;
