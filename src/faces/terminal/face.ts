/** The terminal face: keys and happenings in, frames and events out; what it shows is the value `Screen`. */
import { openDoors } from "./either-face.ts";
import { createShell, itemViewsOf, lineFacts, type FaceShell, type Live } from "./face-shell.ts";
import { chooseKeys, platformKeys } from "./keys/keys.ts";
import { lineText } from "./keys/line.ts";
import type * as lateParts from "./late.ts";
import type { FaceOptions, SessionLink, TerminalFace } from "./link.ts";
import type { Overlays } from "./overlays/overlays.ts";
import { terminalPerson } from "./person.ts";
import { createItemViews } from "./screen/picture.ts";
import { firstScreen, withItems } from "./screen/screen.ts";
import { chooseTheme } from "./view/theme.ts";
import { welcomeLines } from "./view/welcome.ts";

export function startFace(options: FaceOptions): TerminalFace {
  const shell = createShell(options, beginning(options));
  const { live, tty, drawing, dispatch } = shell;
  tty.take();
  drawing.now();
  const { doors, asking } = openDoors(shell);
  const loaded = import("./late.ts").then((parts) => load(shell, parts));
  return {
    ...doors,
    ready: loaded.then(() => undefined),
    person: terminalPerson(shell.dialogs, shell.surface, asking),
    tip: (text) => dispatch({ type: "tip-came", text }),
    attach: (link) => attach(shell, link),
    ask: async (title, list) => (await loaded).ask(title, list),
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
    late: null,
  };
}

/** What the first frame did without. */
function load(shell: FaceShell, parts: typeof lateParts): Overlays {
  const { live, tty, dialogs, surface, outside, dispatch } = shell;
  const overlays = parts.createOverlays({
    dialogs,
    surface,
    typed(data) {
      dispatch({ type: "line-typed", data, ...lineFacts(tty) });
      return lineText(live.screen.line) !== "";
    },
    reading: () => ({ items: live.screen.transcript.items, linesOf: itemViewsOf(shell, "opened") }),
  });
  live.late = {
    submit: parts.createSubmit({ shell, choose: overlays.choose, outside }),
    complete: parts.completion(async () => (await live.link?.files()) ?? []),
    readBack: overlays.readBack,
  };
  live.views = createItemViews(parts.itemLines);
  dispatch({ type: "loaded" });
  return overlays;
}

function attach({ live, options, dispatch }: FaceShell, link: SessionLink): void {
  const { settings, model, isResumed } = link;
  const { words, platform, environment } = options;
  const { keys, problems } = chooseKeys({ ...platformKeys(platform), ...settings.keybindings });
  const theme = chooseTheme({ setting: settings.theme, environment });
  live.link = link;
  dispatch({ type: "attached", session: link.current().state, model, isResumed, words, keys, theme, problems });
  void link.sandbox.then((sandbox) => dispatch({ type: "sandbox-known", sandbox }));
  void link.history().then((past) => dispatch({ type: "history-came", past }));
  const loaded = (): void => dispatch({ type: "colours-came" });
  void import("./view/highlight.ts").then(({ createHighlight }) => {
    live.highlight = createHighlight(theme, loaded);
    loaded();
  });
}
