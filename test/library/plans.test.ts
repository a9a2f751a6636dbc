/** `groundplan plans`, as people and programs use it. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { PlanEntry } from "../../src/agent/library/entry.ts";
import { libraryStage, logsOf, type LibraryStage } from "./stage.ts";

const stages: LibraryStage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

async function newStage(files?: Readonly<Record<string, string>>): Promise<LibraryStage> {
  const stage = await libraryStage(files === undefined ? {} : { files });
  stages.push(stage);
  return stage;
}

const oauth = "# Add OAuth login\n\n- [ ] Change `a.ts`\n- [ ] Change `b.ts`\n\n## Reuse\n`lib/http.ts`\n";
const pager = "# Paginate the ledger\n\nUse a cursor in `b.ts`.\n";
const edit = { calls: [{ tool: "Edit", input: { file_path: "a.ts", old_string: "1", new_string: "2" } }] };
const readA = { calls: [{ tool: "Read", input: { file_path: "a.ts" } }] };

test("B5.3 R14.7 every session keeps the index: draft, submitted, rejected, approved, executing, done; for this person alone", async () => {
  const stage = await newStage();
  const first = await stage.submit(oauth);
  const status = (): string => stage.index().at(-1)!.status;
  expect(status()).toBe("submitted");
  const { sessionId } = first;
  expect(stage.index().at(-1)).toMatchObject({
    id: `${sessionId}-plan-1`,
    file: first.plan.path,
    title: "Add OAuth login",
    session: sessionId,
    project: stage.repository,
    origin: {
      branch: "main",
      commit: execFileSync("git", ["rev-parse", "HEAD"], { cwd: stage.repository, encoding: "utf8" }).trim(),
    },
    revisions: [{ number: 1, hash: first.plan.hash, by: "model" }],
    decisions: [],
    lineage: { previous: null, forkedFrom: null, carriedOutIn: null },
  });
  const { result } = await stage.approve(first, [readA]);
  expect([result.plan.status, status()]).toEqual(["approved", "approved"]);
  await stage.say(["go on", "--resume", sessionId], [edit]);
  expect(status()).toBe("executing");
  const todos = [{ content: "Change a", status: "completed" }];
  await stage.say(["go on", "--resume", sessionId], [{ calls: [{ tool: "TodoWrite", input: { todos } }] }]);
  expect(status()).toBe("done");
  for (const name of ["index.jsonl", "index.logs.jsonl"]) {
    expect(statSync(join(stage.home, "plans", name)).mode & 0o777).toBe(0o600);
  }
  expect(statSync(join(stage.home, "plans")).mode & 0o777).toBe(0o700);
});

test("B5.4 list: newest first, of this project from any subfolder, of all with --all, by status", async () => {
  const stage = await newStage({ "a.ts": "1\n", "deep/er/x.ts": "x\n" });
  const one = await stage.submit(oauth);
  const two = await stage.submit(pager);
  await stage.approve(one);
  const listed = await stage.run(["plans", "list"], { directory: join(stage.repository, "deep/er") });
  expect(listed).toMatchObject({ code: 0, stderr: "" });
  const rows = listed.stdout.trimEnd().split("\n");
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatch(
    new RegExp(`^${one.sessionId.slice(0, 8)} +approved +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d +1 rev +Add OAuth login$`),
  );
  expect(rows[1]).toContain("submitted");
  const entries = await stage.json<PlanEntry[]>("plans");
  expect(entries.map(({ title }) => title)).toEqual(["Add OAuth login", "Paginate the ledger"]);
  const approved = await stage.json<PlanEntry[]>("plans", "list", "--status", "approved");
  expect(approved.map(({ session }) => session)).toEqual([one.sessionId]);
  const elsewhere = join(stage.home, "..", "elsewhere");
  mkdirSync(elsewhere);
  expect((await stage.run(["plans"], { directory: elsewhere })).stdout).toBe(
    "There are no plans yet in this project. With --all: 2 plans.\n",
  );
  const all = await stage.run(["plans", "--all"], { directory: elsewhere });
  expect(all.stdout).toContain(stage.repository);
  expect(all.stdout).toContain(two.sessionId.slice(0, 8));
  expect(await stage.run(["plans", "list", "--status", "nope"])).toMatchObject({ code: 2, stdout: "" });
});

test("B2.7 B3.1 B5.4 show, diff and export: any revision, who decided what on which bytes, exactly the approved ones", async () => {
  const stage = await newStage();
  const first = await stage.submit(oauth);
  const second = `${oauth}\nMore.\n`;
  const { plan, sessionId } = await stage.submit(second, { resume: first.sessionId });
  const id = sessionId.slice(0, 8);
  expect(plan.path).toBe(first.plan.path);
  const unapproved = await stage.run(["plans", "export", id]);
  expect(unapproved).toMatchObject({ code: 0, stdout: second });
  expect(unapproved.stderr).toContain("nobody approved");
  await stage.approve({ ...first, plan });

  const shown = await stage.run(["plans", "show", id]);
  expect(shown.code).toBe(0);
  expect(shown.stdout).toContain("\n# Add OAuth login\n");
  expect(shown.stdout).toContain("More.");
  expect(shown.stdout).toMatch(/approved +\d{4}-\d\d-\d\d \d\d:\d\d by \S+ \(command line\), mode acceptEdits/);
  expect(shown.stdout).toContain(plan.hash);
  expect((await stage.run(["plans", "show", id, "--revision", "1"])).stdout).not.toContain("More.");
  const asJson = await stage.json<Record<string, unknown>>("plans", "show", id);
  expect(asJson).toMatchObject({
    text: second,
    hash: plan.hash,
    approvedHash: plan.hash,
    revision: 2,
    changedOutside: false,
  });

  const diff = await stage.run(["plans", "diff", id]);
  expect(diff.stdout).toContain("--- revision 1\n+++ revision 2\n");
  expect(diff.stdout).toContain("+More.");
  expect((await stage.run(["plans", "diff", id, "2", "1"])).stdout).toContain("-More.");
  expect(await stage.run(["plans", "diff", id, "1", "9"])).toMatchObject({ code: 1, stdout: "" });
  const other = await stage.submit(pager);
  expect((await stage.run(["plans", "diff", id, other.sessionId.slice(0, 8)])).stdout).toContain(
    "+# Paginate the ledger",
  );

  const exported = await stage.run(["plans", "export", id]);
  expect(exported).toEqual({ code: 0, stdout: second, stderr: "" });
  const target = join(stage.home, "out.md");
  expect((await stage.run(["plans", "export", id, "-o", target])).code).toBe(0);
  expect(createHash("sha256").update(readFileSync(target)).digest("hex")).toBe(plan.hash);
  expect(await stage.run(["plans", "export", id, "-o", target])).toMatchObject({ code: 1 });
  expect(await stage.run(["plans", "show", "no-such-plan"])).toMatchObject({ code: 1, stdout: "" });
  expect(await stage.run(["plans", "show", id, "--revision", "7"])).toMatchObject({ code: 1, stdout: "" });
  expect(await stage.run(["plans", "frob"])).toMatchObject({ code: 2, stdout: "" });
});

test("B5.4 a plan is found by id, beginning, name, title and file; several are listed, never guessed among", async () => {
  const stage = await newStage();
  const { sessionId, plan } = await stage.submit(oauth);
  await stage.approve({ sessionId, plan } as never);
  await stage.submit(pager, { resume: sessionId });
  const title = async (wanted: string): Promise<unknown> =>
    (await stage.json<{ title: string }>("plans", "show", wanted)).title;
  const name = plan.path.split("/").at(-1)!;
  for (const wanted of [
    `${sessionId}-plan-1`,
    `${sessionId.slice(0, 8)}-plan-1`,
    name,
    name.replace(".md", ""),
    "add oauth LOGIN",
    plan.path,
  ]) {
    expect(await title(wanted)).toBe("Add OAuth login");
  }
  expect(await title(`${sessionId.slice(0, 8)}-plan-2`)).toBe("Paginate the ledger");
  const ambiguous = await stage.run(["plans", "show", sessionId.slice(0, 8)]);
  expect(ambiguous).toMatchObject({ code: 1, stdout: "" });
  expect(ambiguous.stderr).toContain("2 plans could be meant");
  expect(ambiguous.stderr).toContain(`${sessionId.slice(0, 8)}-plan-1`);
  expect(ambiguous.stderr).toContain("Paginate the ledger");
  const [newest] = await stage.json<PlanEntry[]>("plans");
  expect(newest!.lineage.previous).toBe(`${sessionId}-plan-1`);
});

test("B5.4 search: title before heading before body, beginnings of words, phrases, accents and case aside, with the lines", async () => {
  const stage = await newStage();
  await stage.submit("# Storage\n\n## Caching layer\nIt is slow.\n");
  await stage.submit("# Caching\n\nKeep pages.\n");
  await stage.submit("# Logging\n\nNo caching here. Größe der Datei, 登录页面 und naïve façade.\n");
  const found = async (...words: string[]): Promise<string[]> =>
    (await stage.json<{ title: string }[]>("plans", "search", ...words)).map(({ title }) => title);
  expect(await found("caching")).toEqual(["Caching", "Storage", "Logging"]);
  expect(await found("CACH")).toEqual(["Caching", "Storage", "Logging"]);
  expect(await found("aching")).toEqual([]);
  expect(await found('"keep pages"')).toEqual(["Caching"]);
  expect(await found('"pages keep"')).toEqual([]);
  expect(await found("grosse", "facade")).toEqual(["Logging"]);
  expect(await found("页面")).toEqual(["Logging"]);
  expect(await found("caching", "slow")).toEqual(["Storage"]);
  const human = await stage.run(["plans", "search", "slow"]);
  expect(human.stdout).toMatch(/Storage\n +4 {2}It is slow\.\n$/);
  expect(await stage.run(["plans", "search", "nowhere"])).toMatchObject({ code: 1, stdout: "" });
  expect(await stage.run(["plans", "search", "…"])).toMatchObject({ code: 2, stdout: "" });
});

test("B2.5 hostile titles reach no terminal as they are", async () => {
  const stage = await newStage();
  const { sessionId } = await stage.submit("# Evil \u001b[31m\u202Etitle\u0007\n\nBody \u001b]0;x\u0007\n");
  for (const args of [["list"], ["show", sessionId], ["search", "evil"], ["show", "Evil \u001b[2J"]]) {
    const { stdout, stderr } = await stage.run(["plans", ...args]);
    expect(stdout + stderr).not.toMatch(/[\u001b\u0007\u202e]/);
  }
  expect((await stage.run(["plans"])).stdout).toContain("\\u{1b}[31m\\u{202e}title");
});

test("B5.4 rm: asks or needs --yes, keeps what was approved without --force, and stays away after a rebuild of the same index", async () => {
  const stage = await newStage();
  const draft = await stage.submit(pager);
  const approved = await stage.submit(oauth);
  await stage.approve(approved);
  const id = draft.sessionId.slice(0, 8);
  expect(await stage.run(["plans", "rm", id])).toMatchObject({ code: 2, stdout: "" });
  expect(existsSync(draft.plan.path)).toBe(true);
  expect((await stage.run(["plans", "rm", id, "--yes"])).code).toBe(0);
  expect(existsSync(draft.plan.path)).toBe(false);
  expect(await stage.run(["plans", "rm", approved.sessionId, "--yes"])).toMatchObject({ code: 1, stdout: "" });
  expect(readFileSync(approved.plan.path, "utf8")).toBe(oauth);
  rmSync(join(stage.home, "plans", "index.logs.jsonl"));
  expect((await stage.json<PlanEntry[]>("plans")).map(({ title }) => title)).toEqual(["Add OAuth login"]);
  expect((await stage.run(["plans", "rm", approved.sessionId, "--yes", "--force"])).code).toBe(0);
  expect(await stage.json<PlanEntry[]>("plans")).toEqual([]);
});

test("B5.4 resume goes on in the plan's session; where that is gone, a new one starts from the plan", async () => {
  const stage = await newStage();
  const earlier = await stage.submit(pager);
  const resumed = await stage.run([
    "plans",
    "resume",
    earlier.sessionId.slice(0, 8),
    "and now?",
    "--output-format",
    "json",
  ]);
  expect(JSON.parse(resumed.stdout)).toMatchObject({ sessionId: earlier.sessionId, mode: "plan" });

  const first = await stage.submit(oauth);
  await stage.approve(first);
  for (const log of logsOf(stage)) rmSync(log);
  const anew = await stage.run(["plans", "resume", first.sessionId, "--output-format", "json"]);
  expect(anew.stderr).toContain("session is gone");
  const result = JSON.parse(anew.stdout);
  expect(result.sessionId).not.toBe(first.sessionId);
  expect(JSON.stringify(stage.server.requests.at(-1)!.body)).toContain("## Approved Plan:");
  expect(stage.index().at(-1)).toMatchObject({
    id: `${first.sessionId}-plan-1`,
    status: "executing",
    lineage: { carriedOutIn: result.sessionId },
  });

  const draft = await stage.submit(pager);
  rmSync(logsOf(stage).find((log) => log.includes(draft.sessionId))!);
  await stage.run(["plans", "resume", draft.sessionId, "--output-format", "json"]);
  const body = JSON.stringify(stage.server.requests.at(-1)!.body);
  expect(body).toContain("## Earlier plan:");
  expect(body).toContain("Paginate the ledger");
});

test("B5.5 resume and show say which files the plan names changed since it was submitted", async () => {
  const stage = await newStage({ "a.ts": "1\n", "b.ts": "2\n" });
  const first = await stage.submit(oauth);
  writeFileSync(join(stage.repository, "b.ts"), "changed\n");
  expect((await stage.json<{ stale: string[] }>("plans", "show")).stale).toEqual(["b.ts"]);
  expect((await stage.run(["plans", "show"])).stdout).toMatch(/changed since +b\.ts/);
  const text = await stage.say(["go on", "--resume", first.sessionId], []);
  expect(text.stderr).toContain("changed since the plan was submitted: b.ts");
  const stream = await stage.say(["go on", "--resume", first.sessionId, "--output-format", "stream-json"], []);
  expect(stream.stdout).toContain('"key":"plan-files-changed"');
});
