/** The second round by the real program: what became of each comment, and suggestions as old and new text, for the person and the model. */
import { readFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { fateOf } from "../../src/core/plan/anchors.ts";
import { hashText } from "../../src/core/plan/hash.ts";
import type { Comment } from "../../src/core/verdict.ts";
import type { ReviewState } from "../../src/faces/browser/desks/wire.ts";
import type { ScriptedTurn } from "../../src/testing/loopback.ts";
import { planFileIn, type Stage } from "../headless/program.ts";
import { until } from "../support/until.ts";
import { programs, startLive, startReview } from "./programs.ts";
import { visit, type Page } from "./stage.ts";

const all = programs();
afterEach(() => all.end());

const first = `# Change a

The rate is read once.

- Change \`a.ts\`
- Test it
- Remove the old file

Nothing else is touched.
`;
const second = first
  .replace("- Change `a.ts`", "- Change `a.ts` and then `b.ts`")
  .replace("- Remove the old file\n", "")
  .replace("# Change a\n", "# Change a\n\nBoth files.\n");

/** A model that submits one text after the other, and answers before the second. */
function submitting(...texts: readonly string[]): Promise<Stage> {
  const left = [...texts];
  return all.stage({
    script: ({ body }): ScriptedTurn => {
      const content = left.shift();
      if (content === undefined) return { text: "Done." };
      const write = { tool: "Write", input: { file_path: planFileIn(JSON.stringify(body)), content } };
      const answer = left.length === texts.length - 1 ? {} : { text: "Once, since it never changes." };
      return { ...answer, calls: [write, { tool: "ExitPlanMode", input: {} }] };
    },
  });
}

async function live(stage: Stage): Promise<Page> {
  const session = startLive(all, stage);
  await session.event("plan.submitted");
  return visit((await startReview(all, stage, [])).link);
}

function revision(page: Page, number: number): Promise<ReviewState> {
  return until(`revision ${number} is asked`, async () => {
    const state = await page.state();
    return state.request?.revision === number ? state : null;
  });
}

/** Everything that the model was told since, as it reads it. */
function heardBy({ server }: Stage, since = 0): string {
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
  };
  server.requests.slice(since).forEach(({ body }) => collect(body["messages"]));
  return texts.join("\n");
}

function on(id: string, kind: Comment["kind"], line: number, text = `Words ${id}.`): Comment {
  return { id, kind, from: line, to: line, quote: first.split("\n")[line - 1]!, text };
}

test("B19.1 in the next revision each comment is changed here, answered, untouched or gone, and the model reads the same of it as the person", async () => {
  const stage = await submitting(first, second, `${second}\nMore.\n`);
  const page = await live(stage);
  const shown = await revision(page, 1);
  const comments = [on("c1", "change", 5), on("c2", "question", 3), on("c3", "change", 9), on("c4", "change", 7)];
  const said = { requestId: shown.request!.id, hash: shown.hash, kind: "revise", comments };
  expect((await page.post("verdict", said)).status).toBe(200);

  const next = await revision(page, 2);
  const told = next.comments.map((comment) => [comment.id, fateOf(comment, next.reply !== null), comment.from]);
  expect(told).toEqual([
    ["c1", "changed", 7],
    ["c2", "answered", 5],
    ["c3", "untouched", 10],
    ["c4", "gone", 7],
  ]);
  expect(next.comments[0]).toMatchObject({ was: "- Change `a.ts`", now: "- Change `a.ts` and then `b.ts`" });

  const before = stage.server.requests.length;
  const again = { requestId: next.request!.id, hash: next.hash, kind: "revise", feedback: "Not yet.", comments: [] };
  expect((await page.post("verdict", again)).status).toBe(200);
  await revision(page, 3);
  const heard = heardBy(stage, before);
  for (const words of [
    "- Change, line 7, rewritten since this was said:\n> - Change `a.ts`\nThese lines now read:\n> - Change `a.ts` and then `b.ts`\nWords c1.",
    "- Question, line 5 (answer in text; no reason to rewrite the plan):\n> The rate is read once.\nWords c2.",
    "- Change, line 10:\n> Nothing else is touched.\nWords c3.",
    "- Change, once line 7, no longer in the plan:\n> - Remove the old file\nWords c4.",
  ])
    expect(heard).toContain(words);
});

test("B19.2 a suggestion travels to the model as old and new text, also through a review of a session that does not run", async () => {
  const stage = await submitting(first, second);
  await stage.run(["-p", "change a", "--permission-mode", "plan", "--output-format", "json"]);
  const review = await startReview(all, stage, []);
  const page = await visit(review.link);
  const shown = await page.state();
  const comments = [
    { ...on("s1", "change", 6, ""), suggestion: '- Test it\n- Test it "twice"' },
    { ...on("s2", "change", 7, "It is needed."), suggestion: "" },
  ];
  const said = { requestId: shown.request!.id, hash: shown.hash, kind: "revise", comments };
  expect((await page.post("verdict", said)).status).toBe(200);
  expect(JSON.parse((await review.ended).stdout.trimEnd().split("\n").at(-1)!)).toMatchObject({ comments });
  const before = stage.server.requests.length;
  await stage.run(["-p", "--continue", "--output-format", "json"]);
  const heard = heardBy(stage, before);
  expect(heard).toContain('- Change, line 6:\n> - Test it\nSuggested instead:\n> - Test it\n> - Test it "twice"');
  expect(heard).toContain(
    "- Change, line 7:\n> - Remove the old file\nIt is needed.\nSuggested: take these lines out.",
  );
  const { stdout } = await stage.run(["plans", "show"]);
  expect(stdout).toMatch(/line 6, suggestion\n +- - Test it\n +\+ - Test it\n +\+ - Test it "twice"\n/);
  expect(stdout).toMatch(/line 7, suggestion: It is needed\.\n +- - Remove the old file\n/);
});

test("B19.2 with a yes it is the edit: exactly this text is approved, kept as a revision of the person's, and carried out", async () => {
  const stage = await submitting(first);
  const page = await live(stage);
  const shown = await revision(page, 1);
  const plan = first.replace("- Test it\n", "- Test it twice\n");
  const before = stage.server.requests.length;
  const yes = { requestId: shown.request!.id, hash: shown.hash, kind: "approve", mode: "acceptEdits", plan };
  expect((await page.post("verdict", yes)).status).toBe(200);
  await until("the model goes on", () => stage.server.requests.length > before);
  expect(heardBy(stage, before)).toContain(plan.trimEnd());
  const kept = JSON.parse((await stage.run(["plans", "show", "--json"])).stdout) as Record<string, unknown>;
  expect(kept).toMatchObject({
    text: plan,
    approvedHash: hashText(plan),
    revisions: [
      { number: 1, hash: hashText(first), by: "model" },
      { number: 2, hash: hashText(plan), by: "person" },
    ],
    decisions: [{ kind: "approve", hash: hashText(plan), by: { surface: "browser" } }],
  });
  expect(readFileSync(String(kept["file"]), "utf8")).toBe(plan);
});
