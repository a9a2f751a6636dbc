/** The lower part of the approval dialog while the person types: what for, the box, what is sent along, the keys. */
import { safeLine } from "../../view/safe-text.ts";
import type { Surface } from "../../overlays/surface.ts";
import { countOf } from "../../view/view-facts.ts";
import { commentKinds } from "../../../../core/verdict.ts";
import { isEdited, type ApprovalState, type Box } from "./state.ts";
import { choiceText } from "./verdict.ts";
import type { Size } from "../component.ts";
import { hints, type KeyHint } from "../frame.ts";
import { boxRows } from "../../keys/line-view.ts";

export interface BoxScreen extends Size {
  readonly surface: Surface;
}

export function boxFooter(state: ApprovalState & { readonly box: Box }, screen: BoxScreen): readonly string[] {
  const { columns, rows, surface } = screen;
  const { theme, keys } = surface;
  const { box } = state;
  const isTight = rows < 20;
  const text = box.purpose === "comment" ? box.text : state[box.purpose];
  const typing = boxRows(text, { width: columns - 1, rows: isTight ? 2 : 5, theme, hint: hintOf(box) });
  const along = isTight ? [] : alongRows(state, screen);
  const isComment = box.purpose === "comment";
  const send: KeyHint = [keys.label("confirm"), isComment ? "keep" : "send"];
  const more: readonly KeyHint[] = isComment ? [[keys.label("nextField"), "kind"]] : [];
  const newLine: KeyHint = [surface.platform === "darwin" ? "option+enter" : "alt+enter", "new line"];
  const help = hints([send, [keys.label("dismiss"), "back"], ...more, newLine], { width: columns, rows: 1, theme });
  return [titleOf(box, screen), ...along, ...typing.map((row) => ` ${row}`), ...help];
}

function titleOf(box: Box, { columns, surface: { theme } }: BoxScreen): string {
  if (box.purpose === "feedback") return theme.heading(" What should change?");
  if (box.purpose === "notes")
    return theme.heading(` Notes for: ${safeLine(choiceText(box.choice).label, columns - 14)}`);
  const lines = box.from === box.to ? `Line ${box.from}` : `Lines ${box.from}-${box.to}`;
  const kinds = commentKinds.map((kind) => (kind === box.kind ? theme.selected(`[${kind}]`) : theme.dim(` ${kind} `)));
  return `${theme.heading(` ${lines}`)} ${kinds.join("")}`;
}

function hintOf(box: Box): string {
  if (box.purpose === "comment")
    return box.kind === "question" ? "Ask without asking for a change" : "Say it in a few words";
  return box.purpose === "notes" ? "The model reads them with the approval" : "Enter alone just keeps planning";
}

/** What is sent besides the words in the box. */
function alongRows(
  state: ApprovalState & { readonly box: Box },
  { columns, surface: { theme } }: BoxScreen,
): readonly string[] {
  if (state.box.purpose === "comment") return [];
  const listed = state.comments.slice(0, 3).map(({ kind, from, text }) => ` ● ${kind}, line ${from}: ${text}`);
  const rest = state.comments.length > 3 ? [` … and ${countOf(state.comments.length - 3, "more comment")}`] : [];
  const settled =
    state.resolved.length > 0 && state.box.purpose === "feedback"
      ? [` ${countOf(state.resolved.length, "comment")} settled`]
      : [];
  const edit =
    isEdited(state) && state.box.purpose === "feedback"
      ? [" Your edit goes along as a difference; it is not written."]
      : [];
  return [...listed, ...rest, ...settled, ...edit].map((text) => theme.dim(safeLine(text, columns - 1)));
}
