/** Plans in other places: a home behind a link, a folder of the project, links planted in the way, sessions that belong together. */
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { PlanEntry } from "../../src/agent/library/entry.ts";
import { libraryStage, type LibraryStage } from "./stage.ts";

const stages: LibraryStage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

async function newStage(): Promise<LibraryStage> {
  const stage = await libraryStage();
  stages.push(stage);
  return stage;
}

const withoutIndex = ({ home }: LibraryStage): void => {
  for (const name of readdirSync(join(home, "plans")).filter((one) => one.startsWith("index"))) {
    rmSync(join(home, "plans", name));
  }
};

test("B5.3 a home that is reached through a link shows no plan twice", async () => {
  const stage = await newStage();
  await stage.submit("# One\n");
  const link = join(stage.home, "..", "link");
  symlinkSync(stage.home, link);
  withoutIndex(stage);
  const { stdout } = await stage.run(["plans", "list", "--all", "--json"], { environment: { GROUNDPLAN_HOME: link } });
  expect((JSON.parse(stdout) as PlanEntry[]).map(({ title }) => title)).toEqual(["One"]);
});

test("R3.1 B5.3 with plansDirectory the index is still in the config home, and a rebuild finds the project's own plans alone", async () => {
  const stage = await newStage();
  mkdirSync(stage.home, { recursive: true });
  writeFileSync(join(stage.home, "settings.json"), '{ "plansDirectory": "docs/plans" }');
  const { plan } = await stage.submit("# One\n");
  expect(plan.path.startsWith(join(stage.repository, "docs/plans/"))).toBe(true);
  expect(existsSync(join(stage.repository, "docs/plans/index.jsonl"))).toBe(false);
  expect(stage.index().at(-1)).toMatchObject({ title: "One", file: plan.path });
  writeFileSync(join(stage.repository, "docs/plans/README.md"), "# Not a plan of ours\n");
  rmSync(join(stage.home, "sessions"), { recursive: true });
  withoutIndex(stage);
  expect(await stage.json<PlanEntry[]>("plans")).toMatchObject([
    { title: "One", file: plan.path, project: stage.repository, session: null },
  ]);
});

test("R3.6 a link in the place of a plan is not followed", async () => {
  const stage = await newStage();
  const { plan, sessionId } = await stage.submit("# One\n");
  const secret = join(stage.home, "secret");
  writeFileSync(secret, "# Secret\n");
  rmSync(plan.path);
  symlinkSync(secret, plan.path);
  symlinkSync(secret, join(stage.home, "plans", "calm-baking-otter.md"));
  const everything = [
    await stage.run(["plans", "show", sessionId]),
    await stage.run(["plans", "export", sessionId]),
    await stage.run(["plans", "list", "--all"]),
    await stage.run(["plans", "search", "secret", "--all"]),
  ];
  expect(everything.map(({ stdout }) => stdout).join("")).not.toContain("# Secret");
  expect(everything[1]!.stdout).toBe("# One\n");
  expect(await stage.run(["plans", "rm", sessionId, "--yes"])).toMatchObject({ code: 1, stdout: "" });
  expect(existsSync(secret)).toBe(true);
});

test("B5.3 B6.4 with fresh context the plan's record names the session that carries it out, and both logs rebuild to it", async () => {
  const stage = await newStage();
  const first = await stage.submit("# One\n\n- [ ] Change `a.ts`\n");
  const streaming = ["--output-format", "stream-json", "--input-format", "stream-json"];
  const child = stage.start(["-p", "--resume", first.sessionId, ...streaming]);
  const verdict = {
    type: "verdict",
    id: `${first.sessionId}-review-1`,
    hash: first.plan.hash,
    kind: "approve",
    fresh: true,
  };
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
    if (printed.includes('"session.linked"')) child.stdin.end();
  });
  const saying = setInterval(() => {
    if (printed.includes('"plan.submitted"') && !child.stdin.writableEnded)
      child.stdin.write(`${JSON.stringify(verdict)}\n`);
  }, 200);
  await new Promise((resolve) => child.on("close", resolve));
  clearInterval(saying);
  const { sessionId } = JSON.parse(printed.trimEnd().split("\n").at(-1)!) as { sessionId: string };
  expect(sessionId).not.toBe(first.sessionId);
  const [kept] = await stage.json<PlanEntry[]>("plans");
  expect(kept).toMatchObject({
    id: `${first.sessionId}-plan-1`,
    session: first.sessionId,
    status: "executing",
    lineage: { carriedOutIn: sessionId },
  });
  withoutIndex(stage);
  expect(await stage.json<PlanEntry[]>("plans")).toEqual([kept]);
  const resumed = await stage.run(["plans", "resume", first.sessionId, "go on", "--output-format", "json"]);
  expect(JSON.parse(resumed.stdout)).toMatchObject({ sessionId });
});
