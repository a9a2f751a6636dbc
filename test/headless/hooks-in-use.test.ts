/** Hooks as people have them: a set in the usual form, settings that change meanwhile, a program that drives, a session that died (B14.1). */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { ScriptedCall, ScriptedTurn } from "../../src/testing/loopback.ts";
import { openStage, type Stage } from "./program.ts";

const write = (name: string): ScriptedCall => ({ tool: "Write", input: { file_path: name, content: "let  a=1\n" } });
const bash = (command: string): ScriptedCall => ({ tool: "Bash", input: { command } });
const say = (value: object): string => `printf '%s' '${JSON.stringify(value)}'`;

/** The form that projects keep: scripts in the project, JSON read from stdin, jq-like picking of fields, exit codes. */
const scripts: Readonly<Record<string, string>> = {
  ".claude/hooks/guard.mjs": `import { readFileSync } from "node:fs";
const { tool_input } = JSON.parse(readFileSync(0, "utf8"));
if (/\\brm\\s+-[a-z]*r/.test(tool_input.command ?? "")) {
  console.error("Use trash instead of rm -r.");
  process.exit(2);
}
`,
  ".claude/hooks/protect.mjs": `import { readFileSync } from "node:fs";
const { tool_input } = JSON.parse(readFileSync(0, "utf8"));
const isLocked = String(tool_input.file_path).endsWith("package-lock.json");
if (isLocked)
  console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny",
    permissionDecisionReason: "The lock file is npm's." } }));
`,
  ".claude/hooks/format.mjs": `import { readFileSync, writeFileSync } from "node:fs";
const { tool_input } = JSON.parse(readFileSync(0, "utf8"));
writeFileSync(tool_input.file_path, readFileSync(tool_input.file_path, "utf8").replace("let  a=1", "let a = 1;"));
`,
  ".claude/hooks/context.sh": `#!/bin/sh
echo "Branch: $(git -C "$CLAUDE_PROJECT_DIR" branch --show-current)"
`,
};
const node = process.execPath;
const command = (file: string): object => ({
  type: "command",
  command: `${node} "$CLAUDE_PROJECT_DIR"/.claude/hooks/${file}`,
});
const set = {
  hooks: {
    SessionStart: [{ hooks: [{ type: "command", command: 'sh "$CLAUDE_PROJECT_DIR"/.claude/hooks/context.sh' }] }],
    PreToolUse: [
      { matcher: "Bash", hooks: [command("guard.mjs")] },
      { matcher: "Edit|MultiEdit|Write", hooks: [{ ...command("protect.mjs"), timeout: 300 }] },
    ],
    PostToolUse: [{ matcher: "Edit|MultiEdit|Write", hooks: [command("format.mjs")] }],
    Notification: [{ matcher: "", hooks: [{ type: "command", command: "true" }] }],
    Stop: [{ hooks: [{ type: "command", command: `echo stopped >> "$CLAUDE_PROJECT_DIR/../log.txt"` }] }],
  },
};

function settle(stage: Stage, settings: object): void {
  mkdirSync(stage.home, { recursive: true });
  writeFileSync(join(stage.home, "settings.json"), JSON.stringify(settings));
}

test("B14.1 a set of hooks in the form that projects have runs as it is", async () => {
  const calls = [write("new.ts"), write("package-lock.json"), bash("rm -rf build"), bash("ls")];
  const stage = await openStage({
    script: (_, turn): ScriptedTurn => (turn === 1 ? { calls } : { text: "Done." }),
    files: scripts,
  });
  settle(stage, { ...set, permissions: { allow: ["Bash", "Edit"] } });
  const ran = await stage.run(["-p", "go", "--output-format", "json"]);
  const { denials, status } = JSON.parse(ran.stdout);
  expect(denials.map(({ tool, reason }: { tool: string; reason: string }) => `${tool}: ${reason}`)).toEqual([
    expect.stringMatching(/^Write: .*The lock file is npm's/),
    expect.stringMatching(/^Bash: .*Use trash instead/),
  ]);
  expect(status).toBe("done");
  expect(readFileSync(join(stage.repository, "new.ts"), "utf8")).toBe("let a = 1;\n");
  expect(JSON.stringify(stage.server.requests[0]!.body)).toContain("Branch: main");
  expect(readFileSync(join(dirname(stage.repository), "log.txt"), "utf8")).toBe("stopped\n");
});

test("B14.4 B14.1 a hook that is added while the model speaks holds for what it said, and is gone with its setting", async () => {
  const stage: Stage = await openStage({
    script: (_, turn): ScriptedTurn => {
      if (turn === 1) settle(stage, { hooks: { PreToolUse: [{ hooks: [{ type: "command", command: "exit 2" }] }] } });
      if (turn === 2) settle(stage, {});
      return turn < 3 ? { calls: [write(`${turn}.ts`)] } : { text: "Done." };
    },
  });
  settle(stage, {});
  const { stderr } = await stage.run(["-p", "go", "--permission-mode", "acceptEdits"]);
  expect([1, 2].map((name) => existsSync(join(stage.repository, `${name}.ts`)))).toEqual([false, true]);
  expect(stderr).toContain("hooks: PreToolUse");
});

test("B14.1 a program that drives the session is told that a hook answered in its place", async () => {
  const answer = { hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } } };
  const stage = await openStage({
    script: (_, turn): ScriptedTurn => (turn === 1 ? { calls: [write("new.ts")] } : { text: "Done." }),
  });
  settle(stage, { hooks: { PermissionRequest: [{ hooks: [{ type: "command", command: say(answer) }] }] } });
  const child = stage.start(["-p", "--output-format", "stream-json", "--input-format", "stream-json"]);
  const types: string[] = [];
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      const event = JSON.parse(line);
      types.push(event.type);
      if (event.type === "message") child.stdin.end();
    }
  });
  child.stdin.write(`${JSON.stringify({ type: "user", text: "write" })}\n`);
  await new Promise((resolve) => child.on("close", resolve));
  expect(types.filter((type) => type.startsWith("permission."))).toEqual([
    "permission.requested",
    "permission.withdrawn",
  ]);
  expect(existsSync(join(stage.repository, "new.ts"))).toBe(true);
});

test("B14.1 R14.6 a session that died while a hook was asked asks the hooks of today, and replays none", async () => {
  const stage = await openStage({
    script: (_, turn): ScriptedTurn => (turn === 1 ? { calls: [write("new.ts")] } : { text: "Done." }),
  });
  const file = join(dirname(stage.repository), "asked.txt");
  /** As long as whoever started it is there. */
  const first = `echo first >> '${file}'; while kill -0 $PPID 2>/dev/null; do sleep 0.1; done`;
  settle(stage, { hooks: { PreToolUse: [{ hooks: [{ type: "command", command: first }] }] } });
  const child = stage.start(["-p", "go", "--permission-mode", "acceptEdits"]);
  const gone = new Promise((resolve) => child.on("close", resolve));
  await expect.poll(() => existsSync(file)).toBe(true);
  child.kill("SIGKILL");
  await gone;
  const second = `echo second >> '${file}'; echo not today >&2; exit 2`;
  settle(stage, { hooks: { PreToolUse: [{ hooks: [{ type: "command", command: second }] }] } });
  await stage.run(["-p", "--continue", "go on", "--permission-mode", "acceptEdits"]);
  expect(readFileSync(file, "utf8")).toBe("first\nsecond\n");
  expect(existsSync(join(stage.repository, "new.ts"))).toBe(false);
});
