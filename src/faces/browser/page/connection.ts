/** The line to the program: the state on each change, words and verdicts the other way; comes back by itself. */
import type { Accepted, CommentsBody, PageEvent, Problem, Refused, ReviewState, VerdictBody } from "../desks/wire.ts";
import { mayDecide, noWords } from "./state.ts";
import type { Store } from "./store.ts";
import { answerText } from "./suggestions.ts";
import { commentsFor, verdictFor } from "./verdict.ts";

export interface PageConnection {
  /** Sends the choice at this place of the list; nothing while none would count. */
  decide(choice: number): Promise<void>;
  /** Sends what was said while nothing is asked. */
  say(): Promise<void>;
}

/** A suggestion that was still in its box is seen in the text before the text is approved (B19.3). */
function lookFirst(store: Store): void {
  store.dispatch({ type: "failed", problem: "Your open suggestion was added. Look at it, then approve." });
}

function changesText(act: () => void, store: Store): boolean {
  const before = answerText(store.current());
  act();
  return answerText(store.current()) !== before;
}

/** A comment that is still in its box goes along. */
function keepComment({ current, dispatch }: Store): void {
  if (current().words.composer !== null) dispatch({ type: "composer-kept" });
}

/** Of two the newer counts; it is looked at again, since what stood in its way may be gone. */
async function takeNewer({ current, dispatch }: Store, state: ReviewState): Promise<void> {
  const hash = await hashOf(state.text);
  const { server } = current();
  if (server === null || state.version >= server.version) dispatch({ type: "state-came", state, hash });
  else dispatch({ type: "state-came", state: server, hash: server.hash });
}

export function connect(store: Store): PageConnection {
  const tab = crypto.randomUUID();
  const timer = { retry: 0, asking: 0, waits: 500 };
  let events: EventSource | null = null;

  const take = (state: ReviewState): Promise<void> => takeNewer(store, state);

  const isLive = (): void => {
    timer.waits = 500;
    store.dispatch({ type: "link-changed", link: "live" });
  };

  const fetchState = async (): Promise<void> => {
    const response = await fetch("api/state", { headers: { "x-groundplan-tab": tab } });
    if (!response.ok) store.dispatch({ type: "failed", problem: await problemOf(response) });
    if (!response.ok) throw new Error("no state");
    await take((await response.json()) as ReviewState);
    isLive();
  };

  const listen = (): void => {
    events?.close();
    events = new EventSource(`api/events?tab=${tab}`);
    events.addEventListener("changed", ({ data }: MessageEvent<string>) => {
      if (asker.hear((JSON.parse(data) as Changed["data"]).version)) isLive();
    });
    events.addEventListener("gone", ({ data }: MessageEvent<string>) => {
      const { reason } = JSON.parse(data) as Gone["data"];
      store.dispatch({ type: "link-changed", link: reason === "decided" ? "gone" : "ended" });
      lose();
    });
    events.addEventListener("error", () => lose());
  };

  /** The program may be started again at the same place: it is asked again and again, ever more slowly. */
  const lose = (): void => {
    events?.close();
    events = null;
    const { link } = store.current();
    const isOver = link === "gone" || link === "ended";
    if (!isOver) store.dispatch({ type: "link-changed", link: "lost" });
    clearTimeout(timer.retry);
    timer.retry = window.setTimeout(listen, isOver ? slowest : timer.waits);
    timer.waits = Math.min(timer.waits * 1.6, slowest);
  };

  const asker = stateAsker(store, () => fetchState().catch(lose));
  const send = sender({ store, tab, take, lose });

  const finishComment = (): void => keepComment(store);

  /** Browsers open few connections to one host: a tab that nobody sees gives its own back, and asks from time to time. */
  const look = (): void => {
    clearInterval(timer.asking);
    if (!document.hidden) return listen();
    events?.close();
    events = null;
    clearTimeout(timer.retry);
    timer.asking = window.setInterval(() => void fetchState().catch(() => undefined), hiddenMs);
  };

  look();
  asker.ask();
  document.addEventListener("visibilitychange", look);
  return {
    async decide(place) {
      const isChanged = changesText(finishComment, store);
      const state = store.current();
      const choice = state.server?.request?.choices[place];
      if (isChanged && choice?.kind.startsWith("approve") === true) return lookFirst(store);
      if (choice !== undefined && mayDecide(state)) await send("api/verdict", verdictFor(state, choice));
    },
    async say() {
      finishComment();
      await send("api/comments", commentsFor(store.current()));
    },
  };
}

/** One question at a time, and none for what is known: a long plan is not sent twice. */
function stateAsker(store: Store, fetchState: () => Promise<void>) {
  let isAsking = false;
  /** The newest that was told of. */
  let wanted = 0;
  const known = (): number => store.current().server?.version ?? 0;
  const askAll = async (): Promise<void> => {
    isAsking = true;
    for (let before = -1; known() > before && (before < 0 || known() < wanted);) {
      before = known();
      await fetchState();
    }
    isAsking = false;
  };
  return {
    ask: (): void => void (isAsking || askAll()),
    /** True where this version is here already. */
    hear(version: number): boolean {
      wanted = version;
      if (known() >= version) return true;
      if (!isAsking) void askAll();
      return false;
    },
  };
}

interface SenderParts {
  readonly store: Store;
  readonly tab: string;
  readonly take: (state: ReviewState) => Promise<void>;
  readonly lose: () => void;
}

/** Sends words or a verdict, one at a time; the answer carries the state that follows. */
function sender({ store, tab, take, lose }: SenderParts) {
  return async (path: string, body: VerdictBody | CommentsBody | null): Promise<void> => {
    const { shown, words, sending } = store.current();
    if (body === null || sending || shown === null) return;
    store.dispatch({ type: "sending" });
    const goesAlong = !("kind" in body) || body.kind === "approve" || body.kind === "revise";
    const sent = { type: "sent", plan: shown.facts.plan.id, words: goesAlong ? words : noWords } as const;
    try {
      const signal = AbortSignal.timeout(longestMs);
      const headers = { "content-type": "application/json", "x-groundplan-tab": tab };
      const response = await fetch(path, { method: "POST", headers, signal, body: JSON.stringify(body) });
      if (!response.ok && response.status !== 409) {
        store.dispatch({ type: "failed", problem: await problemOf(response) });
        return;
      }
      const answer = (await response.json()) as Accepted | Refused;
      store.dispatch(answer.accepted ? sent : { type: "failed", problem: refusals[answer.reason] });
      await take(answer.state);
    } catch {
      store.dispatch({ type: "failed", problem: "The program could not be reached. What you wrote is kept here." });
      lose();
    }
  };
}

type Changed = Extract<PageEvent, { event: "changed" }>;
type Gone = Extract<PageEvent, { event: "gone" }>;

/** The server answers within 20 seconds; a program that was stopped never does. */
const longestMs = 30_000;
const slowest = 5000;
const hiddenMs = 4000;

export function newId(): string {
  return crypto.randomUUID().slice(0, 8);
}

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function problemOf(response: Response): Promise<string> {
  if (response.status === 401)
    return "This page is no longer known to the program: please open the link from the terminal again.";
  const problem = (await response.json().catch(() => null)) as Problem | null;
  return problem?.message ?? `The program answered with an error (${response.status}).`;
}

const refusals: Record<Refused["reason"], string> = {
  stale: "The plan has changed since it was shown. Nothing was approved: please look at the new text.",
  answered: "Somebody else has answered already.",
  "not-planning": "The session is no longer in plan mode. Nothing was approved.",
  "mode-not-available": "That mode cannot be had in this session. Nothing was approved.",
  "empty-plan": "An empty plan cannot be approved.",
  "write-failed": "Your edit could not be written to the plan file. Nothing was approved.",
  "not-carried":
    "The agent that waits cannot be told this with a yes. Nothing was approved: send it back, or take out edit, notes and comments.",
  closed: "The session has ended. Nothing was approved.",
};
