/** The terminal without redrawing: every line is printed once, answers are typed as lines. For screen readers. */
import { createInterface } from "node:readline";
import type { Mode } from "../../core/mode.ts";
import { statusLabel } from "../../core/selectors.ts";
import type { Option } from "./overlays/choose.ts";
import { plainPerson } from "./dialogs/plain/plain.ts";
import { chooseEditor, editText } from "./overlays/external-editor.ts";
import type { FaceOptions, TerminalFace } from "./face.ts";
import { isFinal, type Item } from "./screen/items.ts";
import { chooseKeys } from "./keys/keys.ts";
import { latePerson } from "./late-person.ts";
import type { FaceWish, SessionLink } from "./link.ts";
import { safeLine, safeText } from "./view/safe-text.ts";
import { emptyScreen, happened, resumed, withItems, type Screen } from "./screen/screen.ts";
import { createSubmit } from "./keys/submit.ts";
import { noColour } from "./view/theme.ts";
import { itemLines } from "./view/item.ts";
import { createWishes } from "./wishes.ts";

export function startPlainFace(options: FaceOptions): TerminalFace {
  const { stdin, stdout, environment, platform } = options;
  const theme = noColour();
  let screen: Screen = emptyScreen;
  let link: SessionLink | null = null;
  let attached: string | null = null;
  let since = 0;
  let keys = chooseKeys().keys;
  let printed = 0;
  let told = "";
  let isWorking = false;
  let isOver = false;
  let asked: ((line: string | null) => void) | null = null;
  const early: string[] = [];
  const wishes = createWishes();

  const print = (text: string): void => {
    const bare = text.replaceAll(/\u001B\[[\d;]*m/g, "");
    if (!isOver) stdout.write(bare.endsWith("\n") ? bare : `${bare}\n`);
  };
  const want = (wish: FaceWish): void => {
    if (wish.kind === "switch") {
      link = null;
      since = screen.transcript.items.length;
    }
    wishes.add(wish);
  };
  const show = (): void => {
    const { items } = screen.transcript;
    for (let item = items[printed]; item !== undefined && isFinal(item); item = items[printed]) {
      printed += 1;
      if (item.kind !== "user") linesOf(item).forEach(print);
    }
    sayMode();
    const isBusy = screen.doing !== null;
    if (isBusy && !isWorking) print("working; ctrl+c stops");
    isWorking = isBusy;
  };
  const sayMode = (): void => {
    if (screen.session === null) return;
    const label = statusLabel(screen.session)
      .replace(/^\S+ /, "")
      .replace(/ \(.*\)$/, "");
    if (label !== told) print(label === "" ? "default mode" : label);
    told = label;
  };
  const linesOf = (item: Item): readonly string[] =>
    plainPlanLines(item) ??
    itemLines(item, {
      width: Math.max(20, stdout.columns || 80),
      theme,
      platform,
      details: false,
      directory: screen.session?.roots.project ?? "",
      expandKey: "",
      revision: 0,
      highlight: null,
    });
  const say = (...items: readonly Item[]): void => {
    screen = withItems(screen, ...items);
    show();
  };
  const line = (signal?: AbortSignal): Promise<string | null> =>
    new Promise((resolve) => {
      const answer = (text: string | null): void => {
        if (asked === answer) asked = null;
        resolve(text);
      };
      asked = answer;
      signal?.addEventListener("abort", () => answer(null), { once: true });
    });
  const choose = async (title: string, list: readonly Option[]): Promise<string | null> => {
    const rows = list
      .slice(0, 20)
      .map(({ label, note }, index) => `${index + 1}. ${safeLine(label, 400)}${note === "" ? "" : ` (${note})`}`);
    print([title, ...rows, "Type a number; an empty line for none."].join("\n"));
    return list[Number(await line()) - 1]?.value ?? null;
  };
  const editor = (): string | null => chooseEditor({ setting: link?.settings.editor ?? null, environment });
  const submit = createSubmit({
    keys: () => keys,
    choose,
    say,
    want,
    outside: (work) => work(),
    editor,
    link: () => link,
    readBack: () => undefined,
  });
  const submitLine = (text: string): void => {
    if (link === null) early.push(text);
    else submit.line(text);
  };
  const typed = (text: string): void => {
    if (asked !== null) asked(text);
    else submitLine(text);
  };
  const reader = createInterface({ input: stdin, terminal: false });
  reader.on("line", typed);
  reader.on("close", () => {
    asked?.(null);
    if (!isOver) want({ kind: "leave" });
  });
  let stoppedAt = 0;
  const interrupt = (): void => {
    const now = Date.now();
    if (now - stoppedAt < 2_000) want({ kind: "leave" });
    else if (screen.doing === null) print("ctrl+c again to leave");
    else submit.act("stop-turn");
    stoppedAt = now;
  };
  process.on("SIGINT", interrupt);
  const mode = (): Mode => screen.session?.permissions.mode.current ?? "default";
  const person = latePerson(async () =>
    plainPerson(
      { print, line, now: () => Date.now() },
      {
        user: options.user,
        mode,
        projectRoot: screen.session?.roots.project ?? options.directory,
        readText: options.readText,
        edit: (text, { name }) => editText(editor(), text, name),
      },
    ),
  );
  print(
    `Groundplan ${options.version}, in ${safeLine(options.directory, 400)}. It plans, and changes nothing until you approve. /help for more.`,
  );

  return {
    person,
    ready: Promise.resolve(),
    tell: (text) => say({ kind: "notice", text, tone: "plain" }),
    tip: () => undefined,
    listen(happening) {
      screen = happened(screen, happening, { now: Date.now(), words: options.words });
      show();
    },
    attach(next) {
      link = next;
      keys = chooseKeys(next.settings.keybindings).keys;
      print(`model: ${safeText(next.model)}`);
      const { state } = next.current();
      const isOther = next.isResumed && attached !== state.id;
      screen = isOther
        ? resumed(screen, { session: state, words: options.words, since })
        : { ...screen, session: state };
      attached = state.id;
      show();
      for (const text of early.splice(0)) submitLine(text);
    },
    submit: submitLine,
    ask: choose,
    wish: () => wishes.next(),
    leave: (how) => want({ kind: how }),
    close() {
      if (isOver) return;
      show();
      isOver = true;
      process.off("SIGINT", interrupt);
      reader.close();
    },
  };
}

/** A plan was read aloud when it was asked about: only what came of it is said. */
function plainPlanLines(item: Item): readonly string[] | null {
  if (item.kind !== "plan") return null;
  const remark = item.remark.trim() === "" ? [] : safeText(item.remark).split("\n");
  const comments = item.comments.map(({ kind, from, text }) => `${kind}, line ${from}: ${safeText(text)}`);
  const head =
    item.outcome === "approved" ? `Plan approved: ${safeText(item.file)}` : "Plan sent back; still in plan mode";
  return [head, ...remark, ...comments];
}
