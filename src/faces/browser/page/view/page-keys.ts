/** The keyboard: everything on the page without a pointer. Letters act only outside of text boxes. */
import { newId } from "../connection.ts";
import { placeOf } from "../places.ts";
import { textOf } from "../state.ts";
import type { Store } from "../store.ts";
import { openSuggestion } from "../comments/comment-button.tsx";
import { selectedPlace } from "../comments/selection.ts";
import { changesView } from "./header.tsx";
import { goToLine, linesOfElement, placeAround } from "./jump.ts";

interface Shortcut {
  readonly does: string;
  /** By key; null where it acts in its own place. */
  readonly keys: Readonly<Record<string, ((store: Store) => void) | null>>;
}

export const shortcuts: readonly Shortcut[] = [
  { does: "next, previous block of the plan", keys: { j: () => step(1), k: () => step(-1) } },
  { does: "comment on the selected words or the focused block", keys: { c: comment } },
  { does: "suggest other words for the focused block", keys: { s: suggest } },
  { does: "next, previous change", keys: { "]": () => stepChange(1), "[": () => stepChange(-1) } },
  { does: "settle the comment, and go to the next", keys: { x: settle } },
  {
    does: "next, previous comment",
    keys: { n: (store) => stepComment(store, 1), p: (store) => stepComment(store, -1) },
  },
  { does: "read", keys: { r: ({ dispatch }) => dispatch({ type: "view-chosen", view: { kind: "read" } }) } },
  {
    does: "changes since you saw it last",
    keys: { d: ({ dispatch, current }) => dispatch({ type: "view-chosen", view: changesView(current().server!) }) },
  },
  { does: "edit", keys: { e: edit } },
  { does: "message: notes or feedback", keys: { m: () => document.getElementById("message")?.focus() } },
  { does: "all choices of the decision", keys: { a: ({ dispatch }) => dispatch({ type: "opened", what: "choices" }) } },
  { does: "show the newer revision", keys: { u: ({ dispatch }) => dispatch({ type: "newest-wanted" }) } },
  { does: "choose by number", keys: { "1": null, "2": null, "3": null } },
  { does: "keep the comment that you write; elsewhere: give the answer that stands out", keys: { "Ctrl+Enter": null } },
  { does: "close what is open, leave a text box", keys: { Escape: null } },
  { does: "these shortcuts", keys: { "?": ({ dispatch }) => dispatch({ type: "opened", what: "shortcuts" }) } },
];

const actions = new Map(shortcuts.flatMap(({ keys }) => Object.entries(keys)));

export function listenToKeys(store: Store): () => void {
  const press = (event: KeyboardEvent): void => {
    if (event.key === "Escape") return escape(store, event);
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return answer(store, event);
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    const act = actions.get(event.key) ?? digit(store, event.key);
    if (act === null || store.current().server === null) return;
    event.preventDefault();
    act(store);
  };
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}

/** The answer that stands out; in a text box only in the message's. A comment that is being written is kept first, and nothing answered. */
function answer({ current, dispatch }: Store, event: KeyboardEvent): void {
  const isMessage = (event.composedPath()[0] as HTMLElement).id === "message";
  if (isTyping(event) && !isMessage) return;
  event.preventDefault();
  if (current().words.composer !== null) return dispatch({ type: "composer-kept" });
  document.querySelector<HTMLElement>(".decision .primary:is(#answer, #send-back)")?.click();
}

/** Chooses, and answers nothing. */
function digit({ current, dispatch }: Store, key: string): (() => void) | null {
  const choice = /^[1-9]$/.test(key) ? Number(key) - 1 : -1;
  const isOffered = current().server?.request?.choices[choice] !== undefined;
  return isOffered ? () => dispatch({ type: "choice-made", choice }) : null;
}

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

function edit({ current, dispatch }: Store): void {
  if (current().server?.client?.edit !== false) dispatch({ type: "view-chosen", view: { kind: "edit" } });
}

function comment({ current, dispatch }: Store): void {
  const text = textOf(current());
  const here = placeAround(document.activeElement);
  const place = selectedPlace(text) ?? (here === null ? null : placeOf(text, linesOfElement(here)));
  if (place !== null) dispatch({ type: "composer-opened", place, id: newId() });
}

function suggest({ current, dispatch }: Store): void {
  const state = current();
  const here = placeAround(document.activeElement);
  if (here !== null) openSuggestion({ state, dispatch }, placeOf(textOf(state), linesOfElement(here)));
}

/** Neighbours are one change. */
function stepChange(by: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>("#plan :is(.change, tr.add, tr.del, [data-new])")];
  const starts = all.filter((each) => !all.includes(each.previousElementSibling as HTMLElement));
  const focused = document.activeElement?.closest<HTMLElement>(".change, tr, [data-new]") ?? null;
  const at = focused === null ? -1 : starts.findLastIndex((each) => !isBefore(focused, each));
  const next = starts[at < 0 ? (by === 1 ? 0 : starts.length - 1) : at + by];
  if (next === undefined) return;
  next.tabIndex = -1;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "center" });
}

function isBefore(one: HTMLElement, other: HTMLElement): boolean {
  return (one.compareDocumentPosition(other) & globalThis.Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

/** The one that is looked at, else the first that is open. */
function settle(store: Store): void {
  const { shown, active, words } = store.current();
  const open = (shown?.facts.comments ?? []).filter(({ id }) => !words.resolved.includes(id));
  const chosen = open.find(({ id }) => id === active) ?? open[0];
  if (chosen === undefined) return;
  stepComment(store, 1);
  store.dispatch({ type: "resolved", id: chosen.id, done: true });
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
