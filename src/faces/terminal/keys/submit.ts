/** What the person sends: words to the session, commands to where they belong. */
import { openedText, runCommand, unknownCommand, type CommandOutcome, type Wish } from "../../../core/commands.ts";
import type { Event } from "../../../core/event.ts";
import { costText } from "../../../agent/loop/cost-text.ts";
import { localTime } from "../../../agent/loop/local-time.ts";
import type { Option } from "../overlays/choose.ts";
import { editorName, noEditor, runEditor } from "../overlays/external-editor.ts";
import { helpText } from "../overlays/help.ts";
import { chooseRewind } from "../overlays/rewind.ts";
import type { Outside } from "../overlays/outside.ts";
import type { Item } from "../screen/items.ts";
import { editorOf, type EitherShell } from "../either-face.ts";
import type { FaceWish, PastSession, SessionLink } from "../link.ts";

export interface SubmitParts {
  readonly shell: EitherShell;
  /** Null when the person wants none of them. */
  readonly choose: (title: string, options: readonly Option[]) => Promise<string | null>;
  readonly outside: Outside;
}

export type Submit = (text: string) => void;

export function createSubmit(parts: SubmitParts): Submit {
  const { shell } = parts;
  const { live, dispatch } = shell;
  const say = (...items: readonly Item[]): void => dispatch({ type: "said", items });
  const said = (text: string): void => say({ kind: "said", text });
  const send = async (events: readonly Event[]): Promise<void> => {
    for (const event of events) await live.link?.current().send(event);
  };
  const carryOut = async (outcome: CommandOutcome, at: SessionLink): Promise<void> => {
    if (outcome.show !== undefined) say({ kind: "card", title: outcome.say ?? "", ...outcome.show });
    else if (outcome.say !== null) said(outcome.say);
    await send(outcome.events);
    if (outcome.open !== undefined) said(await opened(outcome.open, parts));
    const answer = outcome.wish === undefined ? null : await granted(outcome.wish, at, parts);
    if (answer !== null) said(answer);
  };
  return (text) => {
    const at = live.link;
    if (text.trim() === "" || at === null) return;
    const command = editorOf(shell);
    const outcome = runCommand(text, at.current().state, command === null ? null : editorName(command));
    if (outcome === null) {
      const unknown = unknownCommand(text);
      if (unknown === null) void send([{ type: "user-said", text }]);
      else say({ kind: "user", text }, { kind: "said", text: unknown });
      return;
    }
    if (!outcome.events.some(({ type }) => type === "user-said")) say({ kind: "user", text });
    void carryOut(outcome, at);
  };
}

async function opened(file: string, { shell, outside }: SubmitParts): Promise<string> {
  const command = editorOf(shell);
  const problem = command === null ? noEditor : await outside(() => runEditor(command, file));
  return openedText(file, problem);
}

/** What is to be said about it; null: nothing. */
async function granted(wish: Wish, at: SessionLink, parts: SubmitParts): Promise<string | null> {
  switch (wish.kind) {
    case "help":
      return helpText(parts.shell.live.screen.keys);
    case "leave":
      want(parts, { kind: "leave" });
      return null;
    case "cost":
      return costText({ session: at.current().state, model: at.model, costOf: at.costOf });
    case "hooks":
      return at.hooks();
    case "review":
      if (at.openReview === undefined) return "`groundplan review` opens the newest plan in the browser.";
      return `Review page:\n${await at.openReview().catch((error: unknown) => String(error))}`;
    case "verify":
      if (at.verify === undefined) return "`groundplan verify` checks the newest approved plan.";
      return at.verify().catch((error: unknown) => String(error));
    case "rewind":
      return chooseRewind(at, { choose: parts.choose, dispatch: parts.shell.dispatch });
    case "resume":
      return resume(wish.argument, at, parts);
    case "model":
      return changeModel(wish.argument, at, parts);
  }
}

async function resume(argument: string | null, at: SessionLink, parts: SubmitParts): Promise<string | null> {
  const past = (await at.sessions()).filter(({ id }) => id !== at.current().state.id);
  if (past.length === 0) return "There is no other session in this project.";
  const named = argument === null ? null : past.filter(({ id }) => id.startsWith(argument));
  if (named !== null && named.length !== 1) return `${named.length} sessions begin with ${argument}.`;
  const id = named?.[0]?.id ?? (await parts.choose("Go on with", past.map(sessionOption)));
  if (id !== null) want(parts, { kind: "switch", session: id, model: null });
  return null;
}

async function changeModel(argument: string | null, at: SessionLink, parts: SubmitParts): Promise<string | null> {
  const note = (name: string): string => (name === at.model ? "in use" : "");
  const options = (await at.models()).map((name) => ({ value: name, label: name, note: note(name) }));
  const model = argument ?? (await parts.choose("Model", options));
  if (model === null || model === at.model) return `Model: ${at.model}`;
  want(parts, { kind: "switch", session: at.current().state.id, model });
  return null;
}

function want({ shell }: SubmitParts, wish: FaceWish): void {
  shell.dispatch({ type: "program-wanted", wish });
}

function sessionOption({ id, words, changedAt, mode }: PastSession): Option {
  const when = localTime(changedAt);
  const label = words === "" ? "(nothing said yet)" : words;
  return { value: id, label, note: [mode ?? "", when, id.slice(0, 8)].filter((part) => part !== "").join(" · ") };
}
