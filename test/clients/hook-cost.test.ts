/** What a hook needs of the machine, as far as that does not hang on its speed: one file, little memory. `bench/hook.mjs` has the times. */
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { finish } from "../headless/program.ts";
import { realFolder } from "../support/folder.ts";

const bin = fileURLToPath(new URL("../../dist/bin/", import.meta.url));
const megabyte = 1024 * 1024;

test.each([
  ["work", "default", "Write", ""],
  ["a proved read", "plan", "Read", '"allow"'],
  ["a refused write", "plan", "Write", '"deny"'],
  ["a proved shell read", "plan", "ls -la", '"allow"'],
  ["a refused command", "plan", "rm -rf src", '"deny"'],
])("B11.8 %s takes one file and at most 60 MB", async (_, permission_mode, tool, said) => {
  const { start, project, peak } = loneHook();
  const file_path = join(project, "a.ts");
  const payload = {
    session_id: "s1",
    cwd: project,
    transcript_path: join(project, "none.jsonl"),
    hook_event_name: "PreToolUse",
    permission_mode,
    ...callOf(tool, file_path),
    tool_use_id: "t1",
  };
  const { code, stdout, stderr } = await finish(start(), JSON.stringify(payload));
  expect([code, stderr]).toEqual([0, ""]);
  if (said === "") expect(stdout).toBe("");
  else expect(stdout).toContain(said);
  expect(peak()).toBeLessThanOrEqual(60 * megabyte);
});

/** What has a blank is a command. */
function callOf(tool: string, file_path: string) {
  if (tool.includes(" ")) return { tool_name: "Bash", tool_input: { command: tool } };
  return { tool_name: tool, tool_input: tool === "Read" ? { file_path } : { file_path, content: "x" } };
}

/** The hook's program with nothing beside it, and a look at its memory when it ends. */
function loneHook() {
  const folder = realFolder("-lone");
  const [alone, project, noted] = [join(folder, "bin"), join(folder, "project"), join(folder, "peak")];
  for (const made of [alone, join(project, ".git")]) mkdirSync(made, { recursive: true });
  writeFileSync(join(project, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(project, "a.ts"), "x\n");
  const current = /hook-[0-9a-f]{12}\.js/.exec(readFileSync(join(bin, "hook.js"), "utf8"))![0];
  const needed = readdirSync(bin).filter((name) => name === "hook.js" || name.startsWith(current));
  for (const name of [...needed, "package.json"]) copyFileSync(join(bin, name), join(alone, name));
  const look = join(folder, "look.cjs");
  const status = "/proc/self/status";
  writeFileSync(
    look,
    `const fs = require("node:fs"); process.on("exit", () => fs.writeFileSync(${JSON.stringify(noted)}, fs.readFileSync("${status}")));`,
  );
  const environment = {
    PATH: process.env["PATH"],
    HOME: folder,
    ...(existsSync(status) ? { NODE_OPTIONS: `--require ${look}` } : {}),
  };
  const start = () =>
    spawn(process.execPath, [join(alone, "hook.js"), "hook", "claude", "PreToolUse"], {
      cwd: project,
      env: environment,
    });
  /** In bytes; nothing where the system does not tell. */
  const peak = (): number =>
    existsSync(status) ? Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(noted, "utf8"))![1]) * 1024 : 0;
  return { start, project, peak };
}
