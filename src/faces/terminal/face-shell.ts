/** Around the screen, which is a value: the real terminal, dialogs, and the hands that do what the screen wants done. */
import { editorOf, passOn, type EitherShell } from "./either-face.ts";
import type { Complete } from "./keys/complete.ts";
import type { OfferQuestion } from "./keys/completion.ts";
import { pageOf, roomOf } from "./keys/line-view.ts";
import type { LineFacts } from "./keys/line.ts";
import type { Submit } from "./keys/submit.ts";
import { openTty, type Tty } from "./keys/tty.ts";
import type { FaceOptions, SessionLink } from "./link.ts";
import { notification } from "./notify.ts";
import { createDialogQueue, type DialogQueue } from "./overlays/dialog-queue.ts";
import { editText } from "./overlays/external-editor.ts";
import { createOutside, type Outside } from "./overlays/outside.ts";
import { behindInput, type Surface } from "./overlays/surface.ts";
import { createDrawing, type Drawing } from "./screen/drawing.ts";
import type { Item } from "./screen/items.ts";
import { asideLines, bottomLines, type ItemViews } from "./screen/picture.ts";
import type { Screen } from "./screen/screen.ts";
import { update, type ScreenInput } from "./update.ts";
import type { Highlight } from "./view/highlight.ts";
import { createFaceWishes, type ScreenWish } from "./wishes.ts";

/** The screen, and beside it what is no value: it comes late, or belongs to the session. */
export interface Live {
  screen: Screen;
  link: SessionLink | null;
  highlight: Highlight | null;
  views: ItemViews;
  /** Null until it is loaded. */
  late: { readonly submit: Submit; readonly complete: Complete; readonly readBack: () => void } | null;
}

export interface FaceShell extends EitherShell {
  readonly live: Live;
  readonly tty: Tty;
  readonly drawing: Drawing;
  readonly dialogs: DialogQueue;
  readonly surface: Surface;
  readonly outside: Outside;
}

export function createShell(options: FaceOptions, live: Live): FaceShell {
  const dispatch = (input: ScreenInput): void => {
    const { screen, wishes } = update(live.screen, input);
    live.screen = screen;
    for (const wish of wishes) perform(wish);
    drawing.spin(screen.doing !== null && screen.asking === null && !screen.isOver);
  };
  const dialogs: DialogQueue = createDialogQueue({
    asked: () => dispatch({ type: "asked" }),
    changed: () => dispatch({ type: "dialogs-changed", isOpen: dialogs.current() !== null }),
  });
  const tty: Tty = openTty(options, {
    key(data, isLine) {
      const takesText = dialogs.current()?.takesText?.() ?? null;
      dispatch({ type: "key-pressed", data, isLine, takesText, ...lineFacts(tty) });
    },
    resized: () => drawing.soon(),
    focused: (focused) => dispatch({ type: "focus-changed", focused }),
    gone: () => dispatch({ type: "program-wanted", wish: { kind: "gone" } }),
  });
  const drawing: Drawing = createDrawing(tty, (width) => ({
    items: live.screen.transcript.items,
    linesOf: itemViewsOf({ options, live, tty }, "as-is"),
    holds: dialogs.current() !== null,
    bottom: bottomLines({
      screen: live.screen,
      dialogs,
      costOf: live.link?.costOf ?? (() => null),
      width,
      rows: tty.rows(),
      now: Date.now(),
    }),
  }));
  const outside = createOutside(drawing, tty);
  const surface = surfaceOf({ options, live, tty, drawing, outside });
  const faceWishes = createFaceWishes();
  const shell: FaceShell = { options, live, tty, drawing, dialogs, surface, outside, faceWishes, dispatch };
  const perform = performer(shell);
  return shell;
}

export function lineFacts(tty: Tty): Omit<LineFacts, "keys"> {
  return { width: roomOf(tty.columns()).room, rows: pageOf(tty.rows()), now: Date.now() };
}

/** How an item is drawn now; `opened`: with all that tools did. */
export function itemViewsOf(
  { live, tty, options }: Pick<FaceShell, "live" | "tty" | "options">,
  how: "as-is" | "opened",
): (item: Item) => readonly string[] {
  const { screen, highlight } = live;
  return live.views({
    width: tty.columns(),
    theme: screen.theme,
    platform: options.platform,
    details: how === "opened" || screen.details,
    directory: screen.session?.roots.project ?? "",
    highlight,
    revision: screen.revision,
  });
}

type SurfaceParts = Pick<FaceShell, "options" | "live" | "tty" | "drawing" | "outside">;

function surfaceOf({ options, live, tty, drawing, outside }: SurfaceParts): Surface {
  return {
    get theme() {
      return live.screen.theme;
    },
    get keys() {
      return live.screen.keys;
    },
    platform: options.platform,
    rows: () => Math.max(4, tty.rows() - 1 - Math.max(1, asideLines(live.screen, tty.columns()).length)),
    columns: () => tty.columns(),
    now: () => Date.now(),
    redraw: () => drawing.soon(),
    edit: (text, { name }) => outside(() => editText(editorOf({ options, live }), text, name)),
    later: behindInput,
    highlight: (code, language) => live.highlight?.(code, language) ?? null,
  };
}

function performer(shell: FaceShell): (wish: ScreenWish) => void {
  const { live, tty, drawing, dialogs } = shell;
  const complete = completer(shell);
  return (wish) => {
    switch (wish.kind) {
      case "draw":
        return wish.pace === "soon" ? drawing.soon() : drawing.calmly();
      case "draw-again":
        setTimeout(() => drawing.soon(), wish.after).unref();
        return undefined;
      case "repair":
        return drawing.repair();
      case "suspend":
        return suspend(shell);
      case "edit":
        return drawing.isParked() ? undefined : void writeOutside(shell, wish.text);
      case "read-back":
        return live.late?.readBack();
      case "give":
        return dialogs.current()?.handleInput?.(wish.data);
      case "complete":
        return complete(wish);
      case "ring":
        return tty.write(bellOf(shell, wish.text));
      case "remember":
        return live.link?.remember(wish.text);
      case "submit":
        return live.late?.submit(wish.text);
      case "send":
      case "tell-program":
        return passOn(shell, wish);
    }
  };
}

/** Asks what is offered for the word at the cursor: once for all keys that came together. */
function completer({ live, dispatch }: FaceShell): (question: OfferQuestion) => void {
  let last: OfferQuestion | null = null;
  const ask = async (): Promise<void> => {
    const question = last;
    last = null;
    if (question === null || live.late === null) return;
    const { box, isAsked } = question;
    const offers = await live.late.complete(box).catch(() => ({ items: [], prefix: "" }));
    dispatch({ type: "offers-came", box, isAsked, offers });
  };
  return (question) => {
    if (last === null) setImmediate(() => void ask());
    last = question;
  };
}

function suspend({ options, drawing, tty }: FaceShell): void {
  if (options.platform === "win32" || drawing.isParked()) return;
  drawing.park();
  void tty.suspend().then(() => drawing.now());
}

async function writeOutside({ surface, dispatch }: FaceShell, text: string): Promise<void> {
  const edited = await surface.edit(text, { name: "message.md" });
  if (edited.kind === "edited")
    dispatch({ type: "line-written", text: edited.text.replace(/\n$/, ""), now: surface.now() });
  surface.redraw();
  if (edited.kind !== "failed") return;
  const notice: Item = { kind: "notice", text: `The editor failed: ${edited.reason}`, tone: "warning" };
  dispatch({ type: "said", items: [notice] });
}

function bellOf({ live, options }: FaceShell, text: string): string {
  const setting = live.link?.settings.notify ?? "auto";
  return notification(text, { setting, focused: live.screen.focused, environment: options.environment });
}
