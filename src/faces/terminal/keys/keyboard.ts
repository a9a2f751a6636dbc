/** What a key does: dialogs first, then what it means on the session screen, then the input. */
import type { DialogQueue } from "../overlays/dialog-queue.ts";
import type { Drawing } from "../screen/drawing.ts";
import type { InputArea } from "./input.ts";
import type { Item } from "../screen/items.ts";
import type { FaceWish } from "../link.ts";
import { leaveWithin, meaningOf, type KeyMeaning, type Screen } from "../screen/screen.ts";
import type { Submit } from "./submit.ts";
import type { Surface } from "../overlays/surface.ts";
import type { Tty } from "./tty.ts";
import { createTypist } from "./typist.ts";

export interface KeyboardParts {
  readonly surface: Surface;
  readonly dialogs: DialogQueue;
  readonly input: InputArea;
  readonly drawing: Drawing;
  readonly tty: Tty;
  readonly want: (wish: FaceWish) => void;
  readonly say: (...items: readonly Item[]) => void;
  /** Says it above the dialog. */
  readonly note: (text: string) => void;
  readonly submitLine: (text: string) => void;
  /** Null until it is loaded. */
  readonly submit: () => Submit | null;
  readonly screen: () => Screen;
  readonly change: (screen: Screen) => void;
}

/** `isLine`: other keys that type something came in the same read. */
export function createKeyboard(parts: KeyboardParts): (data: string, isLine: boolean) => void {
  const { surface, dialogs, input, drawing, screen, change } = parts;
  const placeOf = createTypist(parts);
  return (data, isLine) => {
    const { keys } = surface;
    const dialog = dialogs.current();
    if (keys.matches(data, "browser")) return parts.submitLine("/review");
    if (dialog !== null && !keys.matches(data, "suspend") && !keys.matches(data, "redraw")) {
      const place = placeOf(dialog, data, isLine);
      if (place === "line") input.key(data);
      if (place === "dialog") dialog.handleInput?.(data);
      drawing.soon();
      return;
    }
    const isEmpty = input.text() === "";
    const isCompleting = input.isCompleting();
    const meaning = meaningOf(screen(), { keys, input: data, isEmpty, isCompleting, now: surface.now() });
    if (meaning !== "leave-soon" && screen().leaving !== null) change({ ...screen(), leaving: null });
    if (meaning === "type") input.key(data);
    else act(meaning, parts);
    if (meaning !== "suspend") drawing.soon();
  };
}

function act(meaning: Exclude<KeyMeaning, "type">, parts: KeyboardParts): void {
  const { surface, input, drawing, tty, want, submitLine, submit, screen, change } = parts;
  switch (meaning) {
    case "newline":
      return input.insert("\n");
    case "clear-input":
      return input.setText("");
    case "leave-soon":
      change({ ...screen(), leaving: surface.now() });
      if (screen().doing !== null) submit()?.act("stop-turn");
      setTimeout(() => drawing.soon(), leaveWithin + 20).unref();
      return undefined;
    case "leave":
      return want({ kind: "leave" });
    case "toggle-details":
      return change({ ...screen(), details: !screen().details });
    case "edit-outside":
      return drawing.isParked() ? undefined : editOutside(parts);
    case "suspend":
      if (surface.platform === "win32" || drawing.isParked()) return undefined;
      drawing.park();
      void tty.suspend().then(() => drawing.now());
      return undefined;
    case "redraw":
      return drawing.repair();
    case "help":
      return submitLine("/help");
    case "show-todos":
      return submitLine("/todos");
    case "cycle-mode":
    case "stop-turn":
    case "read-back":
      return submit()?.act(meaning);
  }
}

function editOutside({ surface, input, say }: KeyboardParts): void {
  void surface.edit(input.text(), { name: "message.md" }).then((edited) => {
    if (edited.kind === "edited") input.setText(edited.text.replace(/\n$/, ""));
    surface.redraw();
    if (edited.kind === "failed") say({ kind: "notice", text: `The editor failed: ${edited.reason}`, tone: "warning" });
  });
}
