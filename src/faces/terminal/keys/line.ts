/** The line that is being written, as a value: text, cursor, what was sent before, undo, what was cut; keys are a pure function of it. */
import { boxOf, emptyBox, inserted, typed, type TextBox } from "./text-box.ts";
import { accepted, moved, type Completion } from "./completion.ts";
import { readKey, type Key } from "./key-input.ts";
import type { Keys } from "./keys.ts";
import { rowsOfText, stepped } from "./line-rows.ts";
import { markAround, pasted, whole } from "./pastes.ts";

export interface WrittenLine {
  readonly box: TextBox;
  /** What the marks of large pastes stand for. */
  readonly pastes: readonly string[];
  /** What was sent before, newest first. */
  readonly history: readonly string[];
  /** Which of these is shown; null while none is. */
  readonly recalled: number | null;
  readonly undo: readonly TextBox[];
  /** What was cut, newest first. */
  readonly cut: readonly string[];
  readonly last: "typed" | "cut" | "put-back" | null;
  readonly completion: Completion | null;
  /** When words that were not sent were taken away; null before. */
  readonly clearedAt: number | null;
}

export const emptyLine: WrittenLine = {
  box: emptyBox,
  pastes: [],
  history: [],
  recalled: null,
  undo: [],
  cut: [],
  last: null,
  completion: null,
  clearedAt: null,
};

export interface LineFacts {
  readonly keys: Keys;
  /** Of the text. */
  readonly width: number;
  /** A page. */
  readonly rows: number;
  readonly now: number;
}

export interface LineStep {
  readonly line: WrittenLine;
  /** What was sent by this key. */
  readonly sent: string | null;
}

export function linePressed(line: WrittenLine, data: string, facts: LineFacts): LineStep {
  const key = readKey(data);
  if (key.event === "release") return { line, sent: null };
  const step = completed(line, key, facts) ?? pressed(line, { data, key }, facts);
  const isCleared = line.box.text !== "" && step.line.box.text === "" && step.sent === null;
  return isCleared ? { ...step, line: { ...step.line, clearedAt: facts.now } } : step;
}

/** The words with all that was pasted. */
export function lineText({ box, pastes }: WrittenLine): string {
  return whole(box.text, pastes);
}

export function withText(line: WrittenLine, text: string, now: number): WrittenLine {
  const box = boxOf(text.replace(/\r\n?/g, "\n").replaceAll("\t", "    "));
  const isCleared = line.box.text !== "" && box.text === "";
  return { ...changed(line, box, null), completion: null, clearedAt: isCleared ? now : line.clearedAt };
}

export function withInserted(line: WrittenLine, text: string): WrittenLine {
  return { ...changed(line, inserted(line.box, text), null), completion: null };
}

export function remembered(line: WrittenLine, text: string): WrittenLine {
  const said = text.trim();
  if (said === "" || line.history[0] === said) return line;
  return { ...line, history: [said, ...line.history].slice(0, mostRemembered) };
}

const mostRemembered = 100;
const mostUndo = 200;

/** Undone as one: a word as it was typed, anything else by itself. */
function changed(line: WrittenLine, box: TextBox, last: WrittenLine["last"]): WrittenLine {
  const isSameWord = last === "typed" && line.last === "typed" && !/\s$/.test(box.text.slice(0, box.at));
  const undo = isSameWord || box.text === line.box.text ? line.undo : [line.box, ...line.undo].slice(0, mostUndo);
  return { ...line, box, undo, last, recalled: null };
}

/** Null where the key is not for the list that is shown. */
function completed(line: WrittenLine, key: Key, facts: LineFacts): LineStep | null {
  const { completion, box } = line;
  if (completion === null) return null;
  if (key.name === "escape") return kept({ ...line, completion: null });
  if (key.name === "up" || key.name === "down")
    return kept({ ...line, completion: moved(completion, key.name === "up" ? -1 : 1) });
  const isConfirmed = facts.keys.matches(key, "submit");
  if (key.name !== "tab" && !isConfirmed) return null;
  const taken = { ...changed(line, accepted(completion, box), null), completion: null };
  return isConfirmed && completion.prefix.startsWith("/") ? sent(taken) : kept(taken);
}

function pressed(
  line: WrittenLine,
  { data, key }: { readonly data: string; readonly key: Key },
  facts: LineFacts,
): LineStep {
  if (key.event === "paste") return kept(withPaste(line, key.text ?? ""));
  if (data !== "\n" && facts.keys.matches(key, "submit")) return entered(line);
  if (newlines.has(key.name)) return kept(withInserted(line, "\n"));
  if (key.name === "up" || key.name === "down") return kept(upOrDown(line, key.name === "up" ? -1 : 1, facts.width));
  if (key.name === "pageup" || key.name === "pagedown") return kept(paged(line, key.name === "pageup" ? -1 : 1, facts));
  if (key.name === "ctrl+-") return kept(undone(line));
  if (key.name === "ctrl+y" || key.name === "alt+y") return kept(putBack(line, key.name === "alt+y"));
  return kept(edited(line, key));
}

const newlines = new Set(["enter", "shift+enter", "alt+enter", "ctrl+j"]);
const cuts = new Set(["ctrl+k", "ctrl+u", "ctrl+w", "alt+backspace", "alt+d", "alt+delete"]);

function kept(line: WrittenLine): LineStep {
  return { line, sent: null };
}

/** A backslash at the end is how a new line is written where no key is told apart from Enter. */
function entered(line: WrittenLine): LineStep {
  const { text, at } = line.box;
  if (text[at - 1] !== "\\") return sent(line);
  const box = { text: `${text.slice(0, at - 1)}\n${text.slice(at)}`, at };
  return kept({ ...changed(line, box, null), completion: null });
}

function sent(line: WrittenLine): LineStep {
  const { history, cut, clearedAt } = line;
  return { line: { ...emptyLine, history, cut, clearedAt }, sent: lineText(line).trim() };
}

function withPaste(line: WrittenLine, text: string): WrittenLine {
  const { mark, pastes } = pasted(text, line);
  return { ...withInserted(line, mark), pastes };
}

function edited(line: WrittenLine, key: Key): WrittenLine {
  const mark = key.text === null ? markAround(line.box, key.name) : null;
  const box = mark ?? typed(line.box, key);
  if (box === null) return line;
  if (box.text === line.box.text) return { ...line, box, last: null };
  if (!cuts.has(key.name)) return changed(line, box, key.text === null ? null : "typed");
  const before = line.box;
  const from = Math.min(before.at, box.at);
  const piece = before.text.slice(from, from + before.text.length - box.text.length);
  const isForward = before.at === box.at;
  const [newest = "", ...older] = line.cut;
  const cut = line.last !== "cut" ? [piece, ...line.cut] : [isForward ? newest + piece : piece + newest, ...older];
  return { ...changed(line, box, "cut"), cut: cut.slice(0, mostRemembered) };
}

function undone(line: WrittenLine): WrittenLine {
  const [box, ...undo] = line.undo;
  return box === undefined ? line : { ...line, box, undo, last: null, recalled: null, completion: null };
}

/** What was cut last; again, one older in its place. */
function putBack(line: WrittenLine, isOlder: boolean): WrittenLine {
  const [newest, ...older] = line.cut;
  if (newest === undefined || (isOlder && line.last !== "put-back")) return line;
  if (!isOlder) return { ...withInserted(line, newest), last: "put-back" };
  const before = undone(line);
  const cut = [...older, newest];
  return { ...withInserted({ ...before, cut }, cut[0]!), last: "put-back" };
}

function upOrDown(line: WrittenLine, by: -1 | 1, width: number): WrittenLine {
  const { box, recalled } = line;
  const rows = rowsOfText(box, width);
  const isAtEdge = by < 0 ? rows.row === 0 : rows.row === rows.rows.length - 1;
  if (isAtEdge && (recalled !== null || (by < 0 && box.text === ""))) return recall(line, by);
  return { ...line, box: stepped(box, by, width), last: null };
}

function recall(line: WrittenLine, by: -1 | 1): WrittenLine {
  const place = (line.recalled ?? -1) - by;
  if (place >= line.history.length) return line;
  const box = place < 0 ? emptyBox : boxOf(line.history[place]!);
  return { ...changed(line, box, null), recalled: place < 0 ? null : place };
}

function paged(line: WrittenLine, by: -1 | 1, { width, rows }: LineFacts): WrittenLine {
  const box = Array.from({ length: rows }).reduce<TextBox>((at) => stepped(at, by, width), line.box);
  return { ...line, box, last: null };
}
