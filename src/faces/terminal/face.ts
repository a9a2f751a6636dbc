/** The terminal face: keys and happenings in, frames and events out; state is the value `Screen`. */
import { setCapabilities } from "./pi-tui.ts";
import type { Happening } from "../../agent/loop/handle.ts";
import type { Person } from "../../agent/ports/ports.ts";
import type { Mode } from "../../core/mode.ts";
import type { Option } from "./overlays/choose.ts";
import { createDialogQueue } from "./overlays/dialog-queue.ts";
import { createDrawing } from "./screen/drawing.ts";
import type { SessionWords } from "./screen/entries.ts";
import { chooseEditor, editText } from "./overlays/external-editor.ts";
import { createInput } from "./keys/input.ts";
import type { Highlight } from "./view/highlight.ts";
import type { Item } from "./screen/items.ts";
import { createKeyboard } from "./keys/keyboard.ts";
import { chooseKeys, platformKeys } from "./keys/keys.ts";
import { latePerson } from "./late-person.ts";
import type { FaceWish, SessionLink } from "./link.ts";
import { notification } from "./notify.ts";
import { createOutside } from "./overlays/outside.ts";
import { createOverlays } from "./overlays/overlays.ts";
import { asideLines, bottomLines, createItemViews } from "./screen/picture.ts";
import { emptyScreen, happened, isAnswerToKeys, resumed, withItems, type Screen } from "./screen/screen.ts";
import { behindInput, type Platform, type Surface } from "./overlays/surface.ts";
import type { Submit } from "./keys/submit.ts";
import { chooseTheme, type Theme } from "./view/theme.ts";
import { openTty, type TtyStreams } from "./keys/tty.ts";
import { welcomeLines } from "./view/welcome.ts";
import { createWishes } from "./wishes.ts";

export interface FaceOptions extends TtyStreams {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly directory: string;
  readonly platform: Platform;
  readonly words: SessionWords;
  readonly user: string;
  /** For the dialogs that show what a file holds now. */
  readonly readText: (path: string) => Promise<string | null>;
}

export interface TerminalFace {
  readonly person: Person;
  tell(text: string): void;
  tip(text: string): void;
  listen(happening: Happening): void;
  attach(link: SessionLink): void;
  submit(text: string): void;
  /** One of these; null when the person wants none. */
  ask(title: string, options: readonly Option[]): Promise<string | null>;
  wish(): Promise<FaceWish>;
  /** As if the person wanted to end, or the terminal were gone. */
  leave(how: "leave" | "gone"): void;
  /** Everything behind the first frame is there. */
  readonly ready: Promise<void>;
  /** Leaves the transcript behind and gives the terminal back. */
  close(): void;
}

export function startFace(options: FaceOptions): TerminalFace {
  const { environment, platform } = options;
  setCapabilities({ images: null, trueColor: false, hyperlinks: false });
  let screen: Screen = emptyScreen;
  let link: SessionLink | null = null;
  let attached: string | null = null;
  let since = 0;
  let theme: Theme = chooseTheme({ environment });
  let keys = chooseKeys().keys;
  let highlight: Highlight | null = null;
  let revision = 0;
  let spinner: NodeJS.Timeout | undefined;
  let isOver = false;
  let aside: string | null = null;
  let submit: Submit | null = null;
  const early: string[] = [];
  const wishes = createWishes();

  const want = (wish: FaceWish): void => {
    if (wish.kind === "switch") {
      link = null;
      since = screen.transcript.items.length;
    }
    wishes.add(wish);
  };
  const change = (next: Screen): void => {
    screen = next;
    drawing.soon();
  };
  const say = (...items: readonly Item[]): void => {
    const said = items.findLast(({ kind }) => kind === "said");
    if (said?.kind === "said") aside = said.text;
    change(withItems(screen, ...items));
  };
  const asideRows = (): readonly string[] => (dialogs.current() === null ? [] : asideLines(aside, tty.columns()));
  const editor = (): string | null => chooseEditor({ setting: link?.settings.editor ?? null, environment });
  const outside = createOutside(() => ({ drawing, tty }));

  const surface: Surface = {
    get theme() {
      return theme;
    },
    get keys() {
      return keys;
    },
    platform,
    rows: () => Math.max(4, tty.rows() - 1 - Math.max(1, asideRows().length)),
    columns: () => tty.columns(),
    now: () => Date.now(),
    redraw: () => drawing.soon(),
    edit: (text, { name }) => outside(() => editText(editor(), text, name)),
    later: behindInput,
    highlight: (code, language) => highlight?.(code, language) ?? null,
  };
  const dialogs = createDialogQueue({
    changed() {
      aside = null;
      drawing.soon();
    },
    asked: () => ring("an answer is awaited"),
  });
  const ring = (text: string): void => {
    const setting = link?.settings.notify ?? "auto";
    const bytes = notification(text, { setting, focused: screen.focused, environment });
    if (bytes !== "") tty.write(bytes);
  };
  const overlays = createOverlays({
    dialogs,
    surface,
    load: () => late,
    type: (data) => input.key(data),
    text: () => input.text(),
    reading: () => ({ items: screen.transcript.items, linesOf: views(true) }),
  });
  const submitParts = {
    keys: () => keys,
    choose: overlays.choose,
    say,
    want,
    outside,
    editor,
    link: () => link,
    readBack: overlays.readBack,
  };
  const submitLine = (text: string): void => {
    if (link === null || submit === null) early.push(text);
    else submit.line(text);
  };
  const input = createInput({
    theme: () => theme,
    rows: () => tty.rows(),
    redraw: () => drawing.soon(),
    submit(text) {
      input.remember(text);
      if (text.trim() !== "") link?.remember(text);
      submitLine(text);
    },
  });

  const tty = openTty(options, {
    key: (data, isLine) => press(data, isLine),
    resized: () => drawing.soon(),
    focused: (focused) => {
      screen = { ...screen, focused };
    },
    gone: () => want({ kind: "gone" }),
  });
  let itemViews = createItemViews((item, facts) => (item.kind === "welcome" ? welcomeLines(item, facts) : []));
  const views = (isOpened: boolean): ((item: Item) => readonly string[]) =>
    itemViews({
      width: tty.columns(),
      theme,
      platform,
      details: isOpened || screen.details,
      directory: screen.session?.roots.project ?? "",
      expandKey: keys.label("expand"),
      highlight,
      revision,
    });
  const drawing = createDrawing(tty, (width) => ({
    items: screen.transcript.items,
    linesOf: views(false),
    holds: dialogs.current() !== null,
    bottom: bottomLines({
      aside: asideRows(),
      screen,
      dialog: dialogs.current(),
      waiting: dialogs.waiting(),
      input,
      link,
      theme,
      keys,
      width,
      rows: tty.rows(),
      now: Date.now(),
    }),
  }));

  const press = createKeyboard({
    surface,
    dialogs,
    input,
    drawing,
    tty,
    want,
    say,
    note: (text) => void (aside = text),
    submitLine,
    submit: () => submit,
    screen: () => screen,
    change,
  });
  const loaded = (): void => {
    revision += 1;
    drawing.soon();
  };
  const spin = (): void => {
    const isBusy = screen.doing !== null && dialogs.current() === null && !isOver;
    if (isBusy && spinner === undefined) spinner = setInterval(() => drawing.calmly(), 120);
    if (!isBusy) {
      clearInterval(spinner);
      spinner = undefined;
    }
  };
  screen = withItems(screen, {
    kind: "welcome",
    version: options.version,
    directory: options.directory,
    model: null,
    tip: null,
  });
  tty.take();
  drawing.now();
  const late = import("./late.ts");
  const ready = late.then(({ createSubmit, itemLines }) => {
    submit = createSubmit(submitParts);
    itemViews = createItemViews(itemLines);
  });
  return {
    ready,
    person: latePerson(async () => {
      const { terminalPerson } = await import("./person.ts");
      const mode = (): Mode => screen.session?.permissions.mode.current ?? "default";
      const projectRoot = screen.session?.roots.project ?? options.directory;
      return terminalPerson(dialogs, surface, { user: options.user, mode, projectRoot, readText: options.readText });
    }),
    tell: (text) => say({ kind: "notice", text, tone: "plain" }),
    tip(text) {
      const items = screen.transcript.items.map((item) => (item.kind === "welcome" ? { ...item, tip: text } : item));
      change({ ...screen, transcript: { ...screen.transcript, items } });
    },
    listen(happening) {
      const wasBusySince = screen.doing?.since ?? null;
      screen = happened(screen, happening, { now: Date.now(), words: options.words });
      const isDone = wasBusySince !== null && screen.doing === null && dialogs.current() === null;
      if (isDone && Date.now() - wasBusySince > 10_000) ring("your turn");
      if (isAnswerToKeys(happening)) drawing.soon();
      else drawing.calmly();
      spin();
    },
    attach(next) {
      link = next;
      const chosen = chooseKeys({ ...platformKeys(platform), ...next.settings.keybindings });
      keys = chosen.keys;
      theme = chooseTheme({ setting: next.settings.theme, environment });
      void late.then(({ completion, commandList }) =>
        input.complete(completion({ commands: commandList, files: next.files })),
      );
      const items = screen.transcript.items.map((item) =>
        item.kind === "welcome" ? { ...item, model: next.model } : item,
      );
      screen = { ...screen, model: next.model, transcript: { ...screen.transcript, items } };
      const { state } = next.current();
      const isOther = next.isResumed && attached !== state.id;
      screen = isOther
        ? resumed(screen, { session: state, words: options.words, since })
        : { ...screen, session: state };
      attached = state.id;
      for (const problem of chosen.problems) say({ kind: "notice", text: problem, tone: "warning" });
      void next.sandbox.then((sandbox) => change({ ...screen, sandbox }));
      void next.history().then((past) => past.forEach((text) => input.remember(text)));
      void import("./view/highlight.ts").then(({ createHighlight }) => {
        highlight = createHighlight({ theme, loaded });
        loaded();
      });
      for (const text of early.splice(0)) submitLine(text);
      drawing.soon();
    },
    submit: submitLine,
    ask: overlays.ask,
    wish: () => wishes.next(),
    leave: (how) => want({ kind: how }),
    close() {
      if (isOver) return;
      isOver = true;
      spin();
      drawing.finish();
      tty.close();
    },
  };
}
