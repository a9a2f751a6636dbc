/** The terminal face: keys and happenings in, frames and events out; what it shows is the value `Screen`. */
import type { Happening } from "../../agent/ports/handle.ts";
import type { Person } from "../../agent/ports/ports.ts";
import { chooseKeys, platformKeys } from "./keys/keys.ts";
import { lineText } from "./keys/line.ts";
import type * as lateParts from "./late.ts";
import type { FaceWish, SessionLink } from "./link.ts";
import { hearRenewedChoices, type RenewedChoices } from "./renewed-choices.ts";
import type { Option } from "./overlays/choose.ts";
import { createOverlays, type Overlays } from "./overlays/overlays.ts";
import type { SessionWords } from "./screen/entries.ts";
import { terminalPerson } from "./person.ts";
import { createItemViews } from "./screen/picture.ts";
import { firstScreen, modeOf, withItems } from "./screen/screen.ts";
import {
  createShell,
  editorOf,
  itemViewsOf,
  lineFacts,
  type Live,
  type FaceShell,
  type ShellOptions,
} from "./face-shell.ts";
import { chooseTheme } from "./view/theme.ts";
import { welcomeLines } from "./view/welcome.ts";

export interface FaceOptions extends ShellOptions {
  readonly version: string;
  readonly directory: string;
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
  const { words } = options;
  const shell = createShell(options, beginning(options));
  const { live, tty, drawing, dispatch, want } = shell;
  tty.take();
  drawing.now();
  const offers = hearRenewedChoices();
  const late = import("./late.ts");
  const overlays = createOverlays({
    dialogs: shell.dialogs,
    surface: shell.surface,
    load: () => late,
    typed(data) {
      dispatch({ type: "line-typed", data, ...lineFacts(tty) });
      return lineText(live.screen.line) !== "";
    },
    reading: () => ({ items: live.screen.transcript.items, linesOf: itemViewsOf(shell, "opened") }),
  });
  return {
    ready: late.then((parts) => load(shell, overlays, parts)),
    person: personOf(shell, options, offers),
    tell: (text) => shell.say({ kind: "notice", text, tone: "plain" }),
    tip: (text) => dispatch({ type: "tip-came", text }),
    listen(happening) {
      offers.hear(happening);
      dispatch({ type: "happened", happening, now: Date.now(), words });
    },
    attach: (link) => attach(shell, link, words),
    submit: (text) => dispatch({ type: "line-given", text }),
    ask: overlays.ask,
    wish: () => shell.faceWishes.next(),
    leave: (how) => want({ kind: how }),
    close() {
      if (live.screen.isOver) return;
      dispatch({ type: "closed" });
      drawing.finish();
      tty.close();
    },
  };
}

function beginning({ environment, version, directory }: FaceOptions): Live {
  const screen = firstScreen({ keys: chooseKeys().keys, theme: chooseTheme({ environment }) });
  return {
    screen: withItems(screen, { kind: "welcome", version, directory, model: null, tip: null }),
    link: null,
    highlight: null,
    views: createItemViews((item, facts) => (item.kind === "welcome" ? welcomeLines(item, facts) : [])),
    submit: null,
    complete: null,
    readBack: null,
  };
}

type LateParts = typeof lateParts;

/** What the first frame did without. */
function load(shell: FaceShell, { choose, readBack }: Overlays, parts: LateParts): void {
  const { live, say, want, outside } = shell;
  const { createSubmit, itemLines, completion, commandList } = parts;
  const editor = (): string | null => editorOf(shell);
  const keys = () => live.screen.keys;
  live.submit = createSubmit({ keys, choose, say, want, outside, editor, link: () => live.link });
  live.complete = completion({
    commands: commandList,
    files: async () => (await live.link?.files()) ?? [],
  });
  live.readBack = readBack;
  live.views = createItemViews(itemLines);
  shell.dispatch({ type: "loaded" });
}

function personOf(
  { live, dialogs, surface }: FaceShell,
  { user, directory, readText }: FaceOptions,
  offers: RenewedChoices,
): Person {
  return terminalPerson(dialogs, surface, {
    user,
    mode: () => modeOf(live.screen),
    offers,
    projectRoot: () => live.screen.session?.roots.project ?? directory,
    readText,
  });
}

function attach({ live, options, dispatch }: FaceShell, link: SessionLink, words: SessionWords): void {
  const { settings, model, isResumed } = link;
  const { keys, problems } = chooseKeys({ ...platformKeys(options.platform), ...settings.keybindings });
  const theme = chooseTheme({ setting: settings.theme, environment: options.environment });
  live.link = link;
  dispatch({ type: "attached", session: link.current().state, model, isResumed, words, keys, theme, problems });
  void link.sandbox.then((sandbox) => dispatch({ type: "sandbox-known", sandbox }));
  void link.history().then((past) => dispatch({ type: "history-came", past }));
  const loaded = (): void => dispatch({ type: "colours-came" });
  void import("./view/highlight.ts").then(({ createHighlight }) => {
    live.highlight = createHighlight({ theme, loaded });
    loaded();
  });
}
