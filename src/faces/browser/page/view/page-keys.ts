/** The keyboard: everything on the page without a pointer. Letters act only outside of text boxes. */
import { placeOf } from "../places.ts";
import { textOf } from "../state.ts";
import type { Store } from "../store.ts";
import { selectedPlace } from "../comments/selection.ts";
import { changesView } from "./header.tsx";
import { goToLine, linesOfElement, placeAround } from "./jump.ts";

export const shortcuts: readonly { readonly keys: string; readonly does: string }[] = [
  { keys: "j  k", does: "next, previous block of the plan" },
  { keys: "c", does: "comment on the selected words or the focused block" },
  { keys: "n  p", does: "next, previous comment" },
  { keys: "r", does: "read" },
  { keys: "d", does: "changes since you saw it last" },
  { keys: "e", does: "edit" },
  { keys: "m", does: "message: notes or feedback" },
  { keys: "a", does: "all choices of the decision" },
  { keys: "u", does: "show the newer revision" },
  { keys: "Ctrl+Enter", does: "keep the comment that you write; Escape does, too" },
  { keys: "Escape", does: "close what is open, leave a text box" },
  { keys: "?", does: "these shortcuts" },
];

export function listenToKeys(store: Store): () => void {
  const press = (event: KeyboardEvent): void => {
    if (event.key === "Escape") return escape(store, event);
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    const act = actions[event.key];
    if (act === undefined || store.current().server === null) return;
    event.preventDefault();
    act(store);
  };
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}

const actions: Readonly<Record<string, (store: Store) => void>> = {
  j: () => step(1),
  k: () => step(-1),
  c: comment,
  n: (store) => stepComment(store, 1),
  p: (store) => stepComment(store, -1),
  r: ({ dispatch }) => dispatch({ type: "view-chosen", view: { kind: "read" } }),
  d: ({ dispatch, current }) => dispatch({ type: "view-chosen", view: changesView(current().server!) }),
  e: ({ dispatch }) => dispatch({ type: "view-chosen", view: { kind: "edit" } }),
  m: () => document.getElementById("message")?.focus(),
  a: ({ dispatch }) => dispatch({ type: "opened", what: "choices" }),
  u: ({ dispatch }) => dispatch({ type: "newest-wanted" }),
  "?": ({ dispatch }) => dispatch({ type: "opened", what: "shortcuts" }),
};

function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("input:not([type=radio], [type=checkbox]), textarea, select");
}

function escape({ current, dispatch }: Store, event: KeyboardEvent): void {
  if (current().open !== null) dispatch({ type: "opened", what: null });
  else if (isTyping(event)) (event.composedPath()[0] as HTMLElement).blur();
  else dispatch({ type: "comment-chosen", id: null });
}

/** From block to block; code counts as one. */
function step(by: 1 | -1): void {
  const blocks = [
    ...document.querySelectorAll<HTMLElement>(
      "#plan :is(.plan, .source-diff) :is([data-from]:not(.line), .line:first-child)",
    ),
  ];
  const here = placeAround(document.activeElement);
  const start = here?.classList.contains("line") === true ? (here.parentElement?.firstElementChild ?? null) : here;
  const at = start === null ? -1 : blocks.indexOf(start as HTMLElement);
  const next = at < 0 ? firstInView(blocks) : blocks[at + by];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "nearest" });
}

function firstInView(blocks: readonly HTMLElement[]): HTMLElement | undefined {
  return blocks.find((block) => block.getBoundingClientRect().top >= 60) ?? blocks[0];
}

function comment({ current, dispatch }: Store): void {
  const text = textOf(current());
  const here = placeAround(document.activeElement);
  const place = selectedPlace(text) ?? (here === null ? null : placeOf(text, linesOfElement(here)));
  if (place !== null) dispatch({ type: "composer-opened", place });
}

function stepComment({ current, dispatch }: Store, by: 1 | -1): void {
  const cards = [...document.querySelectorAll<HTMLElement>(".margin li[data-card]")];
  const at = cards.findIndex(({ dataset }) => dataset["card"] === current().active);
  const next = cards[at < 0 ? (by === 1 ? 0 : cards.length - 1) : (at + by + cards.length) % cards.length];
  if (next === undefined) return;
  dispatch({ type: "comment-chosen", id: next.dataset["card"] ?? null });
  if (next.dataset["line"] !== undefined) goToLine(Number(next.dataset["line"]));
  else next.scrollIntoView({ block: "nearest" });
}
