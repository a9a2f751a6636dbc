/** What the person sends: words to the session, commands to where they belong. */
import { openedText, runCommand, unknownCommand, type CommandOutcome, type Wish } from "../../../core/commands.ts";
import type { Event } from "../../../core/event.ts";
import { costText } from "../../../agent/loop/cost-text.ts";
import type { Option } from "../overlays/choose.ts";
import { editorName, runEditor } from "../overlays/external-editor.ts";
import { helpText } from "../overlays/help.ts";
import type { Item } from "../screen/items.ts";
import type { Keys } from "./keys.ts";
import type { FaceWish, PastSession, SessionLink } from "../link.ts";

export interface SubmitParts {
  readonly keys: () => Keys;
  /** Null when the person wants none of them. */
  readonly choose: (title: string, options: readonly Option[]) => Promise<string | null>;
  readonly say: (...items: readonly Item[]) => void;
  readonly want: (wish: FaceWish) => void;
  readonly outside: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly editor: () => string | null;
  readonly link: () => SessionLink | null;
  /** Shows the transcript from its beginning, opened. */
  readonly readBack: () => void;
}

export interface Submit {
  line(text: string): void;
  act(meaning: "cycle-mode" | "stop-turn" | "read-back"): void;
}

export function createSubmit(parts: SubmitParts): Submit {
  const { keys, choose, say, want, outside, editor, link } = parts;
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

  const grant = async (wish: Wish, at: SessionLink): Promise<void> => {
    switch (wish.kind) {
      case "help":
        return said(helpText(keys()));
      case "leave":
        return want({ kind: "leave" });
      case "cost":
        return said(costText({ session: at.current().state, model: at.model, costOf: at.costOf }));
      case "review":
        if (at.openReview === undefined) return said("`groundplan review` opens the newest plan in the browser.");
        return said(`Review page:\n${await at.openReview().catch((error: unknown) => String(error))}`);
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
    if (outcome.show !== undefined) say({ kind: "card", title: outcome.say ?? "", ...outcome.show });
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
      const unknown = outcome === null ? unknownCommand(text) : null;
      if (unknown !== null) {
        say({ kind: "user", text });
        said(unknown);
        return;
      }
      if (outcome === null) {
        void send([{ type: "user-said", text }]);
        return;
      }
      if (!outcome.events.some(({ type }) => type === "user-said")) say({ kind: "user", text });
      void carryOut(outcome, at);
    },
    act(meaning) {
      if (meaning === "cycle-mode") void send([{ type: "mode-cycled" }]);
      if (meaning === "stop-turn") void send([{ type: "turn-cancelled" }]);
      if (meaning === "read-back") parts.readBack();
    },
  };
}

function sessionOption({ id, words, changedAt, mode }: PastSession): Option {
  const when = localTime(new Date(changedAt));
  const label = words === "" ? "(nothing said yet)" : words;
  return { value: id, label, note: [mode ?? "", when, id.slice(0, 8)].filter((part) => part !== "").join(" · ") };
}

/** As the person's clock says it. */
function localTime(date: Date): string {
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate(), date.getHours(), date.getMinutes()];
  const [year, month, day, hour, minute] = parts.map((part) => String(part).padStart(2, "0"));
  return `${year}-${month}-${day} ${hour}:${minute}`;
}
