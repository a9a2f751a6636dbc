/** What happens to the terminal's screen, row by row: what it then is, and what it wants done. */
import { describe, expect, test } from "vitest";
import { callShower } from "../../agent/tools/show.ts";
import { planning, started } from "../../testing/core-fixtures.ts";
import { chooseKeys } from "./keys/keys.ts";
import { lineText, withText } from "./keys/line.ts";
import { justAsked } from "./keys/typist.ts";
import type { FaceWish } from "./link.ts";
import { firstScreen, withItems, type Screen } from "./screen/screen.ts";
import { update, type ScreenInput } from "./update.ts";
import { noColour } from "./view/theme.ts";
import type { ScreenWish } from "./wishes.ts";

const now = 10_000;
const words = { denial: (): string => "denied", call: callShower([], "") };
const first = firstScreen({ keys: chooseKeys().keys, theme: noColour() });
const session = started({ id: "s1" });
const open: Screen = { ...first, link: "open", isLoaded: true, session, attached: "s1" };
const busy: Screen = { ...open, doing: { words: "thinking", since: 1_000 } };
const asked: Screen = { ...open, asking: justAsked };
const soon: ScreenWish = { kind: "draw", pace: "soon" };
const stop: ScreenWish = { kind: "send", event: { type: "turn-cancelled" } };
const again: ScreenWish = { kind: "draw-again", after: 2_020 };

function key(
  data: string,
  change: { readonly isLine?: boolean; readonly takesText?: boolean | null } = {},
): ScreenInput {
  return { type: "key-pressed", data, isLine: false, takesText: null, width: 76, rows: 7, now, ...change };
}

function attaching(change: Partial<Extract<ScreenInput, { type: "attached" }>> = {}): ScreenInput {
  const { keys, theme } = first;
  const base = { session, model: "m", isResumed: false, words, keys, theme, problems: [] };
  return { type: "attached", ...base, ...change };
}

function writing(text: string, screen: Screen = open): Screen {
  return { ...screen, line: withText(screen.line, text, 0) };
}

const want = (wish: FaceWish): ScreenWish => ({ kind: "tell-program", wish });

describe("a key on the session screen", () => {
  test.each<[string, Screen, string, readonly ScreenWish[]]>([
    ["Shift+Tab changes the mode", open, "\u001B[Z", [{ kind: "send", event: { type: "mode-cycled" } }, soon]],
    ["Esc stops what is being done", busy, "\u001B", [stop, soon]],
    ["Esc does nothing while nothing is done", open, "\u001B", [soon]],
    ["Ctrl-C says how to leave", open, "\u0003", [again, soon]],
    ["Ctrl-C stops what is being done, too", busy, "\u0003", [stop, again, soon]],
    ["a second Ctrl-C leaves", { ...open, leaving: now - 1_999 }, "\u0003", [want({ kind: "leave" }), soon]],
    ["a late second Ctrl-C does not", { ...open, leaving: now - 2_000 }, "\u0003", [again, soon]],
    ["Ctrl-D leaves an empty line", open, "\u0004", [want({ kind: "leave" }), soon]],
    ["Ctrl-D does not leave words", writing("a"), "\u0004", [soon]],
    ["Ctrl-Z gives the terminal back, without a frame", open, "\u001A", [{ kind: "suspend" }]],
    ["Ctrl-L draws anew", open, "\f", [{ kind: "repair" }, soon]],
    ["Ctrl-G opens the editor on the words", writing("a"), "\u0007", [{ kind: "edit", text: "a" }, soon]],
    ["Ctrl-R opens the review page", open, "\u0012", [{ kind: "submit", text: "/review" }]],
    ["Ctrl-T shows the todos", open, "\u0014", [{ kind: "submit", text: "/todos" }, soon]],
    ["? on an empty line is help", open, "?", [{ kind: "submit", text: "/help" }, soon]],
    ["? behind words is a letter", writing("a"), "?", [soon]],
    ["page up reads back", open, "\u001B[5~", [{ kind: "read-back" }, soon]],
    [
      "Enter sends, and what was sent is remembered",
      writing("hi"),
      "\r",
      [{ kind: "remember", text: "hi" }, { kind: "submit", text: "hi" }, soon],
    ],
    ["/ asks what is offered", open, "/", [{ kind: "complete", box: { text: "/", at: 1 }, isAsked: false }, soon]],
    ["Tab asks for it", writing("@c"), "\t", [{ kind: "complete", box: { text: "@c", at: 2 }, isAsked: true }, soon]],
    ["a letter elsewhere asks nothing", open, "a", [soon]],
    ["a paste asks nothing", open, "\u001B[200~/pl\u001B[201~", [soon]],
  ])("%s", (_, screen, data, wishes) => {
    expect(update(screen, key(data)).wishes).toEqual(wishes);
  });

  test("Ctrl-C clears words first, Ctrl-O opens and closes what tools did, any other key stays", () => {
    expect(update(writing("a"), key("\u0003")).screen.line).toMatchObject({ box: { text: "" }, clearedAt: now });
    const opened = update(open, key("\u000F")).screen;
    expect([opened.details, update(opened, key("\u000F")).screen.details]).toEqual([true, false]);
    expect(update({ ...open, leaving: 5 }, key("a")).screen.leaving).toBeNull();
  });

  test("before there is a session lines and modes wait, and go out in their order once it is there and commands are loaded", () => {
    const cycled: ScreenWish = { kind: "send", event: { type: "mode-cycled" } };
    const mode = update(first, key("\u001B[Z"));
    expect(mode.wishes).toEqual([soon]);
    const one = update(writing("one", mode.screen), key("\r")).screen;
    const two = update(one, { type: "line-given", text: "two" }).screen;
    const sent: readonly ScreenWish[] = [
      cycled,
      { kind: "submit", text: "one" },
      { kind: "submit", text: "two" },
      soon,
    ];
    const there = update(two, attaching());
    expect(there.wishes).toEqual([soon]);
    expect(update(there.screen, { type: "loaded" })).toMatchObject({ wishes: sent, screen: { early: [] } });
    const loaded = update(two, { type: "loaded" });
    expect(loaded.wishes).toEqual([soon]);
    expect(update(loaded.screen, attaching()).wishes).toEqual(sent);
  });
});

describe("B2.4 a key while somebody is asked", () => {
  test("is the dialog's, save for Ctrl-Z, Ctrl-L and Ctrl-R", () => {
    expect(update(asked, key("y", { takesText: false })).wishes).toEqual([{ kind: "give", data: "y" }, soon]);
    expect(update(asked, key("\u001B[Z", { takesText: false })).wishes).toEqual([
      { kind: "give", data: "\u001B[Z" },
      soon,
    ]);
    expect(update(asked, key("\u001A")).wishes).toEqual([{ kind: "suspend" }]);
    expect(update(asked, key("\f")).wishes).toEqual([{ kind: "repair" }, soon]);
    expect(update(asked, key("\u0012")).wishes).toEqual([{ kind: "submit", text: "/review" }]);
  });

  test("goes on in the line of who was writing, who is told once, until they turn to the dialog", () => {
    const typed = update(writing("so", asked), key("y", { takesText: false }));
    expect([lineText(typed.screen.line), typed.wishes]).toEqual(["soy", [soon]]);
    expect(typed.screen.aside).toContain("You were writing");
    const silent = update({ ...typed.screen, aside: null }, key("e", { takesText: false })).screen;
    expect([lineText(silent.line), silent.aside]).toEqual(["soye", null]);
    const turned = update(silent, key("\u001B[A", { takesText: false })).screen;
    expect(update(turned, key("y", { takesText: false })).wishes).toEqual([{ kind: "give", data: "y" }, soon]);
  });

  test("another dialog in front asks anew and rings; when all are gone the line has the keys again", () => {
    const next = update({ ...asked, asking: { isTurned: true, isTold: true } }, { type: "asked" });
    expect(next).toMatchObject({ screen: { asking: justAsked }, wishes: [{ kind: "ring" }] });
    const gone = update({ ...next.screen, aside: "x" }, { type: "dialogs-changed", isOpen: false }).screen;
    expect([gone.asking, gone.aside]).toEqual([null, null]);
  });
});

describe("offers", () => {
  const items = [{ value: "@src/cart.js", label: "src/cart.js", note: "" }];
  const came = (text: string, isAsked: boolean): ScreenInput => ({
    type: "offers-came",
    box: { text, at: text.length },
    offers: { items, prefix: "@c" },
    isAsked,
  });

  test("are shown for the words that they were asked for, and for no others", () => {
    expect(update(writing("@c"), came("@c", false)).screen.line.completion).toMatchObject({ items, selected: 0 });
    expect(update(writing("@ca"), came("@c", false)).screen.line.completion).toBeNull();
  });

  test("the only one that Tab finds is taken at once", () => {
    expect(update(writing("@c"), came("@c", true)).screen.line.box).toEqual({ text: "@src/cart.js ", at: 13 });
  });
});

function streaming(text: string): ScreenInput {
  const happening = { kind: "delta", request: 1, delta: { type: "text", text } } as const;
  return { type: "happened", happening, now: 0, words };
}

describe("the session", () => {
  test("a switch lets go of it, and remembers where the next one begins", () => {
    const screen = withItems(open, { kind: "said", text: "x" });
    const wish: FaceWish = { kind: "switch", session: "s2", model: null };
    const next = update(screen, { type: "program-wanted", wish });
    expect(next).toMatchObject({ screen: { link: "none", since: 1 }, wishes: [want(wish)] });
    expect(update(screen, { type: "program-wanted", wish: { kind: "gone" } }).screen).toBe(screen);
  });

  test("an answer that a switch cuts off is not part of the next one", () => {
    const cut = update(open, streaming("Answer 1.")).screen;
    const wish: FaceWish = { kind: "switch", session: "s2", model: null };
    const left = update(cut, { type: "program-wanted", wish }).screen;
    expect(update(left, streaming("Answer 2.")).screen.transcript).toEqual({
      items: [
        { kind: "text", text: "Answer 1.", open: false },
        { kind: "text", text: "Answer 2.", open: true },
      ],
      streamed: "Answer 2.",
    });
  });

  test("the same session attached again is not told twice, another one that was there before is", () => {
    const past = { ...planning(), id: "s2" };
    const shown = update(open, attaching({ session: past, isResumed: true })).screen;
    expect([shown.attached, shown.phase]).toEqual(["s2", expect.anything()]);
    const { items } = shown.transcript;
    expect(update(shown, attaching({ session: past, isResumed: true })).screen.transcript.items).toHaveLength(
      items.length,
    );
  });

  test("what of the settings cannot be followed is said", () => {
    expect(update(open, attaching({ problems: ["p"] })).screen.transcript.items).toEqual([
      { kind: "notice", text: "p", tone: "warning" },
    ]);
  });

  test.each([
    ["after long work", 1_000, null, [{ kind: "ring", text: "your turn" }, soon]],
    ["not after short work", 9_000, null, [soon]],
    ["not while somebody is asked", 1_000, justAsked, [soon]],
  ] as const)("B8.7 the bell rings %s", (_, since, asking, wishes) => {
    const screen: Screen = { ...open, doing: { words: "thinking", since }, asking };
    const happening = {
      kind: "event",
      event: { type: "turn-cancelled" },
      before: session,
      session,
      effects: [],
    } as const;
    const input: ScreenInput = { type: "happened", happening, now: 11_001, words };
    expect(update(screen, input).wishes).toEqual(wishes);
  });

  test("what a command says stands above a dialog, a notice does not", () => {
    expect(update(asked, { type: "said", items: [{ kind: "said", text: "x" }] }).screen.aside).toBe("x");
    const notice = { kind: "notice", text: "x", tone: "plain" } as const;
    expect(update(asked, { type: "said", items: [notice] }).screen.aside).toBeNull();
  });
});

test("nothing that it is given is changed in place", () => {
  const frozen = deepFrozen(
    withItems(writing("@c", busy), { kind: "welcome", version: "1", directory: "d", model: null, tip: null }),
  );
  const inputs: readonly ScreenInput[] = [
    ...["a", "\r", "\u0003", "\t", "\u001B[A", "\u007F", "\u001B[Z"].map((data) => key(data)),
    attaching(),
    { type: "tip-came", text: "t" },
    { type: "history-came", past: ["a", "b"] },
    { type: "closed" },
  ];
  for (const input of inputs) expect(() => update(frozen, input)).not.toThrow();
});

function deepFrozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFrozen(part);
  return value;
}
