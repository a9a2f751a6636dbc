/** Receipts, ranges and repositories that somebody made to hurt: clear words, an exit code, nothing run (B16.2). */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { writeProgram } from "../support/write-program.ts";
import { logsOf } from "../library/stage.ts";
import { carriedOut, elsewhere, gitIn, parsed } from "./proof-stage.ts";

test("B16.2 what is no receipt is said in words, however large or deep it is", async () => {
  const stage = await carriedOut();
  const text = await stage.receipt();
  stage.commit("the work");
  const machine = elsewhere(stage);
  const huge = machine.keep("huge.json", "{");
  truncateSync(huge, 100 * 1024 * 1024);
  mkdirSync(join(machine.directory, "..", "folder"));
  const cases: readonly (readonly [string, RegExp])[] = [
    [huge, /larger than a receipt can be \(16 MB\)/],
    [machine.keep("cut.json", text.slice(0, 500)), /is no JSON/],
    [machine.keep("deep.json", "[".repeat(1_000_000)), /is no JSON/],
    [
      machine.keep(
        "deeper.json",
        text.replace('"task": "plan it"', `"task": ${"[".repeat(200_000)}${"]".repeat(200_000)}`),
      ),
      /not whole: task/,
    ],
    [
      machine.keep(
        "double.json",
        text.replace('  "task":', `  "task": ${"[".repeat(200_000)}${"]".repeat(200_000)},\n  "task":`),
      ),
      /not written as one is|twice/,
    ],
    [machine.keep("other.json", '{ "hello": 1 }'), /no receipt of Groundplan/],
    [machine.keep("newer.json", text.replace('"version": 1', '"version": 2')), /version 2; this Groundplan reads 1/],
    [machine.keep("more.json", text.replace('  "task"', '  "surprise": 1,\n  "task"')), /not whole/],
    [machine.keep("crlf.json", text.replaceAll("\n", "\r\n")), /line ends were changed/],
    [machine.keep("proto.json", text.replace('  "task"', '  "__proto__": {},\n  "task"')), /not w/],
    [join(machine.directory, "..", "folder"), /no regular file/],
    [join(machine.directory, "nothing.json"), /There is no receipt/],
  ];
  for (const [file, words] of cases) {
    const run = await machine.run("verify", "--receipt", file, "--diff", "HEAD~1..HEAD");
    expect([file, run.code, run.stdout]).toEqual([file, 1, expect.stringMatching(words)]);
    expect(run.stdout.length).toBeLessThan(2000);
  }
});

test("B16.2 a range that does not exist, or is an option, is refused before git sees it as one", async () => {
  const stage = await carriedOut();
  const text = await stage.receipt();
  stage.commit("the work");
  const machine = elsewhere(stage);
  const receipt = machine.keep("receipt.json", text);
  const target = join(machine.directory, "written");
  const wrong = [
    `--output=${target}`,
    `HEAD..--output=${target}`,
    "",
    "..",
    "...",
    "a b..c",
    "HEAD....HEAD",
    "x".repeat(600),
  ];
  for (const range of wrong) {
    const run = await machine.run("verify", `--receipt=${receipt}`, `--diff=${range}`);
    expect([range, run.code, run.stdout, run.stderr]).toEqual([
      range,
      2,
      "",
      expect.stringContaining("--diff takes a range"),
    ]);
  }
  for (const range of ["nowhere..HEAD", "HEAD..nowhere", "nowhere", "HEAD~7...HEAD", "HEAD:a.ts..HEAD"]) {
    const run = await machine.run("verify", `--receipt=${receipt}`, `--diff=${range}`);
    expect([range, run.code, run.stdout]).toEqual([range, 2, ""]);
    expect(run.stderr).toMatch(/There is no commit|git: /);
  }
  expect(existsSync(target)).toBe(false);
  expect(await machine.run("verify", "--receipt", receipt)).toMatchObject({ code: 2, stdout: "" });
  expect(await machine.run("verify", "--diff", "HEAD")).toMatchObject({ code: 2, stdout: "" });
});

test("B16.2 in a shallow clone, and outside of git, it says what is missing", async () => {
  const stage = await carriedOut();
  const text = await stage.receipt();
  stage.commit("the work");
  const shallow = elsewhere(stage, "--depth=1");
  const receipt = shallow.keep("receipt.json", text);
  const run = await shallow.run("verify", "--receipt", receipt, "--diff", "HEAD~1..HEAD");
  expect(run).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/shallow: fetch the whole history/) });
  const none = await shallow.run("verify", "--receipt", receipt, "--diff", "HEAD~1..HEAD", "--cwd", dirname(receipt));
  expect(none).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("git") });
});

test("B16.2 names of any bytes are hashed as they are, shown as they can be, and in no scope by accident", async () => {
  const stage = await carriedOut();
  const names = ["line\nbreak.ts", '"quoted".ts', "-option", " blank ", "ü.ts", "tab\t.ts"];
  for (const name of names) writeFileSync(join(stage.repository, name), "x\n");
  writeFileSync(
    Buffer.concat([Buffer.from(`${stage.repository}/`), Buffer.from([0x66, 0xff, 0x2e, 0x74, 0x73])]),
    "x\n",
  );
  symlinkSync("/nowhere", join(stage.repository, "link"));
  writeProgram(join(stage.repository, "run.sh"), "#!/bin/sh\n");
  const text = await stage.receipt();
  const paths = parsed(text).work.files.map(({ path }) => path);
  expect(new Set(paths)).toEqual(new Set(["a.ts", "b.ts", "f\\xff.ts", "link", "run.sh", ...names]));
  expect(parsed(text).work.files.find(({ path }) => path === "link")).toMatchObject({
    modes: "000000 120000",
    status: "A",
  });
  expect(parsed(text).work.files.find(({ path }) => path === "run.sh")).toMatchObject({ modes: "000000 100755" });
  stage.commit("all of it");
  expect(parsed(await stage.receipt()).work.difference).toBe(parsed(text).work.difference);
  const machine = elsewhere(stage);
  const run = await machine.run("verify", "--receipt", machine.keep("r.json", text), "--diff", "HEAD~1..HEAD");
  expect(run.code).toBe(1);
  expect(run.stdout).not.toContain("breaks the plan");
  expect(run.stdout).toContain("f\\xff.ts was changed, and the plan does not name it.");
});

test("B16.1 nothing of the repository runs: no filter, hook, external difference, text conversion, monitor or program in it", async () => {
  const stage = await carriedOut();
  const mark = join(dirname(stage.home), "ran");
  const evil = join(stage.repository, "evil.sh");
  writeProgram(evil, `#!/bin/sh\ntouch '${mark}'\ncat\n`);
  writeProgram(join(stage.repository, "git"), `#!/bin/sh\ntouch '${mark}'\n`);
  writeProgram(join(stage.repository, "ssh-keygen"), `#!/bin/sh\ntouch '${mark}'\n`);
  writeFileSync(join(stage.repository, ".gitattributes"), "* filter=evil diff=evil merge=evil\n");
  const settings = {
    "filter.evil.clean": evil,
    "filter.evil.smudge": evil,
    "filter.evil.process": evil,
    "diff.evil.command": evil,
    "diff.evil.textconv": evil,
    "diff.external": evil,
    "core.fsmonitor": evil,
    "core.hooksPath": stage.repository,
    "core.pager": evil,
    "gpg.ssh.program": evil,
  };
  for (const [key, value] of Object.entries(settings)) stage.git("config", key, value);
  writeFileSync(join(stage.repository, "b.ts"), "bbb\n");
  const environment = { PATH: `${stage.repository}:${process.env["PATH"]}` };
  const made = await stage.run(["receipt"], { environment });
  expect([made.code, existsSync(mark)]).toEqual([0, false]);
  const receipt = join(dirname(stage.home), "receipt.json");
  writeFileSync(receipt, made.stdout);
  for (const range of ["HEAD", "HEAD..HEAD"])
    expect((await stage.run(["verify", "--receipt", receipt, "--diff", range], { environment })).code).toBe(1);
  expect(existsSync(mark)).toBe(false);
  stage.git("add", "-A");
  expect(existsSync(mark)).toBe(true);
});

test("B16.1 no receipt of a log whose lines were changed or moved, of a plan that nobody approved, or without git", async () => {
  const stage = await carriedOut();
  const text = await stage.receipt();
  const [log] = logsOf(stage);
  const lines = readFileSync(log!, "utf8").split("\n");
  const moved = [...lines.slice(0, 4), lines[5], lines[4], ...lines.slice(6)].join("\n");
  const bent = lines.join("\n").replace('"user":"', '"user":"x');
  for (const other of [moved, bent]) {
    writeFileSync(log!, other);
    const run = await stage.run(["receipt", stage.sessionId]);
    expect(run).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/does not bear its seal/) });
  }
  const file = join(dirname(stage.home), "receipt.json");
  writeFileSync(file, text);
  const here = await stage.run(["verify", "--receipt", file, "--diff", "HEAD"]);
  expect(here).toMatchObject({ code: 1, stdout: expect.stringContaining("The session's log here is not the one") });
  writeFileSync(log!, lines.join("\n"));
  expect(await stage.run(["verify", "--receipt", file, "--diff", "HEAD"])).toMatchObject({ code: 0 });

  const draft = await stage.submit("# Draft\n\n1. Change `a.ts`\n2. Rest\n");
  expect(await stage.run(["receipt", draft.sessionId])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("Nobody approved this plan"),
  });
  expect(await stage.run(["receipt", "nothing-like-it"])).toMatchObject({ code: 1, stdout: "" });
  expect(await stage.run(["receipt", "a", "b"])).toMatchObject({ code: 2, stdout: "" });
  const bare = await carriedOut({ git: false });
  expect(await bare.run(["receipt"])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("git had no commit"),
  });
});

test("B16.1 a merge that is under way, and a repository whose history was written anew, are said", async () => {
  const stage = await carriedOut();
  const git = gitIn(stage.repository);
  const blob = git("rev-parse", "HEAD:c.ts").trim();
  const input = `100644 ${blob} 2\tc.ts\n100644 ${blob} 3\tc.ts\n`;
  execFileSync("git", ["update-index", "--index-info"], { cwd: stage.repository, input });
  expect(await stage.run(["receipt"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("A merge is under way"),
  });
  git("reset", "-q");
  git("checkout", "-q", "--orphan", "anew");
  stage.commit("another beginning");
  git("branch", "-D", "main");
  execFileSync("git", ["reflog", "expire", "--expire=now", "--all"], { cwd: stage.repository });
  execFileSync("git", ["gc", "-q", "--prune=now"], { cwd: stage.repository });
  const run = await stage.run(["receipt"]);
  expect(run).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/files of commit [0-9a-f]+ cannot be listed/),
  });
});
