/** The plugin folder is what the entries say; UPDATE_GOLDEN=1 writes it anew. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { pluginFiles } from "../../src/clients/install/plugin-files.ts";
import { filesBelow } from "../support/walk.ts";
import { openBench, runEntry } from "./installing.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, "plugin");
const { version, files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly version: string;
  readonly files: readonly string[];
};
const made = pluginFiles(version);

test("B11.9 the plugin has the entries of `install`, and the version of the package", () => {
  if (process.env["UPDATE_GOLDEN"] === "1") {
    for (const [name, text] of Object.entries(made)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  }
  const kept = filesBelow(folder).filter((name) => name.endsWith(".json"));
  expect(Object.fromEntries(kept.map((name) => [name, readFileSync(join(folder, name), "utf8")]))).toEqual(made);
  expect(files).toContain("plugin");
});

test("B11.9 its hook finds Groundplan where it is installed, and refuses while planning where it is not", async () => {
  const bench = openBench();
  const { hooks } = JSON.parse(made["hooks/hooks.json"]!) as {
    readonly hooks: Readonly<Record<string, readonly { readonly hooks: readonly { readonly command: string }[] }[]>>;
  };
  const { command } = hooks["PreToolUse"]![0]!.hooks[0]!;
  const call = (mode: string): object => ({
    session_id: "s",
    transcript_path: join(bench.home, "t.jsonl"),
    cwd: bench.project,
    permission_mode: mode,
    hook_event_name: "PreToolUse",
    tool_name: "Write",
    tool_input: { file_path: join(bench.project, "x"), content: "x" },
  });
  const words = expect.stringContaining("run groundplan install claude") as unknown;
  expect(await runEntry(command, call("plan"), bench)).toEqual({ code: 2, stdout: "", stderr: words });
  expect(await runEntry(command, call("default"), bench)).toEqual({ code: 0, stdout: "", stderr: "" });
  await bench.run("install", "claude", "--yes");
  const refused = await runEntry(command, call("plan"), bench);
  expect(refused.stdout + refused.stderr).toContain("Not while planning");
  expect(refused.stdout + refused.stderr).not.toContain("was not found");
  expect(await runEntry(command, call("default"), bench)).toEqual({ code: 0, stdout: "", stderr: "" });
});
