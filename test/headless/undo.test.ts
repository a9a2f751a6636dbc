/** Undo from outside: the real program changes files by its tools and by the shell, and the person goes back and forth. */
import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ScriptedTurn } from "../../src/testing/loopback.ts";
import { openStage, planFileIn, treeHashes, type Stage, type StageOptions } from "./program.ts";

const call = (tool: string, input: object): ScriptedTurn => ({ calls: [{ tool, input }] });
const skip = ["--dangerously-skip-permissions", "--no-sandbox"];

async function stageOf(turns: readonly ScriptedTurn[], options: Omit<StageOptions, "script"> = {}): Promise<Stage> {
  const left = [...turns];
  return openStage({ ...options, script: () => left.shift() ?? { text: "Done." } });
}

const edit = call("Write", { file_path: "new.ts", content: "export const b = 2;\n" });
const shell = call("Bash", {
  command:
    "echo changed > a.ts && rm gone.txt && ln -s a.ts link && mkdir -p deep/er && echo x > deep/er/x && chmod +x run.sh",
});
const files = { "a.ts": "export const a = 1;\n", "gone.txt": "here\n", "run.sh": "echo run\n" };

const todos = (...states: readonly string[]) =>
  call("TodoWrite", { todos: states.map((status, at) => ({ content: `Step ${at + 1}`, status, activeForm: "x" })) });
const write = (name: string) => call("Write", { file_path: name, content: `${name}\n` });

const isProgram = (path: string): boolean => (lstatSync(path).mode & 0o100) !== 0;

test("B15.1 B15.2 B15.3 what tools and commands changed goes back by undo, and comes again by redo", async () => {
  const stage = await stageOf([edit, shell], { files });
  const before = treeHashes(stage.repository);
  const git = treeHashes(join(stage.repository, ".git"));
  const ran = await stage.run(["-p", "change things", ...skip]);
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: "" });
  const after = treeHashes(stage.repository);
  expect(after).not.toEqual(before);
  expect(treeHashes(join(stage.repository, ".git"))).toEqual(git);

  const undone = await stage.run(["undo"]);
  expect(undone).toMatchObject({ code: 0, stderr: "" });
  expect(undone.stdout).toContain("6 files are as they were");
  expect(treeHashes(stage.repository)).toEqual(before);
  expect(isProgram(join(stage.repository, "run.sh"))).toBe(false);
  expect(existsSync(join(stage.repository, "deep"))).toBe(false);

  const redone = await stage.run(["redo"]);
  expect(redone).toMatchObject({ code: 0, stderr: "" });
  expect(treeHashes(stage.repository)).toEqual(after);
  expect(isProgram(join(stage.repository, "run.sh"))).toBe(true);
  expect(readlinkSync(join(stage.repository, "link"))).toBe("a.ts");
  expect(treeHashes(join(stage.repository, ".git"))).toEqual(git);
  expect(await stage.run(["redo"])).toMatchObject({ code: 1 });
});

test("B15.3 a file that the person changed since is listed and left alone", async () => {
  const stage = await stageOf([edit, shell], { files });
  await stage.run(["-p", "change things", ...skip]);
  writeFileSync(join(stage.repository, "new.ts"), "mine\n");
  writeFileSync(join(stage.repository, "own.txt"), "mine alone\n");
  const dry = await stage.run(["undo", "--dry-run"]);
  expect(dry.stdout).toContain("Left as they are, changed by somebody else since:\n  new.ts\n  own.txt");
  expect(dry.stdout).toContain("+export const a = 1;");
  expect(readFileSync(join(stage.repository, "a.ts"), "utf8")).toBe("changed\n");

  const undone = await stage.run(["undo", "--json"]);
  expect(JSON.parse(undone.stdout)).toMatchObject({ kept: ["new.ts", "own.txt"], what: "both", to: "p1" });
  expect(readFileSync(join(stage.repository, "new.ts"), "utf8")).toBe("mine\n");
  expect(readFileSync(join(stage.repository, "own.txt"), "utf8")).toBe("mine alone\n");
  expect(readFileSync(join(stage.repository, "a.ts"), "utf8")).toBe(files["a.ts"]);
});

test("B15.1 each prompt is a point; undo again goes one further; the list tells files and lines", async () => {
  const stage = await stageOf([edit, { text: "First." }, shell, { text: "Second." }], { files });
  await stage.run(["-p", "make b", ...skip]);
  await stage.run(["-p", "run it", "--continue", ...skip]);
  const list = await stage.run(["undo", "--list", "--json"]);
  expect(JSON.parse(list.stdout)).toMatchObject([
    {
      id: "p1",
      why: "prompt",
      label: "make b",
      files: [{ path: "new.ts", kind: "added", lines: { added: 1, removed: 0 } }],
    },
    { id: "p2", label: "run it", files: { length: 5 } },
  ]);
  await stage.run(["undo", "--files"]);
  expect(readFileSync(join(stage.repository, "a.ts"), "utf8")).toBe(files["a.ts"]);
  expect(existsSync(join(stage.repository, "new.ts"))).toBe(true);
  await stage.run(["undo", "--files"]);
  expect(existsSync(join(stage.repository, "new.ts"))).toBe(false);
  await stage.run(["redo"]);
  expect(existsSync(join(stage.repository, "new.ts"))).toBe(true);
  await stage.run(["redo"]);
  expect(readFileSync(join(stage.repository, "a.ts"), "utf8")).toBe("changed\n");
});

test("B15.3 the conversation goes back, too: the model does not hear of what was undone", async () => {
  const bodies: string[] = [];
  const turns: ScriptedTurn[] = [edit, { text: "First." }, shell, { text: "Second." }];
  const stage = await openStage({
    files,
    script: ({ body }) => {
      bodies.push(JSON.stringify(body));
      return turns.shift() ?? { text: "Done." };
    },
  });
  await stage.run(["-p", "make b", ...skip]);
  await stage.run(["-p", "run it", "--continue", ...skip]);
  expect((await stage.run(["undo"])).code).toBe(0);
  await stage.run(["-p", "something else", "--continue", ...skip]);
  expect(bodies.at(-1)).toContain("make b");
  expect(bodies.at(-1)).not.toContain("run it");
});

test("B15.2 ignored files and repositories inside are left alone, and that is said", async () => {
  const stage = await stageOf([call("Write", { file_path: ".env", content: "SECRET=1\n" }), shell], {
    files: { ...files, ".gitignore": ".env\n" },
  });
  execFileSync("git", ["init", "-q", join(stage.repository, "inner")]);
  writeFileSync(join(stage.repository, "inner", "file"), "inner\n");
  await stage.run(["-p", "change things", ...skip]);
  const undone = await stage.run(["undo"]);
  expect(undone.stdout).toContain("Not covered (ignored by git, or elsewhere): .env");
  expect(undone.stdout).toContain("Not covered (repositories inside): inner");
  expect(readFileSync(join(stage.repository, ".env"), "utf8")).toBe("SECRET=1\n");
  expect(readFileSync(join(stage.repository, "inner", "file"), "utf8")).toBe("inner\n");
});

test("B15.2 without git, files that our tools touched go back; those of commands do not, and that is said", async () => {
  const stage = await stageOf([edit, call("Edit", { file_path: "a.ts", old_string: "1", new_string: "7" }), shell], {
    files,
    git: false,
  });
  const ran = await stage.run(["-p", "change things", ...skip]);
  expect(ran.code).toBe(0);
  const undone = await stage.run(["undo"]);
  expect(undone.stdout).toContain("There is no git here");
  expect(existsSync(join(stage.repository, "new.ts"))).toBe(false);
});

test("B15.2 what agents change goes back with the prompt that started them", async () => {
  const own = new Set<string>();
  const stage = await openStage({
    files,
    script: ({ body }) => {
      const text = JSON.stringify(body);
      const isAgent = text.includes("WRITE-IT") && !text.includes("use an agent");
      const turn = isAgent ? "agent" : "main";
      if (own.has(turn)) return { text: "Done." };
      own.add(turn);
      if (isAgent) return shell;
      return call("Agent", { description: "write", prompt: "WRITE-IT", subagent_type: "general-purpose" });
    },
  });
  const before = treeHashes(stage.repository);
  await stage.run(["-p", "use an agent", ...skip]);
  expect(readFileSync(join(stage.repository, "a.ts"), "utf8")).toBe("changed\n");
  expect(await stage.run(["undo", "--files"])).toMatchObject({ code: 0 });
  expect(treeHashes(stage.repository)).toEqual(before);
});

test("B15.1 a step of an approved plan is a point; undone to it, only its work goes back", async () => {
  const turns: ScriptedTurn[] = [
    todos("in_progress", "pending"),
    write("first.ts"),
    todos("completed", "in_progress"),
    write("second.ts"),
    { text: "Carried out." },
  ];
  let isPlanned = false;
  const stage = await openStage({
    script: ({ body }) => {
      const text = JSON.stringify(body);
      if (text.includes("## Approved Plan")) return turns.shift() ?? { text: "Done." };
      const content = "# Two steps\n\n- [ ] Step 1\n- [ ] Step 2\n";
      if (isPlanned) return call("ExitPlanMode", {});
      isPlanned = true;
      return call("Write", { file_path: planFileIn(text), content });
    },
  });
  const planned = await stage.run(["-p", "plan it", "--permission-mode", "plan", "--output-format", "json"]);
  const { plan } = JSON.parse(planned.stdout) as { readonly plan: { readonly hash: string } };
  const done = await stage.run(["-p", "--continue", "--approve", plan.hash, "--permission-mode", "acceptEdits"]);
  expect(done).toMatchObject({ code: 0 });
  const list = await stage.run(["undo", "--list"]);
  expect(list.stdout).toMatch(/step: Step 2\n {5}1 file, \+1 -0\n {7}\+ second\.ts/);
  const [, second] = /(p\d+) [^\n]*step: Step 2/.exec(list.stdout)!;
  expect(await stage.run(["undo", "--to", second!, "--files"])).toMatchObject({ code: 0 });
  const there = ["first.ts", "second.ts"].map((name) => existsSync(join(stage.repository, name)));
  expect(there).toEqual([true, false]);

  expect(await stage.run(["undo", "--to", "p1"])).toMatchObject({ code: 0 });
  expect(existsSync(join(stage.repository, "first.ts"))).toBe(false);
  const refused = await stage.run(["-p", "--continue", "--approve", plan.hash]);
  expect(refused.stderr).toContain("No plan of this session awaits an approval.");
  const plans = await stage.run(["plans", "list", "--json"]);
  expect(plans.stdout).not.toContain('"approve"');
});
