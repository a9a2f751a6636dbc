/** Hooks before a person: what they say is shown and does nothing else, what they refuse is said, `/hooks` lists them (B14.1). */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keys, press, setTerminalStage } from "./stage.ts";

const hook = (command: string, more: object = {}): readonly object[] => [
  { ...more, hooks: [{ type: "command", command }] },
];
const clear = "\\u001b[2J\\u001b]0;stolen\\u0007";
const message = `printf '%s' '{"systemMessage": "from the hook ${clear}"}'`;

test("B14.1 words, refusals and the list of hooks on the screen, and the terminal stays clean", async () => {
  const stage = await setTerminalStage({
    settings: {
      hooks: {
        UserPromptSubmit: hook(`grep -q secret && { echo "a \\033[2Jsecret is in it" >&2; exit 2; } || ${message}`),
        PermissionRequest: hook("sleep 1000", { matcher: "Write" }),
      },
    },
    script: ({ turn }) =>
      turn === 1 ? { calls: [{ tool: "Write", input: { file_path: "new.ts", content: "x" } }] } : { text: "All done." },
  });
  const terminal = await stage.open([], { columns: 90, rows: 30 });
  await terminal.until("claude");
  terminal.type(`/hooks${keys.enter}`);
  await terminal.until("PermissionRequest [Write]: sleep 1000 (user settings)");
  terminal.type(`my secret${keys.enter}`);
  await terminal.until("a hook refuses it");
  terminal.type(`go on${keys.enter}`);
  await terminal.until("from the hook");
  await terminal.until("new.ts");
  expect(existsSync(join(stage.stage.repository, "new.ts"))).toBe(false);
  await terminal.until(/Yes/);
  await press(terminal, keys.enter, "All done.");
  expect(existsSync(join(stage.stage.repository, "new.ts"))).toBe(true);
  expect(terminal.raw()).not.toMatch(/\u001B\[[23]J|stolen\u0007/);
});
