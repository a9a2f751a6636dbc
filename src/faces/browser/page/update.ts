/** Everything that can happen to the page, and what it then is. Pure. */
import type { Comment } from "../../../core/verdict.ts";
import type { ReviewState } from "../desks/wire.ts";
import { followText, type QuotedPlace } from "./places.ts";
import { hasWords, isOutdated, noWords } from "./state.ts";
import type { Composer, LinkState, PageState, ShownPlan, View, UnsentWords } from "./state.ts";

export type PageHappening =
  /** `hash` is the page's own, of the text that came. */
  | { readonly type: "state-came"; readonly state: ReviewState; readonly hash: string }
  | { readonly type: "newest-wanted" }
  | { readonly type: "armed"; readonly hash: string; readonly requestId: string | null }
  | { readonly type: "link-changed"; readonly link: LinkState }
  | { readonly type: "words-restored"; readonly words: UnsentWords; readonly hash: string }
  | { readonly type: "view-chosen"; readonly view: View }
  | { readonly type: "composer-opened"; readonly place: QuotedPlace; readonly id?: string }
  | { readonly type: "composer-changed"; readonly text?: string; readonly kind?: Comment["kind"] }
  | { readonly type: "composer-closed" }
  | { readonly type: "composer-kept"; readonly id: string }
  | { readonly type: "draft-removed"; readonly id: string }
  | { readonly type: "reply-changed"; readonly id: string; readonly text: string }
  | { readonly type: "resolved"; readonly id: string; readonly done: boolean }
  | { readonly type: "comment-chosen"; readonly id: string | null }
  | { readonly type: "message-changed"; readonly text: string }
  | { readonly type: "shelf-cleared" }
  | { readonly type: "edited"; readonly text: string | null }
  | { readonly type: "choice-made"; readonly choice: number }
  | { readonly type: "opened"; readonly what: PageState["open"] }
  | { readonly type: "sending" }
  /** `said`: the words went along; a plan that is saved or abandoned leaves them here. */
  | { readonly type: "sent"; readonly said: boolean }
  | { readonly type: "failed"; readonly problem: string }
  | { readonly type: "problem-seen" };

export function update(state: PageState, event: PageHappening): PageState {
  switch (event.type) {
    case "state-came":
      return stateCame(state, event.state, event.hash);
    case "newest-wanted":
      return state.server === null ? state : follow(state, state.server);
    case "armed":
      return state.shown?.hash === event.hash && state.shown.requestId === event.requestId
        ? { ...state, shown: { ...state.shown, armed: true } }
        : state;
    case "link-changed":
      return { ...state, link: event.link };
    case "words-restored":
      return { ...state, words: restored(state, event.words, event.hash) };
    case "view-chosen":
      return { ...state, view: event.view, open: null };
    case "composer-opened":
      return openComposer(state, event);
    case "composer-changed": {
      const { composer } = state.words;
      if (composer === null) return state;
      const changed = { ...composer, text: event.text ?? composer.text, kind: event.kind ?? composer.kind };
      return withWords(state, { composer: changed });
    }
    case "composer-closed":
      return withWords(state, { composer: null });
    case "composer-kept":
      return keepComposer(state, event.id);
    case "draft-removed":
      return withWords(state, { drafts: state.words.drafts.filter(({ id }) => id !== event.id) });
    case "reply-changed": {
      const { [event.id]: _, ...others } = state.words.replies;
      return withWords(state, { replies: event.text === "" ? others : { ...others, [event.id]: event.text } });
    }
    case "resolved": {
      const others = state.words.resolved.filter((id) => id !== event.id);
      return withWords(state, { resolved: event.done ? [...others, event.id] : others });
    }
    case "comment-chosen":
      return { ...state, active: event.id };
    case "message-changed":
      return withWords(state, { message: event.text });
    case "shelf-cleared":
      return withWords(state, { shelved: null });
    case "edited":
      return withWords(state, edited(state, event.text));
    case "choice-made":
      return { ...state, choice: event.choice };
    case "opened":
      return { ...state, open: event.what };
    case "sending":
      return { ...state, sending: true, problem: null, open: null };
    case "sent": {
      const words = event.said ? noWords : state.words;
      return { ...state, sending: false, problem: null, words, view: { kind: "read" } };
    }
    case "failed":
      return { ...state, sending: false, problem: event.problem };
    case "problem-seen":
      return { ...state, problem: null };
  }
}

/** A newer text is followed by itself, unless the person is still at work on the one that is shown. */
function stateCame(state: PageState, server: ReviewState, hash: string): PageState {
  if (hash !== server.hash) {
    return {
      ...state,
      server: null,
      problem: "The plan's text does not have the hash that the server named. Nothing can be approved here.",
    };
  }
  const came = { ...state, server };
  if (state.shown === null) return follow(came, server);
  const isBusy = state.words.composer !== null || hasWords(state.words) || state.view.kind === "edit";
  if (!isOutdated(came)) {
    const isFirstAsked = server.request !== null && !state.shown.asked && !isBusy;
    const view = isFirstAsked && isChanged(server) ? difference : state.view;
    return { ...came, shown: shownOf(state.shown, server), view };
  }
  const isAnswered = state.server?.request?.id !== state.shown.requestId || state.server?.request === null;
  return isAnswered && !isBusy ? follow(came, server) : came;
}

const difference = { kind: "compare", from: "previous", to: "now", style: "rendered" } as const;

function isChanged({ previous, text }: ReviewState): boolean {
  return previous !== null && previous !== text;
}

/** A question that has just come cannot be answered by what was meant for the page before it, though the text was there (B2.4). */
function shownOf(before: ShownPlan | null, server: ReviewState): ShownPlan {
  const { text, hash, request, revisions } = server;
  const known = revisions.findLast((revision) => revision.hash === hash)?.number ?? null;
  const isSame = before?.hash === hash;
  const requestId = request?.id ?? null;
  return {
    text,
    hash,
    requestId,
    revision: request?.revision ?? known,
    asked: request !== null || (isSame && before.asked),
    armed: isSame && before.armed && before.requestId === requestId,
  };
}

/** Shows the newest text: drafts follow their words, an edit of the older text is compared before it is lost. */
function follow(state: PageState, server: ReviewState): PageState {
  const drafts = followText(state.words.drafts, server.text);
  const composer = followed(state.words.composer, server.text);
  const isNews = state.shown !== null && state.shown.hash !== server.hash;
  return {
    ...state,
    server,
    shown: shownOf(state.shown, server),
    words: isNews
      ? { ...state.words, drafts, edit: null, shelved: state.words.edit ?? state.words.shelved, composer }
      : state.words,
    choice: 0,
    view: isNews && server.previous !== null ? difference : { kind: "read" },
  };
}

/** Words on an older text follow it to this one; an edit of that text is put aside. */
function restored({ shown }: PageState, words: UnsentWords, hash: string): UnsentWords {
  if (shown === null || shown.hash === hash) return words;
  const drafts = followText(words.drafts, shown.text);
  const shelved = words.edit ?? words.shelved;
  return { ...words, drafts, edit: null, shelved, composer: followed(words.composer, shown.text) };
}

function followed(composer: Composer | null, text: string): Composer | null {
  if (composer === null) return null;
  const { kind, text: words, place } = composer;
  const [{ from, to, quote } = place] = followText([{ id: "", kind, text: words, ...place }], text);
  return { ...composer, place: { from, to, quote } };
}

function openComposer(
  state: PageState,
  { place, id }: { readonly place: QuotedPlace; readonly id?: string },
): PageState {
  const draft = state.words.drafts.find((each) => each.id === id);
  const fresh = { place, kind: state.words.composer?.kind ?? "change", text: "", draft: null } as const;
  const composer = draft === undefined ? fresh : { place: draft, kind: draft.kind, text: draft.text, draft: draft.id };
  return { ...withWords(state, { composer }), active: draft?.id ?? null, view: { kind: "read" } };
}

function keepComposer(state: PageState, id: string): PageState {
  const { composer, drafts } = state.words;
  if (composer === null || composer.text.trim() === "") return withWords(state, { composer: null });
  const { from, to, quote } = composer.place;
  const draft = { id: composer.draft ?? id, kind: composer.kind, from, to, quote, text: composer.text.trim() };
  const others = drafts.filter((each) => each.id !== draft.id);
  return { ...withWords(state, { drafts: [...others, draft], composer: null }), active: draft.id };
}

/** Drafts stay with the words they are about while these are edited. */
function edited(state: PageState, text: string | null): Partial<UnsentWords> {
  const edit = text === null || text === state.shown?.text ? null : text;
  const base = edit ?? state.shown?.text ?? "";
  const drafts = followText(state.words.drafts, base);
  return { edit, drafts };
}

function withWords(state: PageState, words: Partial<UnsentWords>): PageState {
  return { ...state, words: { ...state.words, ...words } };
}
