/** Everything that can happen to the page, and what it then is. Pure. */
import type { Comment } from "../../../core/verdict.ts";
import type { ReviewState } from "../desks/wire.ts";
import { joinWords } from "./joining.ts";
import { edited, followNewest, restored, stateCame } from "./following.ts";
import type { QuotedPlace } from "./places.ts";
import { noWords, textOf } from "./state.ts";
import type { Composer, LinkState, PageState, View, UnsentWords } from "./state.ts";

export type PageHappening =
  /** `hash` is the page's own, of the text that came. */
  | { readonly type: "state-came"; readonly state: ReviewState; readonly hash: string }
  | { readonly type: "newest-wanted" }
  | { readonly type: "armed"; readonly hash: string; readonly requestId: string | null }
  | { readonly type: "link-changed"; readonly link: LinkState }
  | { readonly type: "words-restored"; readonly words: UnsentWords; readonly hash: string }
  /** Another tab of this browser said something of the same plan. */
  | { readonly type: "words-joined"; readonly words: UnsentWords }
  | { readonly type: "view-chosen"; readonly view: View }
  /** `id`: of a draft, or a new one. */
  | { readonly type: "composer-opened"; readonly place: QuotedPlace; readonly id: string; readonly suggests?: boolean }
  | ({ readonly type: "composer-changed" } & Partial<Pick<Composer, "text" | "kind" | "suggestion">>)
  | { readonly type: "composer-closed" }
  | { readonly type: "composer-kept" }
  | { readonly type: "removal-suggested"; readonly place: QuotedPlace; readonly id: string }
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
  /** `words` went along with the answer to this plan: none where it is saved or abandoned, which leaves them here. */
  | { readonly type: "sent"; readonly plan: string; readonly words: UnsentWords }
  | { readonly type: "failed"; readonly problem: string }
  | { readonly type: "problem-seen" };

export function update(state: PageState, event: PageHappening): PageState {
  switch (event.type) {
    case "state-came":
      return stateCame(state, event.state, event.hash);
    case "newest-wanted":
      return state.server === null ? state : followNewest(state, state.server);
    case "armed":
      return state.shown?.hash === event.hash && state.shown.requestId === event.requestId
        ? { ...state, shown: { ...state.shown, armed: true } }
        : state;
    case "link-changed":
      return { ...state, link: event.link };
    case "words-restored":
      return { ...state, words: restored(state, event.words, event.hash) };
    case "words-joined":
      return { ...state, words: event.words };
    case "view-chosen":
      return { ...state, view: event.view, open: null };
    case "composer-opened":
      return openComposer(state, event);
    case "composer-changed": {
      const { composer } = state.words;
      if (composer === null) return state;
      const { type: _, ...changes } = event;
      return withWords(state, { composer: { ...composer, ...changes } });
    }
    case "composer-closed":
      return withWords(state, { composer: null });
    case "composer-kept":
      return keepComposer(state);
    case "removal-suggested": {
      const composer = { ...event, kind: "change", text: "", suggestion: "" } as const;
      return keepComposer(withWords(state, { composer }));
    }
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
    case "sent":
      return sent(state, event);
    case "failed":
      return { ...state, sending: false, problem: event.problem };
    case "problem-seen":
      return { ...state, problem: null };
  }
}

/** What was typed since stays, and so does what is said of the plan that came meanwhile. */
function sent(state: PageState, { plan, words }: Extract<PageHappening, { type: "sent" }>): PageState {
  const done: PageState = { ...state, sending: false, problem: null };
  if (state.shown?.facts.plan.id !== plan) return done;
  return { ...done, words: joinWords(words, state.words, noWords), view: { kind: "read" } };
}

function openComposer(
  state: PageState,
  { place, id, suggests }: { readonly place: QuotedPlace; readonly id: string; readonly suggests?: boolean },
): PageState {
  const draft = state.words.drafts.find((each) => each.id === id);
  const source = suggests === true ? linesIn(textOf(state), place) : null;
  const kind = suggests === true ? "change" : (state.words.composer?.kind ?? "change");
  const fresh: Composer = { id, place, kind, text: "", suggestion: source };
  const again = draft === undefined ? null : { ...draft, place: draft, suggestion: draft.suggestion ?? source };
  const composer = again === null ? fresh : composerOf(again);
  return { ...withWords(state, { composer }), active: draft?.id ?? null };
}

function composerOf({ id, place, kind, text, suggestion }: Composer): Composer {
  const { from, to, quote } = place;
  return { id, place: { from, to, quote }, kind, text, suggestion };
}

/** A comment without words is none, unless it brings other ones for its lines. */
function keepComposer(state: PageState): PageState {
  const { composer, drafts } = state.words;
  if (composer === null) return state;
  const { id, kind, place } = composer;
  const isSuggestion = composer.suggestion !== null && composer.suggestion !== linesIn(textOf(state), place);
  const text = composer.text.trim();
  if (text === "" && !isSuggestion) return withWords(state, { composer: null });
  const { from, to, quote } = place;
  const suggestion = isSuggestion ? { suggestion: composer.suggestion } : {};
  const draft: Comment = { id, kind, from, to, quote, text, ...suggestion };
  const others = drafts.filter((each) => each.id !== id);
  return { ...withWords(state, { drafts: [...others, draft], composer: null }), active: id };
}

function linesIn(text: string, { from, to }: QuotedPlace): string {
  return text
    .split("\n")
    .slice(from - 1, to)
    .join("\n");
}

function withWords(state: PageState, words: Partial<UnsentWords>): PageState {
  return { ...state, words: { ...state.words, ...words } };
}
