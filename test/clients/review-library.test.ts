/** Plans of other agents in the library: revisions, differences, who decided, by which agent; and those that lie on disk already (B11.6). */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { titleIn } from "../../src/agent/library/import-plans.ts";
import { visit } from "../browser/stage.ts";
import { until } from "../support/until.ts";
import { asked, decide, program, reviewStage, type ReviewStage } from "./review-stage.ts";

function run(stage: ReviewStage, ...args: readonly string[]): string {
  const env = { ...stage.environment, GROUNDPLAN_HOME: stage.home };
  return execFileSync(process.execPath, [program, ...args], { cwd: stage.repository, env, encoding: "utf8" });
}

describe("B11.6 plans of other agents", () => {
  test("have revisions, differences, comments, status and the agent's name; also from a rebuilt index", async () => {
    const stage = reviewStage();
    const first = stage.present({ plan: "# One\n\n- a\n" });
    const page = await first.page();
    const comment = { id: "c1", kind: "question", from: 3, to: 3, quote: "a", text: "Why?" };
    await decide(page, { kind: "revise", feedback: "", comments: [comment] });
    await first.answer;
    const second = stage.present({ plan: "# One\n\n- a\n- b\n" });
    const state = await asked(page, "# One\n\n- a\n- b\n");
    expect(state.comments).toMatchObject([{ text: "Why?", anchor: "kept" }]);
    await decide(page, { kind: "approve", plan: "# One\n\n- a\n- c\n" });
    await second.answer;
    for (const _ of ["kept", "rebuilt"]) {
      const [listed] = stage.plans("list", "--json") as unknown as readonly Record<string, unknown>[];
      expect(listed).toMatchObject({ title: "One", status: "approved", source: "claude", revisionCount: 3 });
      const shown = stage.plans("show", "--json");
      expect(shown).toMatchObject({ text: "# One\n\n- a\n- c\n", source: "claude" });
      expect(shown["decisions"]).toMatchObject([
        { kind: "revise", by: { surface: "browser" } },
        { kind: "approve", by: { surface: "browser" } },
      ]);
      expect(stage.plans("diff", "--json")["patch"]).toContain("-- b\n+- c\n");
      rmSync(join(stage.home, "plans/index.jsonl"));
      rmSync(join(stage.home, "plans/index.logs.jsonl"), { force: true });
    }
    expect(run(stage, "plans")).toMatch(/approved.*3 rev.*One {2}· claude/s);
    expect(run(stage, "plans", "show")).toMatch(/^agent +claude$/m);
    expect(run(stage, "plans", "export")).toBe("# One\n\n- a\n- c\n");
    expect(
      spawnSync(process.execPath, [program, "verify", "--json"], {
        cwd: stage.repository,
        env: { ...stage.environment, GROUNDPLAN_HOME: stage.home },
        encoding: "utf8",
      }).stdout,
    ).toContain("One");
  });

  test("`review` in another process answers the plan that waits", async () => {
    const stage = reviewStage();
    const presented = stage.present({ plan: "# One\n" });
    await presented.link();
    const child = spawn(process.execPath, [program, "review", "--no-open"], {
      cwd: stage.repository,
      env: { ...stage.environment, GROUNDPLAN_HOME: stage.home },
    });
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
    const page = await visit(await until("the link", () => /^(\S+)\n/.exec(said)?.[1] ?? null));
    expect(await decide(page, { kind: "approve", mode: "acceptEdits" })).toBe(200);
    expect(await presented.answer).toMatchObject({ kind: "approved", plan: "# One\n", mode: "acceptEdits" });
    await until("it has ended", () => child.exitCode !== null);
    expect(child.exitCode).toBe(0);
  });
});

describe("B11.6 plans import", () => {
  test("takes each once, as it is, named after its agent; tells what it left; a dry run writes nothing", () => {
    const stage = planted();
    const dry = run(stage, "plans", "import", "--dry-run");
    expect(dry).toMatch(/would take {2}claude {2}From Claude/);
    expect(dry).toMatch(/4 plans would be taken, 0 here already, 4 left\.\n$/);
    expect(existsSync(join(stage.home, "plans"))).toBe(false);
    const told = run(planted(), "plans", "import");
    expect(told).toMatch(
      /4 plans taken, 0 here already, 4 left\.\nPlans that name no project are listed by .* --all\.\n$/,
    );
    const taken = stage.plans("import", "--json") as unknown as {
      readonly taken: readonly { readonly source: string; readonly title: string; readonly file: string }[];
      readonly left: readonly { readonly from: string; readonly why: string }[];
    };
    expect(taken.taken.map(({ source, title }) => [source, title])).toEqual([
      ["claude", "From Claude"],
      ["cursor", "From Cursor"],
      ["opencode", "From opencode"],
      ["gemini", "From Gemini"],
    ]);
    expect(Object.fromEntries(taken.left.map(({ from, why }) => [from.split("/").at(-1), why]))).toEqual({
      "binary.md": "not text",
      "empty.md": "empty",
      "huge.md": "too large",
      "link.md": "a link or no file",
    });
    expect(readFileSync(taken.taken[0]!.file, "utf8")).toBe("# From Claude\r\n");
    expect(statSync(taken.taken[0]!.file).mode & 0o777).toBe(0o600);
    expect(run(stage, "plans", "import")).toMatch(/0 plans taken, 4 here already, 4 left\.\n$/);
    const listed = stage.plans("list", "--all", "--json") as unknown as readonly Record<string, unknown>[];
    expect(new Set(listed.map(({ title, source }) => `${String(title)} by ${String(source)}`))).toEqual(
      new Set(["From Claude by claude", "From Cursor by cursor", "From opencode by opencode", "From Gemini by gemini"]),
    );
    const here = stage.plans("list", "--json") as unknown as readonly Record<string, unknown>[];
    expect(new Set(here.map(({ source }) => source))).toEqual(new Set(["cursor", "opencode"]));
    expect(
      stage
        .files()
        .map((name) => readFileSync(join(stage.home, name), "utf8"))
        .join(""),
    ).not.toContain("A secret");
  });

  test("one that changed is taken again, beside the earlier one; links lead nowhere out of a project", () => {
    const stage = planted();
    run(stage, "plans", "import");
    writeFileSync(join(stage.folder, ".claude/plans/brave-fox.md"), "# From Claude, again\n");
    rmSync(join(stage.repository, ".cursor"), { recursive: true });
    mkdirSync(join(stage.folder, "elsewhere/plans"), { recursive: true });
    writeFileSync(join(stage.folder, "elsewhere/plans/x.plan.md"), "# Elsewhere\n");
    symlinkSync(join(stage.folder, "elsewhere"), join(stage.repository, ".cursor"));
    const text = run(stage, "plans", "import");
    expect(text).toContain("1 plan taken, 2 here already");
    expect(text).not.toContain("Elsewhere");
    expect(run(stage, "plans", "show", "claude-brave-fox-2", "--all")).toContain("From Claude, again");
  });

  test.each([
    ["---\ntitle: 'A'\n---\n# B\n", "A"],
    ["---\nfoo: 1\n---\n# B\n", "B"],
    ["---\nname:\n---\n# B\n", "B"],
    ["# B\n---\nname: A\n---\n", "B"],
  ])("the title of %j", (text, title) => {
    expect(titleIn(text)).toBe(title);
  });
});

function planted(): ReviewStage {
  const stage = reviewStage();
  const { folder, repository } = stage;
  put(join(folder, ".claude/plans/brave-fox.md"), "# From Claude\r\n");
  put(join(folder, ".claude/plans/notes.txt"), "no plan");
  put(join(folder, ".claude/plans/empty.md"), " \n");
  put(join(folder, ".claude/plans/binary.md"), Buffer.from([0xff, 0xfe, 0]));
  put(join(folder, ".claude/plans/huge.md"), "x".repeat(2 * 1024 * 1024 + 1));
  put(join(folder, "secret"), "# A secret\n");
  symlinkSync(join(folder, "secret"), join(folder, ".claude/plans/link.md"));
  put(join(repository, ".cursor/plans/my-plan_1.plan.md"), '---\nname: "From Cursor"\ntodos: []\n---\n\nDo it.\n');
  put(join(repository, ".opencode/plans/1-x.md"), "# From opencode\n");
  put(join(folder, ".gemini/tmp/abc/s1/plans/p.md"), "# From Gemini\n");
  return stage;
}

function put(path: string, text: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
