/** The terminal without redrawing: every line is printed once, answers are typed as lines. For screen readers. */
import { saidIn } from "../../core/verdict.ts";
import { createInterface } from "node:readline";
import { statusLabel } from "../../core/selectors.ts";
import { plainPerson } from "./dialogs/plain/plain.ts";
import { editorOf, openDoors, passOn, type EitherShell } from "./either-face.ts";
import { chooseKeys } from "./keys/keys.ts";
import { createSubmit } from "./keys/submit.ts";
import type { FaceOptions, TerminalFace } from "./link.ts";
import type { Option } from "./overlays/choose.ts";
import { editText } from "./overlays/external-editor.ts";
import { isFinal, type Item } from "./screen/items.ts";
import { firstScreen, type Screen } from "./screen/screen.ts";
import { update, type ScreenInput } from "./update.ts";
import { itemLines } from "./view/item.ts";
import { safeLine, safeText, styles } from "./view/safe-text.ts";
import { noColour } from "./view/theme.ts";
import { createFaceWishes, type ScreenWish } from "./wishes.ts";

export function startPlainFace(options: FaceOptions): TerminalFace {
  const shell = createPlainShell(options);
  const { live, print, dispatch, answers } = shell;
  const { doors, asking } = openDoors(shell);
  const reader = createInterface({ input: options.stdin, terminal: false });
  reader.on("line", (text) => {
    if (!answers.take(text)) dispatch({ type: "line-given", text });
  });
  reader.on("close", () => {
    answers.take(null);
    if (!live.screen.isOver) doors.leave("leave");
  });
  const interrupt = (): void => dispatch({ type: "interrupted", now: Date.now() });
  process.on("SIGINT", interrupt);
  print(
    `Groundplan ${options.version}, in ${safeLine(options.directory, 400)}. It plans, and changes nothing until you approve. /help for more.`,
  );
  return {
    ...doors,
    person: plainPerson(
      { print, line: (signal) => answers.next(signal), now: () => Date.now() },
      { ...asking, edit: (text, { name }) => editText(editorOf(shell), text, name) },
    ),
    ready: Promise.resolve(),
    tip: () => undefined,
    attach(link) {
      const { keys } = chooseKeys(link.settings.keybindings);
      const { model, isResumed } = link;
      const { theme } = live.screen;
      live.link = link;
      print(`model: ${safeText(model)}`);
      const session = link.current().state;
      dispatch({ type: "attached", session, model, isResumed, words: options.words, keys, theme, problems: [] });
    },
    ask: (title, list) => choose(shell, title, list),
    close() {
      if (live.screen.isOver) return;
      dispatch({ type: "closed" });
      process.off("SIGINT", interrupt);
      reader.close();
    },
  };
}

interface PlainShell extends EitherShell {
  readonly answers: ReturnType<typeof createAnswers>;
  readonly print: (text: string) => void;
}

function createPlainShell(options: FaceOptions): PlainShell {
  const live: PlainShell["live"] = {
    screen: { ...firstScreen({ keys: chooseKeys().keys, theme: noColour() }), isLoaded: true },
    link: null,
  };
  let told: Told = { items: 0, mode: "", isWorking: false, leaving: null };
  const print = (text: string): void => {
    const bare = text.replaceAll(styles, "");
    if (!live.screen.isOver) options.stdout.write(bare.endsWith("\n") ? bare : `${bare}\n`);
  };
  const linesOf = (item: Item): readonly string[] =>
    plainPlanLines(item) ?? itemLines(item, viewFacts(live.screen, options));
  const dispatch = (input: ScreenInput): void => {
    const { screen, wishes } = update(live.screen, input);
    const said = spoken(told, screen, linesOf);
    said.lines.forEach(print);
    live.screen = screen;
    told = said.told;
    for (const wish of wishes) perform(wish);
  };
  const shell = { options, live, answers: createAnswers(), faceWishes: createFaceWishes(), print, dispatch };
  const choosing = (title: string, list: readonly Option[]) => choose(shell, title, list);
  const submit = createSubmit({ shell, choose: choosing, outside: (work) => work() });
  /** Nothing is drawn here, and no bell rings. */
  const perform = (wish: ScreenWish): void => (wish.kind === "submit" ? submit(wish.text) : passOn(shell, wish));
  return shell;
}

interface Told {
  readonly items: number;
  readonly mode: string;
  readonly isWorking: boolean;
  readonly leaving: number | null;
}

/** What is new on the screen, in lines: each is said once. */
function spoken(
  told: Told,
  { transcript, session, doing, leaving }: Screen,
  linesOf: (item: Item) => readonly string[],
): { readonly lines: readonly string[]; readonly told: Told } {
  const rest = transcript.items.slice(told.items);
  const open = rest.findIndex((item) => !isFinal(item));
  const finished = open === -1 ? rest : rest.slice(0, open);
  const mode = session === null ? told.mode : modeWords(session);
  const isWorking = doing !== null;
  const lines = [
    ...finished.flatMap((item) => (item.kind === "user" ? [] : linesOf(item))),
    ...(mode === told.mode ? [] : [mode === "" ? "default mode" : mode]),
    ...(isWorking && !told.isWorking ? ["working; ctrl+c stops"] : []),
    ...(leaving !== null && leaving !== told.leaving && !isWorking ? ["ctrl+c again to leave"] : []),
  ];
  return { lines, told: { items: told.items + finished.length, mode, isWorking, leaving } };
}

function modeWords(session: NonNullable<Screen["session"]>): string {
  return statusLabel(session)
    .replace(/^\S+ /, "")
    .replace(/ \(.*\)$/, "");
}

function viewFacts(screen: Screen, { stdout, platform }: FaceOptions): Parameters<typeof itemLines>[1] {
  return {
    width: Math.max(20, stdout.columns || 80),
    theme: screen.theme,
    platform,
    details: false,
    directory: screen.session?.roots.project ?? "",
    revision: 0,
    highlight: null,
  };
}

/** Lines that answer a question; whatever is typed otherwise is for the session. */
function createAnswers() {
  let asked: ((line: string | null) => void) | null = null;
  return {
    next: (signal?: AbortSignal) =>
      new Promise<string | null>((resolve) => {
        const answer = (text: string | null): void => {
          if (asked === answer) asked = null;
          resolve(text);
        };
        asked = answer;
        signal?.addEventListener("abort", () => answer(null), { once: true });
      }),
    /** False when nobody was asked. */
    take(line: string | null): boolean {
      const isAsked = asked !== null;
      asked?.(line);
      return isAsked;
    },
  };
}

async function choose({ print, answers }: PlainShell, title: string, list: readonly Option[]): Promise<string | null> {
  const rows = list
    .slice(0, 20)
    .map(({ label, note }, index) => `${index + 1}. ${safeLine(label, 400)}${note === "" ? "" : ` (${note})`}`);
  print([title, ...rows, "Type a number; an empty line for none."].join("\n"));
  return list[Number(await answers.next()) - 1]?.value ?? null;
}

/** A plan was read aloud when it was asked about: only what came of it is said. */
function plainPlanLines(item: Item): readonly string[] | null {
  if (item.kind !== "plan") return null;
  const remark = item.remark.trim() === "" ? [] : safeText(item.remark).split("\n");
  const comments = item.comments.map((one) => `${one.kind}, line ${one.from}: ${safeText(saidIn(one).join("\n"))}`);
  const head =
    item.outcome === "approved" ? `Plan approved: ${safeText(item.file)}` : "Plan sent back; still in plan mode";
  return [head, ...remark, ...comments];
}
