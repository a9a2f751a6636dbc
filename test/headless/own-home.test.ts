/** Our own home through the whole program: no tool reads what is in it but the plans, however it is spelled (B1.5). */
import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import type { ScriptedCall, ScriptedTurn } from "../../src/testing/loopback.ts";
import { openStage, type Stage } from "./program.ts";

const secret = "OWN-SECRET-5518";

/** Secrets of other sessions and teams lie in the home; links of every kind lead to them. */
function plant({ repository, home }: Stage): void {
  for (const path of ["teams/red/secret", "reviews/r1.json", "state.json", "sessions/other/log.jsonl"]) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), `${secret}\n`);
  }
  mkdirSync(join(home, "plans"), { recursive: true });
  writeFileSync(join(home, "plans/older.md"), "# An older plan\n");
  symlinkSync(join(home, "state.json"), join(repository, "soft.txt"));
  symlinkSync(home, join(repository, "folder"));
  linkSync(join(home, "teams/red/secret"), join(repository, "second.txt"));
  linkSync(join(home, "state.json"), join(repository, "AGENTS.md"));
}

async function hear(calls: (stage: Stage) => readonly ScriptedCall[], args: readonly string[]) {
  const stage = await openStage({
    script: (_, turn): ScriptedTurn => (turn === 1 ? { calls: [...calls(stage)] } : { text: "Done." }),
  });
  plant(stage);
  const ran = await stage.run(["-p", "look", "--output-format", "json", ...args]);
  const { denials } = JSON.parse(ran.stdout) as { denials: { code: string }[] };
  const said = JSON.stringify(stage.server.requests.map(({ body }) => body));
  return { said, key: readFileSync(join(stage.home, "log.key"), "latin1"), codes: denials.map(({ code }) => code) };
}

const read = (file_path: string): ScriptedCall => ({ tool: "Read", input: { file_path } });
const grep = (path: string, output_mode = "content"): ScriptedCall => ({
  tool: "Grep",
  input: { pattern: "SECRET", path, output_mode },
});
const bash = (command: string): ScriptedCall => ({ tool: "Bash", input: { command } });

const modes = [
  ["--permission-mode", "plan"],
  ["--permission-mode", "default"],
  ["--permission-mode", "acceptEdits"],
  ["--dangerously-skip-permissions"],
];

describe.each(modes.map((mode) => [mode.join(" "), mode] as const))("with %s", (_, mode) => {
  test("B1.5 Read, Grep and Glob tell nothing of our own home", async () => {
    const allow = JSON.stringify({ permissions: { allow: ["Read", "Grep", "Glob"] } });
    const { said, codes } = await hear(
      ({ home, repository }) => [
        read(join(home, "log.key")),
        read(join(home, "teams/red/secret")),
        read(join(home, "plans/../state.json")),
        read(relative(repository, join(home, "reviews/r1.json"))),
        read("soft.txt"),
        read("folder/state.json"),
        read("second.txt"),
        read(`/proc/self/root${home}/state.json`),
        read("/proc/self/environ"),
        grep(home),
        grep(join(home, "teams")),
        grep("second.txt"),
        grep("folder"),
        { tool: "Glob", input: { pattern: "**/*", path: home } },
        grep(dirname(home)),
        grep("."),
        { tool: "Glob", input: { pattern: "**/*.json*", path: dirname(home) } },
        { tool: "Glob", input: { pattern: "home/*/*", path: dirname(home) } },
      ],
      [...mode, "--settings", allow],
    );
    expect(said).not.toContain(secret);
    expect(said).not.toContain("r1.json\\n");
    expect(said).not.toMatch(/home\/(state\.json|log\.key|sessions\/)[^"]*\\n/);
    expect(codes).toEqual(Array.from({ length: 15 }, () => "rule"));
  });

  test("B1.5 nor does a command that the small core believes, or one that Bash allows", async () => {
    const allow = JSON.stringify({ permissions: { allow: ["Bash"] } });
    const { said, key } = await hear(
      ({ home }) => [
        bash(`cat ${home}/log.key`),
        bash(`cat ${home}/plans/../state.json`),
        bash("cat soft.txt second.txt"),
        bash("head -3 folder/state.json"),
        bash(`cp ${home}/state.json x.txt; cat x.txt`),
        bash(`cd ${home} && cat state.json`),
        ...(mode.length === 1 ? [] : [bash(`grep -r SECRET ${dirname(home)}`)]),
      ],
      [...mode, "--settings", allow, "--no-sandbox"],
    );
    expect(said).not.toContain(secret);
    expect(said).not.toContain(key.trim());
  });
});

test("B1.5 the plans in it are read as before", async () => {
  const { said, codes } = await hear(
    ({ home }) => [
      read(join(home, "plans/older.md")),
      { tool: "Grep", input: { pattern: "older", path: join(home, "plans"), output_mode: "content" } },
      { tool: "Glob", input: { pattern: "*.md", path: join(home, "plans") } },
    ],
    ["--permission-mode", "plan"],
  );
  expect(codes).toEqual([]);
  expect(said.match(/An older plan/g)!.length).toBeGreaterThanOrEqual(2);
  expect(said).toContain("plans/older.md");
});

test.each(["home", "repo/state"])(
  "B1.9 nothing in our own home is written on a rule or by acceptEdits, whatever it is called and wherever it lies: %s",
  async (place) => {
    const stage = await openStage({
      script: (_, turn): ScriptedTurn => {
        const names = ["compiled/program.js", "settings.json", "reviews/s1/answers/0-a.json"];
        const paths = [...names.map((name) => join(home, name)), "link/settings.json"];
        const calls = paths.map((file_path) => ({ tool: "Write", input: { file_path, content: "{}" } }));
        return turn === 1 ? { calls: [...calls, bash(`touch ${join(home, "state.json")}`)] } : { text: "Done." };
      },
    });
    const home = join(dirname(stage.repository), place);
    symlinkSync(home, join(stage.repository, "link"));
    const allow = JSON.stringify({ permissions: { allow: ["Write", "Edit"] } });
    const args = ["-p", "go", "--output-format", "json", "--permission-mode", "acceptEdits", "--settings", allow];
    const { stdout } = await stage.run(args, { environment: { GROUNDPLAN_HOME: home } });
    const { denials } = JSON.parse(stdout) as { denials: { code: string }[] };
    expect(denials.map(({ code }) => code)).toEqual(Array(5).fill("nobody"));
    expect(readdirSync(home)).not.toContain("settings.json");
  },
);
