import { expect, test } from "vitest";
import type { Message, Model, ModelDelta, ModelRequest } from "../agent/ports/model.ts";
import { items } from "../core/chain.ts";
import { startHarness, type HarnessOptions } from "../testing/harness.ts";
import { memoryFiles } from "../testing/memory-files.ts";
import { approveShown, scriptedPerson } from "../testing/scripted-person.ts";
import { createScoutModel } from "./model.ts";
import type { Ranking } from "./rank/rank.ts";

const ranking: Ranking = {
  root: "/repo",
  files: [
    { path: "src/parser.ts", score: 1, why: "defines parseQuote", line: 1 },
    { path: "src/lexer.ts", score: 0.8, why: "changed by “Quote; then more”; speaks of quote (line 2)", line: 2 },
    { path: "test/parser.test.ts", score: 0.6, why: "speaks of quote", line: 1 },
    { path: "docs/notes.md", score: 0.2, why: "speaks of quote", line: 1 },
  ],
  commands: ["npm test", "npm run lint"],
  rules: [],
  notes: [],
};
const sources = {
  "/repo/src/parser.ts": "/** Reads a quote. */\nexport function parseQuote() {\n  return 1;\n}\n",
  "/repo/src/lexer.ts": "export const quote = 1;\nexport function nextToken() {\n  return quote;\n}\n",
  "/repo/test/parser.test.ts": 'test("a quote ends at its mark", () => {});\n',
};

interface PlanOptions extends Partial<HarnessOptions> {
  readonly ranking?: Ranking;
  readonly wrap?: (model: Model) => Model;
}

async function plan(task: string, { wrap = (model) => model, ...options }: PlanOptions = {}) {
  const model = createScoutModel({ directory: "/repo", rank: async () => options.ranking ?? ranking });
  const harness = await startHarness({ mode: "plan", files: memoryFiles(sources), ...options, model: wrap(model) });
  await harness.say(task);
  const { file, text } = harness.session.state.plan;
  const entries = items(harness.session.state.transcript);
  const said = entries.flatMap((entry) =>
    entry.kind === "assistant" ? entry.content.flatMap((part) => (part.type === "text" ? [part.text] : [])) : [],
  );
  const called = entries.flatMap((entry) =>
    entry.kind === "assistant" ? entry.content.flatMap((part) => (part.type === "tool-call" ? [part.tool] : [])) : [],
  );
  return { ...harness, file: file!, text: text!, said, called };
}

test("B10.1 it looks by the real tools, writes the plan and submits it; its first line says what it is", async () => {
  const person = scriptedPerson();
  const { text, said, called } = await plan("Let parseQuote take nested quotes", { person });
  expect(said[0]).toMatch(/^I am scout, .*not a language model.*ANTHROPIC_API_KEY/);
  expect(called).toEqual(["Grep", "Grep", "Glob", "Glob", "Read", "Read", "Read", "Write", "ExitPlanMode"]);
  expect(person.reviewed.map(({ plan: shown }) => shown)).toEqual([text]);
  expect(text).toContain("`src/parser.ts`: has `parseQuote` (line 2)");
  expect(text).toContain("- [ ] Make the change in `src/parser.ts` at `parseQuote` (line 2)");
  expect(text).toContain("Add a case for it to `test/parser.test.ts`");
  expect(text).toContain("`src/lexer.ts`: has `quote` (line 1), `nextToken` (line 2); speaks of quote (line 2)\n");
  expect(text).toContain("- `npm test`");
  expect(text).toContain("“nested”: in none of the files read");
  expect(text).not.toContain("docs/notes.md`: ");
});

test("B7.5 where one file clearly wins, the plan stays under 1 KB", async () => {
  const [first, ...others] = ranking.files;
  const files = [first!, ...others.map(({ path, why, line }) => ({ path, why, line, score: 0.2 }))];
  const { text } = await plan("Let parseQuote take nested quotes", { ranking: { ...ranking, files } });
  expect(Buffer.byteLength(text)).toBeLessThan(1024);
});

test("B10.1 feedback changes the plan, and the same plan is never submitted twice", async () => {
  const person = scriptedPerson({
    reviews: [
      { kind: "revise", feedback: "leave out src/lexer.ts, without tests" },
      { kind: "revise", feedback: "hmm. Why src/parser.ts?" },
      approveShown(),
    ],
  });
  const { said, files } = await plan("Let parseQuote take nested quotes", { person });
  const shown = person.reviewed.map((request) => request.plan);
  expect(new Set(shown).size).toBe(3);
  expect(shown[0]).toContain("src/lexer.ts");
  expect(shown[1]).not.toMatch(/^- (?:\[ \] .*)?`src\/lexer.ts`/m);
  expect(shown[1]).not.toContain("Add a case");
  expect(shown[2]).toContain("“hmm.”: not understood by scout");
  expect(files.contents.get(person.reviewed[2]!.planFile)).toBe(shown[2]);
  expect(said.at(-2)).toContain("“Why src/parser.ts?”: `src/parser.ts` is in the plan for this");
  expect(said.at(-1)).toMatch(/^The plan is approved and stays at `.*\.md`\./);
});

test("B3.2 questions are answered in text, and the plan stays as it is", async () => {
  const comment = {
    id: "1",
    from: 8,
    to: 8,
    quote: "- `src/parser.ts`",
    text: "Why this one?",
    kind: "question",
  } as const;
  const person = scriptedPerson({ reviews: [{ kind: "revise", feedback: "", comments: [comment] }] });
  const { said } = await plan("Let parseQuote take nested quotes", { person });
  expect(said.at(-1)).toContain("“Why this one?”: `src/parser.ts` is in the plan for this: defines parseQuote");
  expect(new Set(person.reviewed.map((request) => request.plan)).size).toBe(1);
});

test("B10.1 it goes by what came of its calls, not by the words that other models read about it", async () => {
  const comment = { id: "1", from: 8, to: 8, quote: "`src/parser.ts`", text: "Why?", kind: "question" } as const;
  const reviews = () => [
    { kind: "revise", feedback: "leave out src/lexer.ts" } as const,
    { kind: "revise", feedback: "", comments: [comment] } as const,
    approveShown(),
  ];
  const [plainly, strangely] = [scriptedPerson({ reviews: reviews() }), scriptedPerson({ reviews: reviews() })];
  const settings = { planTemplate: "# Title\n## Rollback\n" };
  const task = "Plan mode is off. Let parseQuote take nested quotes";
  const plain = await plan(task, { person: plainly, settings });
  const strange = await plan(task, { person: strangely, settings, wrap: inStrangeWords });
  const [shown, shownStrangely] = [plainly, strangely].map(({ reviewed }) => reviewed.map((request) => request.plan));
  expect(shown![0]).toContain("## Rollback\n");
  expect(shownStrangely).toEqual(shown);
  expect(strange.called).toEqual(plain.called);
  expect(strange.said).toEqual(plain.said);
  expect(strange.said.at(-1)).toMatch(/^The plan is approved/);
});

test("R14.1 what it is asked to keep of a conversation is the task", async () => {
  const person = scriptedPerson({ reviews: [approveShown()] });
  const { session } = await plan("Let parseQuote take nested quotes", { person });
  await session.send({ type: "compaction-requested", why: "asked" });
  await session.settled();
  expect(items(session.state.transcript).filter(({ kind }) => kind === "summary")).toEqual([
    { kind: "summary", text: "Let parseQuote take nested quotes" },
  ]);
});

test("it asks at most once, where two parts fit alike, and keeps to the answer", async () => {
  const files = [
    { path: "src/web/cache.ts", score: 1, why: "speaks of cache", line: 1 },
    { path: "lib/disk/cache.ts", score: 0.97, why: "speaks of cache", line: 1 },
  ];
  const asked: string[] = [];
  const person = scriptedPerson({
    answer: ([question]) => {
      asked.push(question!.question);
      return { status: "answered", answers: { [question!.question]: "lib/disk" } };
    },
  });
  const { text } = await plan("Let the cache expire", { person, ranking: { ...ranking, files } });
  expect(asked).toHaveLength(1);
  expect(text).toContain("Chosen when asked: `lib/disk`.");
  expect(text).not.toContain("src/web/cache.ts");
  const alone = await plan("Let the cache expire", { ranking: { ...ranking, files } });
  expect(alone.text).toContain("Assumed, as nobody answered");
  expect(alone.text).toContain("src/web/cache.ts");
});

test("R14.2 a resumed session goes on: the plan file is read before it is written anew", async () => {
  const first = await plan("Let parseQuote take nested quotes");
  const person = scriptedPerson({ reviews: [{ kind: "revise", feedback: "only src/parser.ts" }] });
  const model = createScoutModel({ directory: "/repo", rank: async () => ranking });
  const again = await startHarness({ model, person, past: first.log, files: first.files });
  await again.session.settled();
  expect(person.reviewed).toHaveLength(2);
  expect(again.files.contents.get(first.file)).toContain("only `src/parser.ts` is left");
});

test("a plan that a person edited keeps their words", async () => {
  const files = memoryFiles(sources);
  const person = scriptedPerson({
    reviews: [
      ({ planFile }) => {
        files.contents.set(planFile, "# Mine\n");
        return { kind: "revise", feedback: "leave out src/lexer.ts" };
      },
    ],
  });
  const { file } = await plan("Let parseQuote take nested quotes", { person, files });
  expect(files.contents.get(file)).toMatch(/^# Mine\n\n## Feedback\n- “leave out src\/lexer.ts”: open/);
});

test("outside of plan mode it says that it only plans, and where things are", async () => {
  const { said, called } = await plan("Let parseQuote take nested quotes", { mode: "default" });
  expect(called).toEqual([]);
  expect(said.join("\n")).toMatch(
    /not a language model[\s\S]*I only plan[\s\S]*`src\/parser.ts`[\s\S]*--permission-mode plan/,
  );
});

test("a question for a place gets a plain answer in plan mode too", async () => {
  const { said, called } = await plan("Where are quotes parsed?");
  expect(called).toEqual([]);
  expect(said.join("\n")).toContain("- `src/parser.ts`: defines parseQuote");
});

test("headings that the project wants are added", async () => {
  const template = "# Title\n## Rollback\n";
  const { text } = await plan("Let parseQuote take nested quotes", { settings: { planTemplate: template } });
  expect(text).toContain("## Rollback\n");
});

test("a ranking that fails is told, and a stopped request ends as aborted", async () => {
  const model = createScoutModel({ directory: "/repo", rank: () => Promise.reject(new Error("no luck")) });
  const request: ModelRequest = {
    model: "scout",
    system: "",
    tools: [],
    messages: [{ role: "user", content: [{ type: "text", text: "Hi there" }] }],
  };
  expect((await all(model.stream(request, new AbortController().signal))).at(-1)).toMatchObject({
    type: "done",
    stop: "end",
    reply: [{ type: "text", text: expect.stringContaining("no luck") }],
  });
  expect(await all(model.stream(request, AbortSignal.abort()))).toMatchObject([
    { type: "failed", error: { code: "aborted" } },
  ]);
});

/** Everything that the host says to a model in words of its own is something else. */
function inStrangeWords(model: Model): Model {
  const strange = [{ type: "text", text: "Ĉio bonas." }] as const;
  return {
    stream: ({ messages, ...request }, signal) => {
      const ran = new Set(
        request.transcript!.map((entry) =>
          entry.kind === "result" && entry.outcome.kind === "ran" ? entry.callId : null,
        ),
      );
      const said = messages.map((message): Message => {
        if (message.role === "user") return { role: "user", content: strange };
        if (message.role === "assistant") return message;
        const results = message.results.map((one) => (ran.has(one.id) ? one : { ...one, content: strange }));
        return { role: "tool", results };
      });
      return model.stream({ ...request, messages: said }, signal);
    },
  };
}

async function all(stream: AsyncIterable<ModelDelta>): Promise<ModelDelta[]> {
  const deltas: ModelDelta[] = [];
  for await (const delta of stream) deltas.push(delta);
  return deltas;
}
