/** The permission dialog and the one that asks to enter plan mode, key by key. */
import { describe, expect, test } from "vitest";
import type { PermissionAsk } from "../../src/agent/ports/ports.ts";
import type { Mode } from "../../src/core/mode.ts";
import { permissionDialog, type Permission } from "../../src/faces/terminal/dialogs/permission.ts";
import { permissionRequest } from "../../src/agent/answers/permission-request.ts";
import { emulator, key, typing, type Emulator, type EmulatorOptions } from "./emulator.ts";
import { asked, commandAsk, editAsk, enterAsk, permissionOptions, unprovenAsk } from "./requests.ts";

describe("entering plan mode", () => {
  test.each([
    ["y", true],
    ["1", true],
    [key.enter, true],
    ["n", false],
    ["2", false],
  ])("R6.3 %j answers %s", async (input, allowed) => {
    const { answers, terminal } = await opened(enterAsk);
    await terminal.press(input);
    expect(answers).toEqual([{ allowed }]);
  });

  test.each([key.escape, "\u0003", "3", "q"])("B18.1 %j says no and stops", async (input) => {
    const { answers, terminal } = await opened(enterAsk);
    await terminal.press(input);
    expect(answers).toEqual([{ allowed: false, stop: true }]);
  });

  test("R6.3 the dialog says what will happen", async () => {
    const { terminal } = await opened(enterAsk);
    const screen = (await terminal.screen()).join("\n");
    for (const part of ["Enter plan mode?", "explore", "patterns", "design", "present a plan", "until you approve"]) {
      expect(screen).toContain(part);
    }
  });
});

test.each([
  [80, 24],
  [40, 10],
] as const)("B6.2 an edit of a file that the plan does not name says so, at %i×%i", async (columns, rows) => {
  const named = editAsk("return sum;", "return sum * 2;");
  const ask = { ...named, question: { ...named.question, outsidePlan: true } } as PermissionAsk;
  const screens = await Promise.all(
    [named, ask].map(async (one) =>
      (await (await opened(one, "default", { columns, rows })).terminal.screen()).join(" "),
    ),
  );
  const says = screens.map((screen) =>
    screen.replaceAll(/\s+/g, " ").includes("The approved plan does not name this file."),
  );
  expect(says).toEqual([false, true]);
});

describe("commands", () => {
  test("the whole command, where it would run, why it is asked, and the mode are shown; the part that decided is marked", async () => {
    const { terminal } = await opened(commandAsk("npm run build && rm -rf dist", { part: "rm -rf dist" }));
    const screen = await terminal.screen();
    const text = screen.join("\n");
    for (const part of ["npm run build && rm -rf dist", "/home/ada/shop", "rm removes files", "default mode"]) {
      expect(text).toContain(part);
    }
    expect(terminal.written()).toContain("\u001B[7mrm -rf dist\u001B[27m");
  });

  test("every line of a long command is reached, the choices stay in view", async () => {
    const command = Array.from({ length: 90 }, (_, index) => `echo line-${index + 1}.`).join("\n");
    const { terminal } = await opened(commandAsk(command), "default", { columns: 40, rows: 12 });
    const seen = new Set<string>();
    await terminal.pass(1_000);
    for (let page = 0; page < 60; page += 1) {
      const screen = (await terminal.screen()).join("\n");
      for (const match of screen.matchAll(/line-(\d+)\./g)) seen.add(match[1]!);
      expect(screen).toContain("1. Yes");
      await terminal.send(key.pageDown);
    }
    expect(seen.size).toBe(90);
  });

  test("R15.2 B18.1 yes, no, no with words; Esc and Ctrl-C are no, and stop", async () => {
    const inputs = [
      ["y"],
      ["1"],
      [key.escape],
      ["\u0003"],
      ["n", key.enter],
      ["n", ...typing("use 2 spaces"), key.enter],
    ];
    const given: Permission[] = [];
    for (const input of inputs) {
      const { answers, terminal } = await opened(commandAsk("npm run build"));
      await terminal.press(...input);
      given.push(...answers);
    }
    expect(given).toEqual([
      { allowed: true },
      { allowed: true },
      { allowed: false, stop: true },
      { allowed: false, stop: true },
      { allowed: false },
      { allowed: false, reason: "use 2 spaces" },
    ]);
  });

  test("B2.4 keys that came too soon do not answer", async () => {
    const { answers, terminal } = await opened(commandAsk("npm run build"));
    await terminal.pass(0);
    await terminal.send("y", key.enter);
    expect(answers).toEqual([]);
  });
});

describe("always allow", () => {
  test("R17.2 B18.2 the rule is shown with what it covers, can be edited or left, and nothing odd is written", async () => {
    const { answers, terminal } = await opened(commandAsk("npm run build"));
    await terminal.press("a");
    const shown = (await terminal.screen()).join("\n");
    expect(shown).toContain("Bash(npm run build:*)");
    expect(shown).toContain("Covers every command that begins with `npm run build`");
    await terminal.press(
      key.escape,
      "a",
      ...Array.from({ length: 3 }, () => key.backspace),
      ...typing(" * x)"),
      key.enter,
    );
    expect((await terminal.screen()).join("\n")).toContain("Not understood: a star counts at the end alone");
    expect(answers).toEqual([]);
    await terminal.press(...Array.from({ length: 5 }, () => key.backspace), ...typing("er:*)"));
    expect((await terminal.screen()).join("\n")).toContain("It does not cover this one");
    await terminal.press(...Array.from({ length: 5 }, () => key.backspace), ...typing(")"), key.enter);
    expect(answers).toEqual([{ allowed: true, remember: ["Bash(npm run build)"] }]);
  });

  test("B18.2 for this session: of this kind, by one key", async () => {
    const kinds = [commandAsk("npm run build"), editAsk("a", "b")];
    const given: Permission[] = [];
    for (const ask of kinds) {
      const { answers, terminal } = await opened(ask);
      await terminal.press("s");
      given.push(...answers);
    }
    expect(given).toEqual([
      { allowed: true, forSession: ["Bash(npm run build:*)"] },
      { allowed: true, forSession: ["Edit(**)"] },
    ]);
  });

  test("B18.2 nothing is offered in plan mode", async () => {
    const request = await permissionRequest(commandAsk("npm test"), { ...permissionOptions, mode: () => "plan" });
    expect(request.offers).toEqual({ session: [], always: [] });
  });
});

describe("edits", () => {
  test("the difference from the file is shown", async () => {
    const { terminal } = await opened(editAsk("  return sum;", "  return sum * 2;"));
    const screen = (await terminal.screen()).join("\n");
    expect(screen).toContain("     -   return sum;\n   3 +   return sum * 2;");
    expect(screen).toContain("/home/ada/shop/src/cart.ts");
  });

  test("a file that is written whole is compared with what it was, a new one is all new", async () => {
    const path = "/home/ada/shop/a.txt";
    const access = { kind: "write", path, place: "project" } as const;
    const ask = asked(
      { kind: "edit", path, guarded: false },
      { tool: "Write", input: { file_path: path, content: "one\ntwo" }, access },
    );
    const old = await opened(ask, "default", {}, async () => "one\nzwei");
    expect((await old.terminal.screen()).join("\n")).toContain("   1   one\n     - zwei\n   2 + two");
    const fresh = await opened(ask, "default", {}, async () => null);
    const screen = (await fresh.terminal.screen()).join("\n");
    expect(screen).toContain("Write this new file?");
    expect(screen).toContain("   1 + one\n   2 + two");
  });
});

test("B1.3 an unproven command says that plan mode cannot vouch for it; no is selected", async () => {
  const { answers, terminal } = await opened(unprovenAsk("make check"), "plan");
  const screen = (await terminal.screen()).join("\n");
  expect(screen).toContain("Plan mode cannot vouch for this command");
  expect(screen).toContain("❯ 1. No");
  expect(screen).not.toContain("always");
  await terminal.press(key.enter, key.enter);
  expect(answers).toEqual([{ allowed: false }]);
});

async function opened(
  ask: PermissionAsk,
  mode: Mode = "default",
  options: EmulatorOptions = {},
  readText = permissionOptions.readText!,
): Promise<{ readonly answers: Permission[]; readonly terminal: Emulator }> {
  const terminal = emulator(options);
  const answers: Permission[] = [];
  const request = await permissionRequest(ask, { ...permissionOptions, mode: () => mode, readText });
  terminal.show(permissionDialog(request, terminal.surface, (answer) => answers.push(answer)));
  return { answers, terminal };
}
