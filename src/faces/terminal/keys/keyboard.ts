/** What a key does: dialogs first, then what it means on the session screen, then the line. Pure. */
import { lineText, linePressed, remembered, withInserted, withText } from "./line.ts";
import { completable } from "./completion.ts";
import { readKey, type Key } from "./key-input.ts";
import type { Action } from "./keys.ts";
import { isLeaving, leaveWithin, type Screen, type SendWish } from "../screen/screen.ts";
import { placed, typistHint, type KeyPress } from "./typist.ts";
import { drawSoon, wanting, type ScreenWish, type Updated } from "../wishes.ts";

export function keyPressed(screen: Screen, press: KeyPress): Updated {
  const { keys, asking } = screen;
  const { data } = press;
  if (keys.matches(data, "browser")) return lineSent(screen, "/review");
  if (asking !== null && !keys.matches(data, "suspend") && !keys.matches(data, "redraw"))
    return pressedOverDialog({ ...screen, asking }, press);
  const { screen: next, wishes } = pressed(screen, press);
  return { screen: next, wishes: wishes[0]?.kind === "suspend" ? wishes : [...wishes, drawSoon] };
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
  if (screen.link === "open" && screen.isLoaded) return wanting(screen, wish);
  return wanting({ ...screen, early: [...screen.early, wish] });
}

/** Asked anew whenever the word at the cursor was changed by hand. */
function withOffers(screen: Screen, before: Screen, key: Key): Updated {
  const { line } = screen;
  const isAsked = key.name === "tab";
  const isSame = line.box.text === before.line.box.text;
  if (completable(line.box) === null) return wanting({ ...screen, line: { ...line, completion: null } });
  const wasAccepted = before.line.completion !== null && line.completion === null;
  if (wasAccepted || line.recalled !== null || key.event === "paste" || (isSame && !isAsked)) return wanting(screen);
  return wanting(screen, { kind: "complete", box: line.box, isAsked });
}

function pressedOverDialog(screen: Screen & { readonly asking: object }, press: KeyPress): Updated {
  const { asking: before, line } = screen;
  const { place, asking } = placed(before, { ...press, text: lineText(line), clearedAt: line.clearedAt });
  const aside = asking.isTold && !before.isTold ? typistHint(screen.keys) : screen.aside;
  const next: Screen = { ...screen, asking, aside };
  if (place === "dialog") return wanting(next, { kind: "give", data: press.data }, drawSoon);
  const typed = place === "line" ? lineTyped(next, press) : wanting(next);
  return { screen: typed.screen, wishes: [...typed.wishes, drawSoon] };
}

/** Without the frame that follows. */
function pressed(before: Screen, press: KeyPress): Updated {
  const { data, now } = press;
  const { keys, line, doing } = before;
  const screen = { ...before, leaving: null, escaped: null };
  const does = (action: Action): boolean => keys.matches(data, action);
  const isEmpty = lineText(line) === "";
  const isCompleting = line.completion !== null;
  if (does("cycleMode")) return wantedOfSession(screen, { kind: "send", event: { type: "mode-cycled" } });
  if (does("leave") && !isEmpty) return wanting({ ...screen, line: withText(line, "", now) });
  if (does("leave")) return isLeaving(before, now) ? wanting(screen, leave) : leavingSoon(screen, now);
  if (does("endOfInput") && isEmpty) return wanting(screen, leave);
  if (data === escapeTwice && !isCompleting && isEmpty && doing === null) return lineSent(screen, "/rewind");
  if (does("cancel") && !isCompleting && isEmpty && doing === null) return escaped(before, screen, now);
  if (does("cancel") && !isCompleting) return doing === null ? lineTyped(screen, press) : wantedOfSession(screen, stop);
  if (does("externalEditor")) return wanting(screen, { kind: "edit", text: lineText(line) });
  if (does("expand")) return wanting({ ...screen, details: !screen.details });
  if (does("todos")) return lineSent(screen, "/todos");
  if (does("suspend")) return wanting(screen, { kind: "suspend" });
  if (does("redraw")) return wanting(screen, { kind: "repair" });
  if (does("newline")) return wanting({ ...screen, line: withInserted(line, "\n") });
  if (isEmpty && !isCompleting && does("pageUp")) return wanting(screen, { kind: "read-back" });
  return isEmpty && data === "?" ? lineSent(screen, "/help") : lineTyped(screen, press);
}

/** Twice within a moment, on an empty line: where to go back to (B15.1). */
function escaped(before: Screen, screen: Screen, now: number): Updated {
  const isTwice = before.escaped !== null && now - before.escaped < escapeWithin;
  return isTwice ? lineSent(screen, "/rewind") : wanting({ ...screen, escaped: now });
}

const escapeWithin = 1_000;
/** Pressed so fast that a terminal sends them as one. */
const escapeTwice = "\u001B\u001B";

const leave: ScreenWish = { kind: "tell-program", wish: { kind: "leave" } };
const stop: SendWish = { kind: "send", event: { type: "turn-cancelled" } };

/** Once more within a moment, and it is left; what is being done stops at once. */
function leavingSoon(screen: Screen, now: number): Updated {
  const again: ScreenWish = { kind: "draw-again", after: leaveWithin + 20 };
  return wanting({ ...screen, leaving: now }, ...(screen.doing === null ? [] : [stop]), again);
}

/** Ctrl-C where there are no keys but lines: a second one within a moment leaves. */
export function interrupted(screen: Screen, now: number): Updated {
  return isLeaving(screen, now) ? wanting(screen, leave) : leavingSoon(screen, now);
}
