/** Everything that can happen to the terminal's screen, what it then is, and what it wants done. Pure. */
import type { Happening } from "../../agent/ports/handle.ts";
import type { Session } from "../../core/session.ts";
import { accepted, offered, type OfferQuestion, type Offers } from "./keys/completion.ts";
import { interrupted, keyPressed, lineSent, lineTyped } from "./keys/keyboard.ts";
import { remembered, withText } from "./keys/line.ts";
import { justAsked, type KeyPress } from "./keys/typist.ts";
import type { KeyChoice } from "./keys/keys.ts";
import type { FaceWish, SessionLink } from "./link.ts";
import type { SessionWords } from "./screen/entries.ts";
import type { Item } from "./screen/items.ts";
import { happened, isAnswerToKeys, resumed, withItems, type Screen } from "./screen/screen.ts";
import { closed } from "./screen/transcript.ts";
import { drawSoon, wanting, type ScreenWish, type Updated } from "./wishes.ts";

export type ScreenInput =
  | ({ readonly type: "key-pressed" } & KeyPress)
  /** Over a list that was opened while the person was writing. */
  | ({ readonly type: "line-typed" } & Omit<KeyPress, "isLine" | "takesText">)
  /** In the person's editor. */
  | { readonly type: "line-written"; readonly text: string; readonly now: number }
  | { readonly type: "line-given"; readonly text: string }
  | { readonly type: "interrupted"; readonly now: number }
  | ({ readonly type: "offers-came"; readonly offers: Offers } & OfferQuestion)
  | { readonly type: "history-came"; readonly past: readonly string[] }
  | { readonly type: "happened"; readonly happening: Happening; readonly now: number; readonly words: SessionWords }
  | Attached
  | { readonly type: "sandbox-known"; readonly sandbox: string | null }
  /** Commands and views are there. */
  | { readonly type: "loaded" }
  | { readonly type: "colours-came" }
  | { readonly type: "said"; readonly items: readonly Item[] }
  | { readonly type: "tip-came"; readonly text: string }
  | { readonly type: "focus-changed"; readonly focused: boolean }
  /** Another dialog is in front. */
  | { readonly type: "asked" }
  | { readonly type: "dialogs-changed"; readonly isOpen: boolean }
  | { readonly type: "program-wanted"; readonly wish: FaceWish }
  | { readonly type: "closed" };

interface Attached extends KeyChoice, Pick<Screen, "theme">, Pick<SessionLink, "model" | "isResumed"> {
  readonly type: "attached";
  readonly session: Session;
  readonly words: SessionWords;
}

type Input<Type> = Extract<ScreenInput, { readonly type: Type }>;

export function update(screen: Screen, input: ScreenInput): Updated {
  switch (input.type) {
    case "key-pressed":
      return keyPressed(screen, input);
    case "line-typed":
      return lineTyped(screen, input);
    case "line-written":
      return drawn({ ...screen, line: withText(screen.line, input.text, input.now) });
    case "line-given":
      return lineSent(screen, input.text);
    case "interrupted":
      return interrupted(screen, input.now);
    case "offers-came":
      return drawn(withOffers(screen, input));
    case "history-came":
      return wanting({ ...screen, line: input.past.reduce(remembered, screen.line) });
    case "happened":
      return heard(screen, input);
    case "attached":
      return attached(screen, input);
    case "sandbox-known":
      return drawn({ ...screen, sandbox: input.sandbox });
    case "loaded":
      return withEarly({ ...screen, isLoaded: true, revision: screen.revision + 1 });
    case "colours-came":
      return drawn({ ...screen, revision: screen.revision + 1 });
    case "said":
      return drawn(said(screen, input.items));
    case "tip-came":
      return drawn(withWelcome(screen, { tip: input.text }));
    case "focus-changed":
      return wanting({ ...screen, focused: input.focused });
    case "asked":
      return wanting({ ...screen, asking: justAsked }, { kind: "ring", text: "an answer is awaited" });
    case "dialogs-changed":
      return drawn({ ...screen, aside: null, asking: input.isOpen ? (screen.asking ?? justAsked) : null });
    case "program-wanted":
      return wanted(screen, input.wish);
    case "closed":
      return wanting({ ...screen, isOver: true });
  }
}

function drawn(screen: Screen): Updated {
  return wanting(screen, drawSoon);
}

/** Nothing when the line is no longer what it was asked for. */
function withOffers(screen: Screen, { box, offers, isAsked }: Input<"offers-came">): Screen {
  const { line } = screen;
  if (line.box.text !== box.text || line.box.at !== box.at) return screen;
  const completion = offered(offers);
  if (completion === null || !isAsked || offers.items.length > 1) return { ...screen, line: { ...line, completion } };
  const taken = { ...line, box: accepted(completion, box), undo: [box, ...line.undo], completion: null };
  return { ...screen, line: taken };
}

function heard(screen: Screen, { happening, now, words }: Input<"happened">): Updated {
  const next = happened(screen, happening, { now, words });
  const wasBusySince = screen.doing?.since ?? null;
  const isDone = wasBusySince !== null && next.doing === null && next.asking === null;
  const draw: ScreenWish = { kind: "draw", pace: isAnswerToKeys(happening) ? "soon" : "calmly" };
  const isLong = isDone && now - wasBusySince > longWork;
  return isLong ? wanting(next, { kind: "ring", text: "your turn" }, draw) : wanting(next, draw);
}

/** Who looked elsewhere for so long is called back. */
const longWork = 10_000;

function attached(screen: Screen, { session, model, isResumed, words, keys, theme, problems }: Attached): Updated {
  const welcomed = withWelcome({ ...screen, model, keys, theme, link: "open" }, { model });
  const isOther = isResumed && screen.attached !== session.id;
  const shown = isOther ? resumed(welcomed, session, words) : { ...welcomed, session };
  const notices = problems.map((text): Item => ({ kind: "notice", text, tone: "warning" }));
  return withEarly(said({ ...shown, attached: session.id, revision: screen.revision + 1 }, notices));
}

/** What was wanted too early is done once it can be. */
function withEarly(screen: Screen): Updated {
  if (screen.link === "none" || !screen.isLoaded) return drawn(screen);
  return wanting({ ...screen, early: [] }, ...screen.early, drawSoon);
}

/** What a command says is also said above a dialog, which hides the transcript. */
function said(screen: Screen, items: readonly Item[]): Screen {
  const last = items.findLast((item) => item.kind === "said");
  return withItems(last === undefined ? screen : { ...screen, aside: last.text }, ...items);
}

function withWelcome(screen: Screen, change: { readonly model?: string; readonly tip?: string }): Screen {
  const items = screen.transcript.items.map((item) => (item.kind === "welcome" ? { ...item, ...change } : item));
  return { ...screen, transcript: { ...screen.transcript, items } };
}

/** Another session: nothing is sent to this one any more, and what is heard from now on is that one's. */
function wanted(screen: Screen, wish: FaceWish): Updated {
  const transcript = closed(screen.transcript);
  const left: Partial<Screen> = { link: "none", transcript, since: transcript.items.length };
  return wanting(wish.kind === "switch" ? { ...screen, ...left } : screen, { kind: "tell-program", wish });
}
