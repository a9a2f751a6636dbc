/** `groundplan doctor` on other agents: what it says of an entry is what running it shows. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { openBench, type Bench } from "./installing.ts";
import { writeProgram } from "../support/write-program.ts";

interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly advice: string | null;
}

async function guards(bench: Bench, more: Readonly<Record<string, string>> = {}): Promise<[number | null, Finding[]]> {
  const { code, stdout } = await bench.runWith(more, "doctor", "--json");
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] };
  return [code, findings.filter(({ name }) => name.startsWith("guard"))];
}

const proved =
  "a write while planning refused, a read while planning passed, a write outside of plan mode passed" as const;

describe("doctor", () => {
  test("B11.7 says nothing of agents that are not here", async () => {
    expect(await guards(openBench({ PATH: "/usr/bin:/bin" }))).toEqual([0, []]);
  });

  test.each(["claude", "opencode", "gemini"])("B11.7 runs the entry of %s", async (agent) => {
    const bench = openBench();
    await bench.run("install", agent, "--yes");
    const [code, [finding]] = await guards(bench);
    expect([code, finding]).toEqual([
      0,
      { name: `guard ${agent}`, ok: true, detail: expect.stringContaining(proved), advice: null },
    ]);
  });

  test.each([
    ["claude", ".claude/settings.json", '{ "disableAllHooks": true }', "disableAllHooks"],
    ["claude", ".claude/settings.local.json", '{ "disableAllHooks": true }', "disableAllHooks"],
    ["codex", ".codex/config.toml", "[features]\nhooks = false\n", "hooks = false"],
    ["gemini", ".gemini/settings.json", '{ "hooksConfig": { "enabled": false } }', "hooksConfig.enabled: false"],
  ])("B11.7 tells that the project switches the hooks of %s off in %s", async (agent, name, text, setting) => {
    const bench = openBench();
    await bench.run("install", agent, "--yes");
    const file = join(bench.project, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    const [code, [finding]] = await guards(bench);
    expect(code).toBe(1);
    expect(finding).toMatchObject({ ok: false, detail: expect.stringMatching(/^NOT GUARDED/) });
    expect(finding!.advice).toContain(`${file} says ${setting}: `);
  });

  test("B11.7 finds out an entry that was broken, one that lets all through and one that stops all", async () => {
    const bench = openBench();
    await bench.run("install", "claude", "--yes");
    const file = join(bench.home, ".claude/settings.json");
    const text = readFileSync(file, "utf8");
    const broken = async (from: string, to: string): Promise<unknown> => {
      writeFileSync(
        file,
        text.replace(from, () => to),
      );
      const [code, [finding]] = await guards(bench);
      return [code, finding!.ok, finding!.advice];
    };
    expect(await broken("'g=", "'exit 0; g=")).toEqual([
      1,
      false,
      expect.stringContaining("a write while planning was passed, and should have been refused"),
    ]);
    expect(await broken("'g=", "'exit 1; g=")).toEqual([1, false, expect.stringContaining("planning was failed")]);
    expect(await broken("'g=", "'exit 2; g=")).toEqual([
      1,
      false,
      expect.stringContaining("a read while planning was refused"),
    ]);
    expect(await broken("{", "{ // mine\n")).toEqual([1, false, expect.stringContaining("ignores the whole file")]);
    writeFileSync(file, text);
    expect((await guards(bench))[0]).toBe(0);
  });

  test("B11.7 Gemini is not guarded without its policy", async () => {
    const bench = openBench();
    await bench.run("install", "gemini", "--yes");
    rmSync(join(bench.home, ".gemini/policies/groundplan.toml"));
    const [code, [finding]] = await guards(bench);
    expect([code, finding!.ok, finding!.advice]).toEqual([
      1,
      false,
      expect.stringContaining("is not there, or not ours"),
    ]);
  });

  test("B11.7 hooks that the person switched off guard nothing, and an install says so", async () => {
    const bench = openBench();
    mkdirSync(join(bench.home, ".claude"));
    writeFileSync(join(bench.home, ".claude/settings.json"), '{ "disableAllHooks": true }');
    const { code, stdout, stderr } = await bench.run("install", "claude", "--yes");
    expect([code, stdout.includes("is guarded")]).toEqual([3, false]);
    expect(stderr).toContain("says disableAllHooks: Claude Code then runs no hook of ours");
  });

  test("B11.7 entries that are there in part, or for some tools only, are told", async () => {
    const bench = openBench();
    await bench.run("install", "claude", "--yes");
    const file = join(bench.home, ".claude/settings.json");
    const settings = JSON.parse(readFileSync(file, "utf8")) as { hooks: Record<string, { matcher?: string }[]> };
    settings.hooks["PreToolUse"]![0]!.matcher = "Bash";
    delete settings.hooks["PermissionRequest"];
    writeFileSync(file, JSON.stringify(settings));
    const [code, [finding]] = await guards(bench);
    expect([code, finding!.advice]).toEqual([
      1,
      "Entries of ours are not there any more, or not for every tool (PreToolUse, PermissionRequest): groundplan install claude puts them back.",
    ]);
    expect((await bench.run("install", "claude", "--yes")).code).toBe(0);
  });

  test("B11.7 an entry that was taken out by hand is told", async () => {
    const bench = openBench();
    await bench.run("install", "claude", "--yes");
    writeFileSync(join(bench.home, ".claude/settings.json"), "{}");
    const [code, [finding]] = await guards(bench);
    expect([code, finding]).toEqual([
      1,
      expect.objectContaining({ ok: false, advice: expect.stringContaining("has no entry of ours") }),
    ]);
  });

  test("B11.7 renews a launcher of another release, and one that is gone", async () => {
    const bench = openBench();
    await bench.run("install", "claude", "--yes");
    const guard = join(bench.home, ".groundplan/bin/guard");
    const text = readFileSync(guard, "utf8");
    writeFileSync(guard, text.replace(/^hook=.*$/m, "hook='/old/hook.js'"));
    expect((await guards(bench))[1].map(({ name, ok }) => [name, ok])).toEqual([
      ["guard", true],
      ["guard claude", true],
    ]);
    expect(readFileSync(guard, "utf8")).toBe(text);
    rmSync(guard);
    await guards(bench);
    expect(readFileSync(guard, "utf8")).toBe(text);
    expect((await guards(bench))[1].map(({ name }) => name)).toEqual(["guard claude"]);
  });

  test("B11.7 says whether the client's version is one that was tried, and that one on PATH is not guarded", async () => {
    const bench = openBench();
    const bin = join(bench.home, "bin");
    mkdirSync(bin);
    const client = (version: string): void => {
      writeProgram(join(bin, "claude"), `#!/bin/sh\necho '${version} (Claude Code)'\ntouch "$HOME/trace"\n`);
    };
    const more = { PATH: `${bin}:${process.env["PATH"]}` };
    client("2.1.325");
    expect(await guards(bench, more)).toEqual([
      0,
      [expect.objectContaining({ ok: false, advice: "groundplan install claude" })],
    ]);
    await bench.runWith(more, "install", "claude", "--yes");
    expect((await guards(bench, more))[1][0]!.detail).toContain("Claude Code 2.1.325 is a version that was tried");
    client("9.9.9");
    expect((await guards(bench, more))[1][0]!.detail).toContain("Claude Code 9.9.9 was not tried; 2.1.325 was");
    expect(() => readFileSync(join(bench.home, "trace"))).toThrow();
  });

  test("B11.7 Codex is guarded once its person trusted the entries, and not when they change", async () => {
    const bench = openBench();
    const { code, stderr } = await bench.run("install", "codex", "--yes");
    expect([code, stderr]).toEqual([3, expect.stringContaining("/hooks")]);
    const file = join(bench.home, ".codex/hooks.json");
    const { hooks } = JSON.parse(readFileSync(file, "utf8")) as {
      readonly hooks: Readonly<
        Record<string, readonly { readonly hooks: readonly { command: string; timeout: number }[] }[]>
      >;
    };
    const tables = Object.entries(hooks).map(([event, [group]]) => {
      const name = event.replaceAll(/([a-z])([A-Z])/g, "$1_$2").toLowerCase();
      const { command, timeout } = group!.hooks[0]!;
      const entry = { event_name: name, hooks: [{ async: false, command, timeout, type: "command" }] };
      const hash = createHash("sha256").update(JSON.stringify(entry)).digest("hex");
      return `[hooks.state."${file}:${name}:0:0"]\ntrusted_hash = "sha256:${hash}"\n`;
    });
    writeFileSync(join(bench.home, ".codex/config.toml"), `model = "x"\n\n${tables.join("\n")}`);
    expect((await bench.run("install", "codex", "--yes")).code).toBe(0);
    expect((await guards(bench))[0]).toBe(0);
    await bench.runWith({ GROUNDPLAN_HOME: join(bench.home, "other") }, "install", "codex", "--yes");
    const [after, [finding]] = await guards(bench);
    expect([after, finding!.advice]).toEqual([1, expect.stringContaining("not trusted")]);
  });

  test("B11.7 looks at what was installed elsewhere, and at the plugin where Claude Code keeps it", async () => {
    const bench = openBench();
    await bench.run("install", "claude", "--project", "--yes");
    const cache = join(bench.home, ".claude/plugins/cache/groundplan/groundplan/0.1.0");
    mkdirSync(join(cache, "hooks"), { recursive: true });
    const plugin = new URL("../../plugin/hooks/hooks.json", import.meta.url);
    writeFileSync(join(cache, "hooks/hooks.json"), readFileSync(plugin));
    const listed = { version: 2, plugins: { "groundplan@groundplan": [{ scope: "user", installPath: cache }] } };
    writeFileSync(join(bench.home, ".claude/plugins/installed_plugins.json"), JSON.stringify(listed));
    const elsewhere = join(bench.home, "elsewhere");
    mkdirSync(elsewhere);
    const { code, stdout } = await bench.runIn(elsewhere, "doctor", "--json");
    const findings = (JSON.parse(stdout) as { findings: Finding[] }).findings.filter(
      ({ name }) => name === "guard claude",
    );
    expect([code, findings.map(({ detail }) => detail.split(" ")[0])]).toEqual([0, ["project", "plugin"]]);
    for (const { detail } of findings) expect(detail).toContain(proved);
    expect((await bench.runIn(elsewhere, "uninstall", "claude")).stdout).toMatch(
      /^Claude Code had nothing .* The plugin still guards: /,
    );
  });
});
