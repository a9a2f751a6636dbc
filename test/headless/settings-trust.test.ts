/** What a project's own settings may do in a folder that nobody trusts: narrow, and nothing else (B1.15). */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ScriptedTurn } from "../../src/testing/loopback.ts";
import { openStage, type Stage, type StageOptions } from "./program.ts";

/** One call, then the end. */
async function stageWith(call: { tool: string; input: object } | null, files: StageOptions["files"]): Promise<Stage> {
  const script = (_: unknown, turn: number): ScriptedTurn =>
    turn === 1 && call !== null ? { calls: [call] } : { text: "Done." };
  return openStage({ script, files: { "a.ts": "1\n", ...files } });
}

const project = ".groundplan/settings.json";
const write = { tool: "Write", input: { file_path: "b.txt", content: "b" } };

test("B1.15 a project that nobody trusts chooses no model, provider, place or mode order, and what is ignored is said once", async () => {
  const wanted = {
    model: "openai/their-model",
    planModel: "google/their-model",
    exploreModel: "openai/their-small",
    effort: "high",
    tier: "max",
    theme: "light",
    editor: "evil",
    plansDirectory: "their-plans",
    cycleModes: ["acceptEdits"],
    keybindings: { cycleMode: "f2" },
    team: { transport: "nats", natsUrl: "nats://127.0.0.1:9" },
    permissions: { deny: ["Edit(b.txt)"], allow: ["Edit"] },
  };
  const stage = await stageWith(write, { [project]: JSON.stringify(wanted) });
  const args = ["-p", "go", "--dangerously-skip-permissions", "--output-format", "json"];
  const { stdout, stderr } = await stage.run(args);
  expect(JSON.parse(stdout)).toMatchObject({ denials: [{ code: "rule" }] });
  expect(stage.server.requests.map(({ path }) => path.includes("/messages"))).toEqual([true, true]);
  expect(JSON.stringify(stage.server.requests.map(({ body }) => body))).not.toContain("their-");
  const lines = stderr.split("\n").filter((line) => line.includes("not used"));
  expect(lines).toHaveLength(1);
  for (const key of Object.keys(wanted).filter((name) => name !== "permissions")) expect(lines[0]).toContain(key);
  expect(existsSync(join(stage.repository, "their-plans"))).toBe(false);
});

test.each(["", ".", "relative/home"])(
  "B1.15 HOME=%j does not make a project's settings the person's own",
  async (home) => {
    const stage = await stageWith(write, {
      [project]: '{"permissions":{"allow":["Edit"]},"model":"openai/their-model"}',
    });
    const places = join(stage.home, "given");
    const environment = { HOME: home, GROUNDPLAN_HOME: places };
    const kept = await stage.run(["-p", "go", "--output-format", "json"], { environment });
    expect(JSON.parse(kept.stdout)).toMatchObject({ denials: [{ code: "nobody" }] });
    const shown = await stage.run(["doctor", "--json"], { environment: { HOME: home } });
    expect(shown.stdout).toContain("may only narrow");
  },
);

test("B1.15 a deny rule holds for a name however its accents are encoded", async () => {
  const [composed, apart] = ["geh\u00E9im.txt", "gehe\u0301im.txt"];
  for (const [rule, file] of [
    [composed, apart],
    [apart, composed],
  ] as const) {
    const stage = await stageWith({ tool: "Read", input: { file_path: file } }, { [file]: "secret-words\n" });
    const settings = JSON.stringify({ permissions: { deny: [`Read(${rule})`] } });
    const { stdout } = await stage.run(["-p", "go", "--output-format", "json", "--settings", settings]);
    expect(JSON.parse(stdout)).toMatchObject({ denials: [{ code: "rule" }] });
    const grep = await stageWith({ tool: "Grep", input: { pattern: "secret" } }, { [file]: "secret-words\n" });
    await grep.run(["-p", "go", "--settings", settings]);
    expect(grep.server.requests.at(-1)!.bytes.toString()).not.toContain("secret-words");
  }
});

test("hooks and MCP servers that are configured and not run are said loudly, at the start and by doctor", async () => {
  const stage = await stageWith(null, {});
  mkdirSync(stage.home, { recursive: true });
  const settings = { mcpServers: { db: { command: "db" } } };
  writeFileSync(join(stage.home, "settings.json"), JSON.stringify(settings));
  const withMore = ["-p", "hi", "--output-format", "json", "--mcp-config", "more.json"];
  expect(await stage.run(withMore)).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("more.json: there is no such file"),
  });
  writeFileSync(join(stage.repository, "more.json"), "{}");
  const { stdout, stderr } = await stage.run(withMore);
  const line = stderr.split("\n").find((one) => one.includes("NOT RUN"));
  expect(line).toContain("MCP servers (db, --mcp-config more.json)");
  expect(JSON.stringify(JSON.parse(stdout).notices)).toContain("NOT RUN");
  const doctor = await stage.run(["doctor"]);
  expect(doctor.stdout).toMatch(/missing {2}mcpServers .*NOT RUN/);
});
