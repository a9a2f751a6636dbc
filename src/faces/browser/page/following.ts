/** How the page follows the server: to the next text of a plan, or to another plan; what was typed stays with what it is about. */
import type { ReviewState } from "../desks/wire.ts";
import { followText } from "./places.ts";
import { hasWords, isOtherPlan, isOutdated, noWords, textOf } from "./state.ts";
import type { Composer, PageState, ShownPlan, UnsentWords } from "./state.ts";

/** A newer text is followed by itself, unless the person is still at work on the one that is shown. */
export function stateCame(state: PageState, server: ReviewState, hash: string): PageState {
  if (hash !== server.hash) {
    return {
      ...state,
      server: null,
      problem: "The plan's text does not have the hash that the server named. Nothing can be approved here.",
    };
  }
  if (state.shown !== null && isNoPlan(server)) return nothingMore(state, state.shown, server);
  const came = withoutSent({ ...state, server });
  if (state.shown === null) return followNewest(came, server);
  const isBusy = came.words.composer !== null || hasWords(came.words) || state.view.kind === "edit";
  if (!isOutdated(came)) {
    const isFirstAsked = server.request !== null && !state.shown.asked && !isBusy;
    const view = isFirstAsked && isChanged(server) ? difference : state.view;
    return { ...came, shown: shownOf(state.shown, server), view };
  }
  return isOver(came, state.shown, state.server) && !isBusy ? followNewest(came, server) : came;
}

/** Nobody can answer what is shown: it was answered, or is another plan's. */
function isOver(came: PageState, shown: ShownPlan, before: ReviewState | null): boolean {
  if (isOtherPlan(came) || before?.request?.id !== shown.requestId || before?.request === null) return true;
  const answered = came.server?.answered ?? null;
  return answered !== null && answered.requestId === shown.requestId && answered.by !== null;
}

/** A session without a plan of its own, whose teammates' plans are decided. */
function isNoPlan({ plan, text, request }: ReviewState): boolean {
  return plan.id === "" && text === "" && request === null;
}

/** The plan that was decided stays before the eyes. */
function nothingMore(state: PageState, shown: ShownPlan, { version, answered }: ReviewState): PageState {
  const server: ReviewState = { ...shown.facts, version, answered, request: null };
  return { ...state, server, shown: { ...shown, facts: server, requestId: null, armed: false } };
}

/** What the session has heard, from this tab or another, is no draft any more. */
function withoutSent(state: PageState): PageState {
  const { server, words } = state;
  if (server === null || isOtherPlan(state)) return state;
  const heard = new Set(server.comments.map(({ id }) => id));
  if (!words.drafts.some(({ id }) => heard.has(id))) return state;
  return { ...state, words: { ...words, drafts: words.drafts.filter(({ id }) => !heard.has(id)) } };
}

const difference = { kind: "compare", from: "previous", to: "now", style: "rendered" } as const;

function isChanged({ previous, text }: ReviewState): boolean {
  return previous !== null && previous !== text;
}

/** A question that has just come cannot be answered by what was meant for the page before it, though the text was there (B2.4). */
function shownOf(before: ShownPlan | null, server: ReviewState): ShownPlan {
  const { text, hash, request, revisions } = server;
  const known = revisions.findLast((revision) => revision.hash === hash)?.number ?? null;
  const isSame = before?.hash === hash && before.facts.plan.id === server.plan.id;
  const requestId = request?.id ?? null;
  return {
    facts: server,
    text,
    hash,
    requestId,
    revision: request?.revision ?? known,
    asked: request !== null || (isSame && before.asked),
    armed: isSame && before.armed && before.requestId === requestId,
  };
}

/** Shows the newest text: drafts follow their lines, an edit of the older text is put aside. Words for another plan stay with that. */
export function followNewest(state: PageState, server: ReviewState): PageState {
  const isNews = isOutdated({ ...state, server });
  const isOther = isOtherPlan({ ...state, server });
  const moved = isNews ? followedWords(state.words, server.text, textOf(state)) : state.words;
  return {
    ...state,
    server,
    shown: shownOf(state.shown, server),
    words: isOther ? noWords : moved,
    active: isOther ? null : state.active,
    choice: 0,
    view: isNews && isChanged(server) ? difference : { kind: "read" },
  };
}

/** Words on an older text follow it to this one. */
export function restored({ shown }: PageState, words: UnsentWords, hash: string): UnsentWords {
  if (shown === null || shown.hash === hash) return words;
  const before = shown.facts.revisions.find((revision) => revision.hash === hash)?.text ?? null;
  return followedWords(words, shown.text, words.edit ?? before);
}

function followedWords(words: UnsentWords, text: string, before: string | null): UnsentWords {
  const drafts = followText(words.drafts, text, before);
  const shelved = words.edit ?? words.shelved;
  return { ...words, drafts, edit: null, shelved, composer: followed(words.composer, text, before) };
}

function followed(composer: Composer | null, text: string, before: string | null): Composer | null {
  if (composer === null) return null;
  const { id, kind, text: words, place } = composer;
  const [{ from, to, quote } = place] = followText([{ id, kind, text: words, ...place }], text, before);
  return { ...composer, place: { from, to, quote } };
}

/** Drafts stay with the lines they are about while these are edited; an edit that is given up is put aside. */
export function edited(state: PageState, text: string | null): Partial<UnsentWords> {
  const { words, shown } = state;
  const edit = text === null || text === shown?.text ? null : text;
  const drafts = followText(words.drafts, edit ?? shown?.text ?? "", textOf(state));
  return { edit, drafts, shelved: text === null ? words.edit : words.shelved };
}
