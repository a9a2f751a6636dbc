/** What the settings and the environment make the real program say to a model: one short run for each, told by its first request. */
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { openStage, planFileIn, type Stage } from "./program.ts";

interface Told {
  readonly body: string;
  readonly reminder: string;
  readonly stderr: string;
  readonly tools: Readonly<Record<string, string>>;
}

interface Saying {
  readonly settings?: object;
  readonly environment?: Readonly<Record<string, string>>;
  readonly prompt?: string;
  readonly directory?: string;
}

async function open(): Promise<Stage> {
  return openStage({ script: () => ({ text: "Seen." }) });
}

/** The first request of a session in plan mode. */
async function tell(stage: Stage, saying: Saying = {}): Promise<Told> {
  const { settings = {}, environment = {}, prompt = "look around", directory = stage.repository } = saying;
  const before = stage.server.requests.length;
  mkdirSync(stage.home, { recursive: true });
  writeFileSync(join(stage.home, "settings.json"), JSON.stringify(settings));
  const args = ["-p", prompt, "--permission-mode", "plan"];
  const { stderr } = await stage.run(args, { environment, directory });
  const body = stage.server.requests[before]!.body as {
    readonly tools: readonly { readonly name: string; readonly description: string }[];
    readonly messages: readonly unknown[];
  };
  return {
    body: JSON.stringify(body),
    reminder: JSON.stringify(body.messages),
    stderr,
    tools: Object.fromEntries(body.tools.map(({ name, description }) => [name, description])),
  };
}

test("R6.7 R7.12 R9.2 R9.3 the tools say when to plan and when not, the reminder names five phases and how a turn ends", async () => {
  const stage = await open();
  const { tools, reminder } = await tell(stage);
  expect(tools["EnterPlanMode"]).toMatch(/several valid approaches.*architecture.*many files.*unclear/s);
  expect(tools["EnterPlanMode"]).toMatch(/Do not use it for clear small fixes.*single function.*research only/s);
  expect(tools["EnterPlanMode"]).toContain("When unsure, plan");
  expect(tools["ExitPlanMode"]).toMatch(
    /already in the plan file.*never for research.*AskUserQuestion, update the plan file/s,
  );
  const phases = ["1. Understand.", "2. Design.", "3. Review.", "4. Final plan.", "5. Exit."];
  const found = phases.map((phase) => reminder.indexOf(phase));
  expect([found.every((at) => at > 0), found.toSorted((one, other) => one - other)]).toEqual([true, found]);
  expect(reminder).toContain("ends only with AskUserQuestion, for requirements and choices alone, or ExitPlanMode");
  expect(reminder).toContain("Never ask in text or through AskUserQuestion whether the plan is approved");
  const reserved = await tell(stage, { settings: { planEagerness: "reserved" } });
  expect(reserved.tools["EnterPlanMode"]).toContain("When unsure, start");
});

test("R9.4 R9.5 the interview by its setting, the environment goes before it; each length of a plan is said", async () => {
  const stage = await open();
  const asked = await tell(stage, { settings: { planWorkflow: "interview", planLength: "cap" } });
  expect(asked.reminder).toMatch(/Work the plan out with the user, in a loop.*Begin early.*40 lines at most/);
  expect(asked.reminder).not.toContain("1. Understand.");
  const off = await tell(stage, {
    settings: { planWorkflow: "interview", planLength: "cut" },
    environment: { GROUNDPLAN_INTERVIEW: "0" },
  });
  expect(off.reminder).toMatch(/1\. Understand\..*no background; about 40 lines in all/);
  const on = await tell(stage, { settings: { planLength: "trim" }, environment: { GROUNDPLAN_INTERVIEW: "1" } });
  expect(on.reminder).toMatch(/in a loop.*context: one line.*verification: one command/);
});

test("R10.4 how many agents: three and one, more by tier and environment, and a number that is none is ignored with a word", async () => {
  const stage = await open();
  const plain = await tell(stage);
  expect(plain.reminder).toMatch(/up to 3 Explore agents.*Start one Plan agent/);
  const team = await tell(stage, { settings: { tier: "team" }, environment: { GROUNDPLAN_EXPLORE_AGENTS: "7" } });
  expect(team.reminder).toMatch(/up to 7 Explore agents.*at least one Plan agent, up to 3 in parallel/);
  const odd = await tell(stage, { environment: { GROUNDPLAN_EXPLORE_AGENTS: "11", GROUNDPLAN_PLAN_AGENTS: "two" } });
  expect(odd.reminder).toMatch(/up to 3 Explore agents.*Start one Plan agent/);
  expect(odd.stderr).toContain("GROUNDPLAN_EXPLORE_AGENTS=11 is ignored");
  expect(odd.stderr).toContain("GROUNDPLAN_PLAN_AGENTS=two is ignored");
});

test("B5.2 planNames task: the date, the words of the task in any script, and one word more, before the model hears the path", async () => {
  const stage = await open();
  const { reminder } = await tell(stage, { settings: { planNames: "task" }, prompt: "Größe der Tür ändern" });
  expect(basename(planFileIn(reminder))).toMatch(/^\d{4}-\d{2}-\d{2}-größe-der-tür-ändern-\p{L}+\.md$/u);
});

test("B8.6 instructions of the project, from its root and the folders on the way, once and bounded in size", async () => {
  const stage = await open();
  const inner = join(stage.repository, "packages/one");
  mkdirSync(inner, { recursive: true });
  writeFileSync(join(stage.repository, "AGENTS.md"), "ROOT RULE: tabs.\n");
  writeFileSync(join(stage.repository, "CLAUDE.md"), "NEVER SEEN\n");
  writeFileSync(join(inner, "CLAUDE.md"), `INNER RULE: spaces.\n${"x".repeat(400_000)}\nTHE END\n`);
  const { body } = await tell(stage, { directory: inner });
  const count = (words: string): number => body.split(words).length - 1;
  expect([count("ROOT RULE"), count("INNER RULE"), count("NEVER SEEN"), count("THE END")]).toEqual([1, 1, 0, 0]);
  expect(body.length).toBeLessThan(200_000);
  expect(body).toContain("Only the beginning is here");
});

test("B10.2 scout names the file that a real commit changed, for the commit's message, among its first ten", async () => {
  const noise = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`src/part${index}.ts`, `export const part${index} = ${index};\n`]),
  );
  const stage = await openStage({
    script: () => ({ text: "" }),
    files: {
      ...noise,
      "src/cart/discount.ts":
        "export function discountFor(total: number): number {\n  return total > 100 ? 10 : 0;\n}\n",
    },
  });
  const { code, stdout } = await stage.run(["scout", "Give a larger discount on large totals", "--json"]);
  const { files } = JSON.parse(stdout) as { readonly files: readonly { readonly path: string }[] };
  expect([code, files.slice(0, 10).map(({ path }) => path)]).toEqual([
    0,
    expect.arrayContaining(["src/cart/discount.ts"]),
  ]);
});
