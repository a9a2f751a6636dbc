/** The index is rebuilt from logs and files: when it is lost, damaged, stale, or when many processes were killed at it (B5.3). */
import { appendFileSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { PlanEntry } from "../../src/agent/library/entry.ts";
import { finish } from "../headless/program.ts";
import { libraryStage, logsOf, type LibraryStage } from "./stage.ts";

const stages: LibraryStage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

async function newStage(): Promise<LibraryStage> {
  const stage = await libraryStage();
  stages.push(stage);
  return stage;
}

const all = (stage: LibraryStage): Promise<PlanEntry[]> => stage.json("plans", "list", "--all");
const indexOf = ({ home }: LibraryStage): string => join(home, "plans", "index.jsonl");

test("B5.3 lost, damaged in one line, cut off or full of rubbish: the index comes back as it was, and one line says so", async () => {
  const stage = await newStage();
  const one = await stage.submit("# One\n\nChange `a.ts`.\n");
  await stage.submit("# Two\n");
  await stage.approve(one);
  const before = await all(stage);
  expect(before.map(({ title, status }) => [title, status])).toEqual([
    ["One", "approved"],
    ["Two", "submitted"],
  ]);
  const whole = readFileSync(indexOf(stage), "utf8");
  const lines = whole.trimEnd().split("\n");
  const damages: Record<string, string | null> = {
    lost: null,
    empty: "",
    "a line cut short": [...lines.slice(0, -1), lines.at(-1)!.slice(0, 90)].join("\n"),
    "a line of rubbish": `${lines.slice(0, 2).join("\n")}\n\u0000\u0001{]\n${lines.slice(2).join("\n")}\n`,
    "the last lines gone": `${lines[0]}\n`,
    "another shape": `${lines.map(() => '{"v":1,"id":"x"}').join("\n")}\n`,
  };
  for (const [name, text] of Object.entries(damages)) {
    if (text === null) rmSync(indexOf(stage));
    else writeFileSync(indexOf(stage), text);
    const { stdout, stderr } = await stage.run(["plans", "list", "--all", "--json"]);
    expect([name, JSON.parse(stdout)]).toEqual([name, before]);
    expect(stderr).toMatch(/^groundplan: The plan index [^\n]+\n$/);
    const again = await stage.run(["plans", "list", "--all", "--json"]);
    expect([name, again.stderr, JSON.parse(again.stdout)]).toEqual([name, "", before]);
  }
  appendFileSync(indexOf(stage), '{"v":1,"torn');
  await stage.submit("# Three\n");
  expect((await all(stage)).map(({ title }) => title)).toEqual(["Three", "One", "Two"]);
});

test("B5.3 stale after a crash: what only the log has is brought in; a plan without a session is told by its file alone", async () => {
  const stage = await newStage();
  const one = await stage.submit("# One\n");
  const old = readFileSync(indexOf(stage), "utf8");
  await stage.approve(one);
  writeFileSync(indexOf(stage), old);
  const { stdout, stderr } = await stage.run(["plans", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject([{ title: "One", status: "approved" }]);
  expect(stderr).toContain("out of date");

  for (const log of logsOf(stage)) rmSync(log);
  expect(await all(stage)).toMatchObject([{ title: "One", status: "approved", session: one.sessionId }]);
  rmSync(indexOf(stage));
  expect(await all(stage)).toMatchObject([
    { title: "One", status: "draft", session: null, project: null, file: one.plan.path },
  ]);
  rmSync(one.plan.path);
  expect(await all(stage)).toEqual([]);
});

test("B5.3 an index that cannot be written breaks no session", async () => {
  const stage = await newStage();
  await stage.submit("# One\n");
  rmSync(indexOf(stage));
  rmSync(join(stage.home, "plans", "index.logs.jsonl"));
  const { mkdirSync } = await import("node:fs");
  mkdirSync(indexOf(stage));
  const two = await stage.submit("# Two\n");
  expect(two.status).toBe("plan_ready");
  const { stdout } = await stage.run(["plans", "list", "--json"]);
  expect((JSON.parse(stdout) as PlanEntry[]).map(({ title }) => title)).toEqual(["Two", "One"]);
});

test("B5.3 wherever a killed session's log ends, and whichever plans share a moment, every look shows the same", async () => {
  const stage = await newStage();
  await stage.submit("# One\n\nChange `a.ts`.\n");
  const log = logsOf(stage)[0]!;
  const lines = readFileSync(log, "utf8").trimEnd().split("\n");
  for (const name of ["some-making-hill", "other-making-hill", "third-making-hill"]) {
    const file = join(stage.home, "plans", `${name}.md`);
    writeFileSync(file, `# ${name}\n`);
    utimesSync(file, 1_700_000_000, 1_700_000_000);
  }
  const look = async (): Promise<readonly PlanEntry[]> => {
    const { openLibrary } = await import("../../src/agent/library/library.ts");
    const library = await openLibrary({ configHome: stage.home, project: stage.repository, tell: () => undefined });
    return library.list({ all: true });
  };
  for (let kept = 0; kept <= lines.length; kept += 1) {
    writeFileSync(
      log,
      lines
        .slice(0, kept)
        .map((line) => `${line}\n`)
        .join(""),
    );
    forget(stage);
    const first = await look();
    expect([kept, await look()]).toEqual([kept, first]);
    const sameMoment = first.slice(1).map(({ id }) => id);
    expect([kept, first.length, sameMoment]).toEqual([kept, 4, sameMoment.toSorted()]);
  }
});

function forget({ home }: LibraryStage): void {
  for (const name of readdirSync(join(home, "plans")).filter((one) => one.startsWith("index"))) {
    rmSync(join(home, "plans", name));
  }
}

test("B5.3 many processes at once, killed at random: the index loads, and a rebuild from the logs is equal to it", async () => {
  const stage = await newStage();
  const rounds = 4;
  for (let round = 0; round < rounds; round += 1) {
    const children = Array.from({ length: 5 }, (_, at) =>
      stage.start(["-p", `add a status number ${round}${at} to a.ts`, "--model", "scout", "--permission-mode", "plan"]),
    );
    const readers = [stage.start(["plans", "list", "--all", "--json"])];
    const ends = [...children, ...readers].map((child) => finish(child, ""));
    for (const child of children.slice(0, 3)) setTimeout(() => child.kill("SIGKILL"), 150 + Math.random() * 900);
    await Promise.all(ends);
  }
  const kept = await all(stage);
  expect(kept.length).toBeGreaterThanOrEqual(rounds * 2);
  forget(stage);
  expect(await all(stage)).toEqual(kept);
  const decoded = readFileSync(indexOf(stage), "utf8").trimEnd().split("\n");
  expect(decoded).toHaveLength(kept.length);
});
