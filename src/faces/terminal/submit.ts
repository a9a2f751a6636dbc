/** What the person sends: words to the session, commands to where they belong. */
import { openedText, runCommand, type CommandOutcome, type Wish } from "../../core/commands.ts";
import type { Event } from "../../core/event.ts";
import { chooseOne, type Option } from "./choose.ts";
import type { DialogQueue } from "./dialog-queue.ts";
import { editorName, runEditor } from "./external-editor.ts";
import { helpText } from "./help.ts";
import type { Item } from "./items.ts";
import type { FaceWish, PastSession, SessionLink } from "./link.ts";
import { readBack } from "./reader.ts";
import type { Screen } from "./screen.ts";
import type { Surface } from "./surface.ts";
import { shortCount } from "./view/view.ts";
import { tokensOf } from "./view/status.ts";

export interface SubmitParts {
  readonly surface: Surface;
  readonly dialogs: DialogQueue;
  readonly say: (...items: readonly Item[]) => void;
  readonly want: (wish: FaceWish) => void;
  readonly outside: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly editor: () => string | null;
  readonly link: () => SessionLink | null;
  readonly screen: () => Screen;
  /** Items as they look opened. */
  readonly views: () => (item: Item) => readonly string[];
}

export interface Submit {
  line(text: string): void;
  stop(): void;
  act(meaning: "cycle-mode" | "stop-turn" | "read-back"): void;
}

export function createSubmit(parts: SubmitParts): Submit {
  const { surface, dialogs, say, want, outside, editor, link, screen } = parts;
  const said = (text: string): void => say({ kind: "said", text });
  const send = async (events: readonly Event[]): Promise<void> => {
    for (const event of events) await link()?.current().send(event);
  };

  const open = async (file: string): Promise<void> => {
    const command = editor();
    const problem =
      command === null
        ? "no editor is known; set $VISUAL, $EDITOR or the setting `editor`"
        : await outside(() => runEditor(command, file));
    said(openedText(file, problem));
  };

  const choose = (title: string, options: readonly Option[]): Promise<string | null> =>
    new Promise((resolve) => {
      const close = dialogs.show(
        chooseOne({ title, options }, surface, (value) => {
          close();
          resolve(value);
        }),
      );
    });

  const grant = async (wish: Wish, at: SessionLink): Promise<void> => {
    switch (wish.kind) {
      case "help":
        return said(helpText(surface.keys));
      case "leave":
        return want({ kind: "leave" });
      case "cost":
        return said(costText(at));
      case "review":
        if (at.openReview === undefined) return said("`groundplan review` opens the newest plan in the browser.");
        return said(`Review page: ${await at.openReview().catch((error: unknown) => String(error))}`);
      case "resume": {
        const past = (await at.sessions()).filter(({ id }) => id !== at.current().state.id);
        if (past.length === 0) return said("There is no other session in this project.");
        const named = wish.argument === null ? null : past.filter(({ id }) => id.startsWith(wish.argument!));
        if (named !== null && named.length !== 1) return said(`${named.length} sessions begin with ${wish.argument}.`);
        const id = named?.[0]?.id ?? (await choose("Go on with", past.map(sessionOption)));
        return id === null ? undefined : want({ kind: "switch", session: id, model: null });
      }
      case "model": {
        const options = (await at.models()).map((name) => ({
          value: name,
          label: name,
          note: name === at.model ? "in use" : "",
        }));
        const model = wish.argument ?? (await choose("Model", options));
        if (model === null || model === at.model) return said(`Model: ${at.model}`);
        return want({ kind: "switch", session: at.current().state.id, model });
      }
    }
  };

  const carryOut = async (outcome: CommandOutcome, at: SessionLink): Promise<void> => {
    if (outcome.show !== undefined) say({ kind: "card", ...outcome.show });
    else if (outcome.say !== null) said(outcome.say);
    await send(outcome.events);
    if (outcome.open !== undefined) await open(outcome.open);
    if (outcome.wish !== undefined) await grant(outcome.wish, at);
  };

  return {
    line(text) {
      const at = link();
      if (text.trim() === "" || at === null) return;
      const command = editor();
      const outcome = runCommand(text, at.current().state, command === null ? null : editorName(command));
      if (outcome === null) {
        void send([{ type: "user-said", text }]);
        return;
      }
      if (!outcome.events.some(({ type }) => type === "user-said")) say({ kind: "user", text });
      void carryOut(outcome, at);
    },
    stop: () => void send([{ type: "turn-cancelled" }]),
    act(meaning) {
      if (meaning === "cycle-mode") void send([{ type: "mode-cycled" }]);
      if (meaning === "stop-turn") void send([{ type: "turn-cancelled" }]);
      if (meaning !== "read-back") return;
      const reading = { items: screen().transcript.items, linesOf: parts.views() };
      const close = dialogs.show(readBack(reading, surface, () => close()));
    },
  };
}

function costText({ current, costOf, model }: SessionLink): string {
  const { usage, settings } = current().state;
  const line = (name: string, used: typeof usage.total): string => {
    const cost = costOf(used);
    const money = cost === null ? "price not known" : `$${cost.toFixed(4)}`;
    return `${name.padEnd(9)} ${shortCount(tokensOf(used))} tokens in ${used.requests} requests, ${money}`;
  };
  const budget = settings.maxPlanningTokens === null ? [] : [`budget    ${shortCount(settings.maxPlanningTokens)} tokens for planning`];
  return [`model     ${model}`, line("all", usage.total), line("planning", usage.planning), ...budget].join("\n");
}

function sessionOption({ id, words, changedAt, mode }: PastSession): Option {
  const when = new Date(changedAt).toISOString().slice(0, 16).replace("T", " ");
  const label = words === "" ? "(nothing said yet)" : words;
  return { value: id, label, note: [mode ?? "", when, id.slice(0, 8)].filter((part) => part !== "").join(" · ") };
}
