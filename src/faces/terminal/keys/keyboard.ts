/** What a key does: dialogs first, then what it means on the session screen, then the line. Pure. */
import { lineText, linePressed, remembered, withInserted, withText, type LineFacts } from "./line.ts";
import { completable } from "./completion.ts";
import { readKey, type Key } from "./key-input.ts";
import { leaveWithin, meaningOf, type KeyMeaning, type Screen, type SendWish } from "../screen/screen.ts";
import { placed, typistHint } from "./typist.ts";
import { drawSoon, type ScreenWish, type Updated } from "../wishes.ts";

export interface KeyPress extends Omit<LineFacts, "keys"> {
  readonly data: string;
  /** Other keys that type something came in the same read. */
  readonly isLine: boolean;
  /** Whether words are typed into the dialog in front; null where it asks nothing, or there is none. */
  readonly takesText: boolean | null;
}

export function keyPressed(screen: Screen, press: KeyPress): Updated {
  const { keys, asking } = screen;
  const { data, now } = press;
  if (keys.matches(data, "browser")) return lineSent(screen, "/review");
  if (asking !== null && !keys.matches(data, "suspend") && !keys.matches(data, "redraw"))
    return pressedOverDialog({ ...screen, asking }, press);
  const meaning = meaningOf(screen, data, now);
  const staying = meaning === "leave-soon" || screen.leaving === null ? screen : { ...screen, leaving: null };
  const { screen: next, wishes } = meaning === "type" ? lineTyped(staying, press) : acted(staying, meaning, now);
  return { screen: next, wishes: meaning === "suspend" ? wishes : [...wishes, drawSoon] };
}

/** The key goes into the line, whatever it means elsewhere. */
export function lineTyped(screen: Screen, { data, ...facts }: Omit<KeyPress, "isLine" | "takesText">): Updated {
  const { line, sent } = linePressed(screen.line, data, { ...facts, keys: screen.keys });
  if (sent === null) return withOffers({ ...screen, line }, screen, readKey(data));
  const kept: Screen = { ...screen, line: remembered(line, sent) };
  const { screen: next, wishes } = lineSent(kept, sent);
  const remember: readonly ScreenWish[] = sent === "" ? [] : [{ kind: "remember", text: sent }];
  return { screen: next, wishes: [...remember, ...wishes] };
}

/** A command, or words for the model. */
export function lineSent(screen: Screen, text: string): Updated {
  return wantedOfSession(screen, { kind: "submit", text });
}

/** Waits until there is a session, and commands are loaded. */
function wantedOfSession(screen: Screen, wish: SendWish): Updated {
  if (screen.link === "open" && screen.isLoaded) return { screen, wishes: [wish] };
  return { screen: { ...screen, early: [...screen.early, wish] }, wishes: [] };
}

/** Asked anew whenever the word at the cursor was changed by hand. */
function withOffers(screen: Screen, before: Screen, key: Key): Updated {
  const { line } = screen;
  const isAsked = key.name === "tab";
  const isSame = line.box.text === before.line.box.text;
  if (completable(line.box) === null) return { screen: { ...screen, line: { ...line, completion: null } }, wishes: [] };
  const wasAccepted = before.line.completion !== null && line.completion === null;
  if (wasAccepted || line.recalled !== null || key.event === "paste" || (isSame && !isAsked))
    return { screen, wishes: [] };
  return { screen, wishes: [{ kind: "complete", box: line.box, isAsked }] };
}

function pressedOverDialog(screen: Screen & { readonly asking: object }, press: KeyPress): Updated {
  const { asking: before, line } = screen;
  const { place, asking } = placed(before, { ...press, text: lineText(line), clearedAt: line.clearedAt });
  const aside = asking.isTold && !before.isTold ? typistHint(screen.keys) : screen.aside;
  const next: Screen = { ...screen, asking, aside };
  if (place === "dialog") return { screen: next, wishes: [{ kind: "give", data: press.data }, drawSoon] };
  const typed = place === "line" ? lineTyped(next, press) : { screen: next, wishes: [] };
  return { screen: typed.screen, wishes: [...typed.wishes, drawSoon] };
}

/** Without the frame that follows. */
function acted(screen: Screen, meaning: Exclude<KeyMeaning, "type">, now: number): Updated {
  const only = (...wishes: readonly ScreenWish[]): Updated => ({ screen, wishes });
  switch (meaning) {
    case "newline":
      return { screen: { ...screen, line: withInserted(screen.line, "\n") }, wishes: [] };
    case "clear-input":
      return { screen: { ...screen, line: withText(screen.line, "", now) }, wishes: [] };
    case "leave-soon":
      return leavingSoon(screen, now);
    case "leave":
      return only({ kind: "tell-program", wish: { kind: "leave" } });
    case "toggle-details":
      return { screen: { ...screen, details: !screen.details }, wishes: [] };
    case "edit-outside":
      return only({ kind: "edit", text: lineText(screen.line) });
    case "suspend":
      return only({ kind: "suspend" });
    case "redraw":
      return only({ kind: "repair" });
    case "help":
      return lineSent(screen, "/help");
    case "show-todos":
      return lineSent(screen, "/todos");
    case "cycle-mode":
      return wantedOfSession(screen, { kind: "send", event: { type: "mode-cycled" } });
    case "stop-turn":
      return wantedOfSession(screen, { kind: "send", event: { type: "turn-cancelled" } });
    case "read-back":
      return only({ kind: "read-back" });
  }
}

/** Once more within a moment, and it is left; what is being done stops at once. */
function leavingSoon(screen: Screen, now: number): Updated {
  const stop: readonly ScreenWish[] =
    screen.doing === null ? [] : [{ kind: "send", event: { type: "turn-cancelled" } }];
  return { screen: { ...screen, leaving: now }, wishes: [...stop, { kind: "draw-again", after: leaveWithin + 20 }] };
}

/** Ctrl-C where there are no keys but lines: a second one within a moment leaves. */
export function interrupted(screen: Screen, now: number): Updated {
  const isSecond = screen.leaving !== null && now - screen.leaving < leaveWithin;
  return acted(screen, isSecond ? "leave" : "leave-soon", now);
}
