/** `/rewind` and Esc Esc: where to go back to, how much of it, and what that would change (B15.1). */
import { failures, sizeText, type ShownRewind } from "../../../agent/undo/measure.ts";
import type { PointView } from "../../../agent/undo/point-list.ts";
import type { RewindResult } from "../../../agent/undo/rewind.ts";
import { errorText } from "../../../core/error-text.ts";
import type { RewindExtent } from "../../../core/undo.ts";
import type { PointsDesk, SessionLink } from "../link.ts";
import type { Item } from "../screen/items.ts";
import type { ScreenInput } from "../update.ts";
import type { Option } from "./choose.ts";

export interface RewindParts {
  /** Null when the person wants none of them. */
  readonly choose: (title: string, options: readonly Option[]) => Promise<string | null>;
  readonly dispatch: (input: ScreenInput) => void;
}

/** What is to be said about it; null: nothing. */
export async function chooseRewind({ undo }: SessionLink, parts: RewindParts): Promise<string | null> {
  if (undo === undefined) return "There is nothing to go back to here.";
  try {
    const points = (await undo.points()).toReversed();
    if (points.length === 0) return "There is nothing to go back to yet.";
    const to = await parts.choose("Go back to before", points.map(pointOption));
    const point = points.find(({ id }) => id === to);
    return point === undefined ? null : await goBack(undo, point, parts);
  } catch (error) {
    return `It cannot be gone back: ${errorText(error)}. What was begun is finished at the next start.`;
  }
}

async function goBack(undo: PointsDesk, point: PointView, parts: RewindParts): Promise<string | null> {
  const shown = await undo.preview(point.id);
  const what = await chooseExtent(point, shown, parts);
  if (what === null) return null;
  const isMet = what !== "conversation" && shown.conflicts.length > 0;
  const isGivenUp = isMet ? await mayOverwrite(shown, parts) : false;
  if (isGivenUp === null) return null;
  const overwrite = isGivenUp ? shown.conflicts.map(({ path }) => path) : [];
  const text = "Going back; what you send meanwhile waits for it.";
  parts.dispatch({ type: "said", items: [{ kind: "notice", text, tone: "plain" }] });
  const result = await undo.rewind({ to: point.id, what, how: "undo", overwrite });
  if (result.kind === "refused") return `Nothing was changed: ${result.reason}.`;
  if (what !== "files" && point.why === "prompt" && !point.label.endsWith("…"))
    parts.dispatch({ type: "line-written", text: point.label, now: Date.now() });
  return doneText(point, what, result);
}

async function chooseExtent(point: PointView, shown: ShownRewind, parts: RewindParts): Promise<RewindExtent | null> {
  const files = shown.changes.length === 0 ? "no file changes" : sizeText(shown.changes);
  const all: Option[] = [
    { value: "both", label: "Files and conversation", note: files },
    { value: "files", label: "Only the files", note: files },
    { value: "conversation", label: "Only the conversation", note: "files stay as they are" },
    ...(shown.difference === "" ? [] : [{ value: "look", label: "Show the difference first", note: "" }]),
  ];
  const options = all.filter(({ value }) => point.hasTalk || value === "files" || value === "look");
  const chosen = await parts.choose(`Back to before: ${point.label}`, options);
  if (chosen !== "look") return chosen as RewindExtent | null;
  const content = `\`\`\`diff\n${shown.difference.slice(0, mostShown).replaceAll("```", "'''")}\n\`\`\``;
  const card: Item = { kind: "card", title: "What would change", path: point.label, content, hint: null };
  parts.dispatch({ type: "said", items: [card] });
  return chooseExtent(point, { ...shown, difference: "" }, parts);
}

/** Null when the person wants neither. */
async function mayOverwrite({ conflicts }: ShownRewind, { choose, dispatch }: RewindParts): Promise<boolean | null> {
  const [first, ...more] = conflicts.map(({ path }) => path);
  const text = ["Changed by you or others since:", first, ...more].join("\n  ");
  if (more.length > 0) dispatch({ type: "said", items: [{ kind: "notice", text, tone: "plain" }] });
  const names = more.length === 0 ? first : `the ${more.length + 1} files above`;
  const options = [
    { value: "no", label: "Leave them as they are", note: "" },
    { value: "yes", label: "Overwrite them, too", note: "" },
  ];
  const answer = await choose(`Changed by you or others since: ${names}`, options);
  return answer === null ? null : answer === "yes";
}

function pointOption({ id, why, label, files }: PointView): Option {
  const size = files === null ? "files not kept any more" : files.length === 0 ? "no files" : sizeText(files);
  return { value: id, label: why === "step" ? `step: ${label}` : label, note: size };
}

function doneText(
  { label }: PointView,
  what: RewindExtent,
  { restored, kept, failed }: Extract<RewindResult, { kind: "done" }>,
): string {
  const files = what === "conversation" ? [] : [`Files brought back: ${restored.length}.`];
  const talk = what === "files" ? [] : ["The model has forgotten what was said since."];
  const left = kept.length === 0 ? [] : [`Left as they are, changed by somebody else: ${kept.join(", ")}.`];
  const lost = failed.map(({ path, why }) => `Could not be brought back: ${path} (${failures[why]}).`);
  return [`Back to before: ${label}`, ...files, ...talk, ...left, ...lost].join("\n");
}

const mostShown = 20_000;
