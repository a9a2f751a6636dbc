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
    [key.escape, false],
  ])("R6.3 %j answers %s", async (input, allowed) => {
    const { answers, terminal } = await opened(enterAsk);
    await terminal.press(input);
    expect(answers).toEqual([{ allowed }]);
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

  test("R15.2 yes, no, no with words; Esc is no", async () => {
    const inputs = [["y"], ["1"], [key.escape], ["n", key.enter], ["n", ...typing("use 2 spaces"), key.enter]];
    const given: Permission[] = [];
    for (const input of inputs) {
      const { answers, terminal } = await opened(commandAsk("npm run build"));
      await terminal.press(...input);
      given.push(...answers);
    }
    expect(given).toEqual([
      { allowed: true },
      { allowed: true },
      { allowed: false },
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
  test("R17.2 shows the exact rule before it is written, and can be left", async () => {
    const { answers, terminal } = await opened(commandAsk("npm run build"));
    await terminal.press("a");
    expect((await terminal.screen()).join("\n")).toContain(
      "This rule goes into your local settings:\n   Bash(npm run build)",
    );
    expect(answers).toEqual([]);
    await terminal.press(key.escape, "a", key.enter);
    expect(answers).toEqual([{ allowed: true, remember: "Bash(npm run build)" }]);
  });

  test.each([
    ["one command", commandAsk("npm test"), "default", "Bash(npm test)"],
    ["an edit", editAsk("a", "b"), "default", "Edit(src/cart.ts)"],
    [
      "an edit of a file with signs of a glob",
      editAsk("a", "b", "/home/ada/shop/app/[id]/*.ts"),
      "default",
      "Edit(app/[[]id]/[*].ts)",
    ],
    [
      "a tool of a server",
      asked({ kind: "external", name: "mcp__db__query" }, { subjects: [{ rule: "mcp__db__query" }] }),
      "default",
      "mcp__db__query",
    ],
    ["several commands", commandAsk("npm test && npm run build"), "default", null],
    ["plan mode", commandAsk("npm test"), "plan", null],
    ["an unproven command", unprovenAsk("make check"), "plan", null],
    [
      "a guarded file",
      { ...editAsk("a", "b"), question: { kind: "edit", path: "/home/ada/.bashrc", guarded: true } },
      "default",
      null,
    ],
    [
      "what a rule asks about",
      { ...commandAsk("npm test"), question: { kind: "rule", rule: "Bash(npm:*)" } },
      "default",
      null,
    ],
  ] as const)("R17.2 for %s", async (_, ask, mode, rule) => {
    const request = await permissionRequest(ask, { ...permissionOptions, mode: () => mode });
    expect(request.rule).toBe(rule);
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
