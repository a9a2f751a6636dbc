/** Keys in every encoding that terminals send, and the setting that rebinds them. */
import { describe, expect, test } from "vitest";
import { keyName, readKey } from "./key-input.ts";
import { chooseKeys } from "./keys.ts";

describe("readKey", () => {
  test.each([
    ["\u001B[Z", "shift+tab", null, "press"],
    ["\u001B[1;2Z", "shift+tab", null, "press"],
    ["\u001B[9;2u", "shift+tab", null, "press"],
    ["\u001B[9;2:1u", "shift+tab", null, "press"],
    ["\u001B[9;2:2u", "shift+tab", null, "repeat"],
    ["\u001B[9;2:3u", "shift+tab", null, "release"],
    ["\u001B[9;66u", "shift+tab", null, "press"],
    ["\u001B[27;2;9~", "shift+tab", null, "press"],
    ["\u001B[27;66;9~", "shift+tab", null, "press"],
    ["\t", "tab", null, "press"],
    ["\u001B[9u", "tab", null, "press"],
    ["\u001B", "escape", null, "press"],
    ["\u001B[27u", "escape", null, "press"],
    ["\u001B[27;1:3u", "escape", null, "release"],
    ["\r", "enter", null, "press"],
    ["\u001B[13u", "enter", null, "press"],
    ["\u001B[57414u", "enter", null, "press"],
    ["\u001B[13;2u", "shift+enter", null, "press"],
    ["\u001B[27;2;13~", "shift+enter", null, "press"],
    ["\u001B\r", "alt+enter", null, "press"],
    ["\u0003", "ctrl+c", null, "press"],
    ["\u001B[99;5u", "ctrl+c", null, "press"],
    ["\u001B[27;5;99~", "ctrl+c", null, "press"],
    ["\u001B[1089::99;5u", "ctrl+c", null, "press"],
    ["a", "a", "a", "press"],
    ["A", "shift+a", "A", "press"],
    ["\u001B[97;2u", "shift+a", "A", "press"],
    ["\u001B[97:65;2u", "shift+a", "A", "press"],
    ["\u001B[97;;97u", "a", "a", "press"],
    ["\u001B[57400u", "1", "1", "press"],
    ["1", "1", "1", "press"],
    [" ", "space", " ", "press"],
    ["\u001B[32u", "space", " ", "press"],
    ["é", "é", "é", "press"],
    ["escape", "", "escape", "press"],
    ["\u001B[A", "up", null, "press"],
    ["\u001BOA", "up", null, "press"],
    ["\u001B[1;1:1A", "up", null, "press"],
    ["\u001B[1;2A", "shift+up", null, "press"],
    ["\u001B[5~", "pageup", null, "press"],
    ["\u001B[6;1:2~", "pagedown", null, "repeat"],
    ["\u001B[H", "home", null, "press"],
    ["\u001B[1~", "home", null, "press"],
    ["\u001BOF", "end", null, "press"],
    ["\u001B[3~", "delete", null, "press"],
    ["\u007F", "backspace", null, "press"],
    ["\u001B[127u", "backspace", null, "press"],
    ["\u001B[200~one\r\ntwo\u001B[201~", "", "one\ntwo", "paste"],
    ["\u001B[200~90:62:3F\u001B[201~", "", "90:62:3F", "paste"],
    ["\u001B[<35;20;5m", "", null, "press"],
    ["\u001B[999999999u", "", null, "press"],
  ])("%j is %s", (input, name, text, event) => {
    expect(readKey(input)).toEqual({ name, text, event });
  });
});

test("keyName reads what people write", () => {
  expect(
    ["Shift+Tab", "esc", "Ctrl+Alt+X", "cmd+k", "PgUp", "+", "ctrl++", "F5", "hyper+q", "", "tabb", "ctrl+"].map(
      keyName,
    ),
  ).toEqual(["shift+tab", "escape", "ctrl+alt+x", "super+k", "pageup", "+", "ctrl++", "f5", null, null, null, null]);
});

describe("chooseKeys", () => {
  test("Shift+Tab changes the mode in every encoding, and a key that is let go does nothing", () => {
    const { keys, problems } = chooseKeys();
    expect(problems).toEqual([]);
    const inputs = [
      "\u001B[Z",
      "\u001B[9;2u",
      "\u001B[27;2;9~",
      "\u001B[9;2:1u",
      "\u001B[9;2:3u",
      "\t",
      "\u001B[200~\u001B[Z\u001B[201~",
    ];
    expect(inputs.map((input) => keys.matches(input, "cycleMode"))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test("B8.4 keys can be bound anew, several to an action, or none", () => {
    const { keys, problems } = chooseKeys({ cycleMode: ["f2", "Ctrl+Q"], todos: null, expand: "ctrl+x" });
    expect(problems).toEqual([]);
    expect(keys.keysOf("cycleMode")).toEqual(["f2", "ctrl+q"]);
    expect([keys.matches("\u001B[Z", "cycleMode"), keys.matches("\u001BOQ", "cycleMode")]).toEqual([false, true]);
    expect([keys.label("todos"), keys.label("expand")]).toEqual(["", "ctrl+x"]);
  });

  test("B8.4 what cannot be followed is said, and the default stays", () => {
    const { keys, problems } = chooseKeys({ "cycle-mode": "f2", expand: "hyper+q", leave: null, todos: "ctrl+o" });
    expect(problems).toEqual([
      'keybindings: there is no action "cycle-mode"; did you mean "cycleMode"?',
      'keybindings.expand: "hyper+q" is not a key; write for example "shift+tab", "ctrl+o" or "f2"',
      "keybindings.leave: this action needs a key; it keeps ctrl+c",
      'keybindings.todos: "ctrl+o" already does expand',
    ]);
    expect(keys.keysOf("leave")).toEqual(["ctrl+c"]);
  });
});
