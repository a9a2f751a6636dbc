import { describe, expect, test } from "vitest";
import {
  approval,
  answered,
  finished,
  noticesIn,
  play,
  planFile,
  questionOf,
  reads,
  refusalsIn,
  reply,
  resultsOf,
  reviewing,
  runs,
  said,
  settings,
  start,
  started,
  statesOf,
  writes,
  type Move,
} from "../../testing/core-fixtures.ts";
import { items } from "../chain.ts";
import { hashText } from "../plan/hash.ts";
import { reduce } from "../reduce.ts";
import type { Todo } from "../reminders/reminder.ts";
import { freshSession, type PlanSettings, type Session } from "../session.ts";
import { planProgress } from "./drift.ts";
import { seedTodos } from "./progress.ts";

const steps = "# T\n\n- [ ] Change `a.ts`\n- [x] Look\n";
const seeded: readonly Todo[] = [
  { content: "Change `a.ts`", status: "pending" },
  { content: "Look", status: "completed" },
];
const done = seeded.map((todo): Todo => ({ ...todo, status: "completed" }));
const write = (todos: readonly Todo[]): Move => ({ type: "todos-written", todos });
const verified = (passed: boolean, hash = hashText(steps)): Move => ({
  type: "plan-verified",
  plan: "s1-plan-1",
  hash,
  passed,
  at: 9,
});

/** Approved in acceptEdits mode, the model thinking. */
function approved(planScope: PlanSettings["planScope"] = "warn"): Session {
  const session = reviewing(steps, { settings: { ...settings, planScope } });
  return play(session, ...approval({ mode: "acceptEdits" })).session;
}

const statusAfter = (...moves: readonly Move[]): string => play(approved(), ...moves).session.plans[0]!.status;

describe("how far the work is", () => {
  test.each<[string, readonly Move[], string]>([
    ["looking begins nothing", [reply(reads("r")), finished("r")], "approved"],
    ["the first change begins it", [reply(writes("w"))], "executing"],
    ["todos that are all completed end it", [reply(writes("w")), finished("w"), write(done)], "done"],
    ["completed todos without a change do not", [write(done)], "approved"],
    ["no todos do not", [reply(writes("w")), finished("w"), write([])], "executing"],
    ["a todo opened again takes it back", [reply(writes("w")), finished("w"), write(done), write(seeded)], "executing"],
    ["verified is done", [verified(true)], "done"],
    ["checks that failed change nothing", [reply(writes("w")), verified(false)], "executing"],
    ["checks of another text change nothing", [verified(true, hashText("# Other"))], "approved"],
  ])("B5.3 %s", (_, moves, status) => {
    expect(statusAfter(...moves)).toBe(status);
  });

  test("B6.3 the last look at the work is kept with the plan, whatever it found", () => {
    const found = ["npm test failed (exit 1)."];
    const event = {
      type: "plan-verified",
      plan: "s1-plan-1",
      hash: hashText(steps),
      passed: false,
      found,
      at: 9,
    } as const;
    const failed = play(approved(), event).session;
    expect(failed.plans[0]!.verified).toEqual({ passed: false, found, at: 9 });
    expect(play(failed, verified(true)).session.plans[0]!.verified).toEqual({ passed: true, found: [], at: 9 });
  });

  test("B6.3 checks of another text or plan are refused", () => {
    expect(refusalsIn(play(approved(), verified(true, "h")).last)).toEqual(["other-hash"]);
  });

  test("B6.4 a linked session carries the plan's history on, with its steps as todos", () => {
    const first = approved();
    const linked = { from: "s1", file: planFile, text: steps, seen: [], record: first.plans[0]! };
    const { session } = reduce(freshSession(), start({ id: "s2", linked }));
    expect(session.plans).toEqual([
      { ...first.plans[0]!, status: "executing", lineage: { previous: null, forkedFrom: null, carriedOutIn: "s2" } },
    ]);
    expect(session.todos).toEqual(seeded);
  });
});

describe("todos of the steps", () => {
  test("B6.1 an approval seeds them where nothing is to do, and the model hears how many", () => {
    const session = approved();
    expect(session.todos).toEqual(seeded);
    expect(resultsOf(session)["exit"]).toMatchObject({ kind: "approved", seeded: 2 });
  });

  test("B6.1 R13.2 what is on the list stays; steps come only after what is completed", () => {
    const open: Todo = { content: "explore", status: "in_progress" };
    const past: Todo = { content: "explore", status: "completed" };
    expect(seedTodos([open], steps)).toEqual([open]);
    expect(seedTodos([past], steps)).toEqual([past, ...seeded]);
    expect(seedTodos([], "# No steps\n")).toEqual([]);
  });

  test("B6.1 the last steps of a very long plan share one todo, and model and person hear of it", () => {
    const long = `# Long\n\n${Array.from({ length: 221 }, (_, at) => `- [ ] Step ${at + 1}`).join("\n")}\n`;
    const { session, effects } = play(reviewing(long), ...approval());
    expect(session.todos).toHaveLength(50);
    expect(session.todos.slice(-2)).toEqual([
      { content: "Step 49", status: "pending" },
      { content: "Steps 50 to 221 of the plan", status: "pending" },
    ]);
    expect(resultsOf(session)["exit"]).toMatchObject({ kind: "approved", seeded: 221, together: 172 });
    expect(noticesIn(effects)).toContain("todos-together");
  });

  test("B3.4 with fresh context the steps become todos of the other session alone", () => {
    const session = play(reviewing(steps), ...approval({ fresh: true })).session;
    expect(session.todos).toEqual([]);
  });
});

function pathsFrom(first: number, last: number): readonly string[] {
  return Array.from({ length: last - first + 1 }, (_, at) => `/repo/z${first + at}.ts`);
}

function isReminded(session: Session): boolean {
  return items(session.transcript).some((entry) => entry.kind === "reminder" && entry.reminder.type === "outside_plan");
}

describe("planScope", () => {
  const inside = writes("in", "/repo/a.ts");
  const outside = writes("out", "/repo/z.ts");

  test("B6.2 warn: the person hears once of each file that the plan does not name, when it has been edited", () => {
    const first = play(approved(), reply(inside, outside), finished("in"));
    expect(noticesIn(first.effects)).toEqual([]);
    expect(statesOf(first.session)).toEqual({ out: "running" });
    const failed = { type: "tool-finished", callId: "out", output: "not read", isError: true } as const;
    expect(noticesIn(play(first.session, failed).effects)).toEqual([]);
    const made = play(first.session, finished("out"));
    expect(noticesIn(made.effects)).toEqual(["outside-plan"]);
    const again = play(made.session, reply(writes("again", "/repo/z.ts")), finished("again"));
    expect(noticesIn(again.effects)).toEqual([]);
    expect(again.session.outsidePlan).toEqual(["/repo/z.ts"]);
  });

  test("B16.3 the model is reminded of what it edited outside of the plan: at the first file, then at twice as many", () => {
    let session = approved();
    const told: (readonly string[])[] = [];
    for (let file = 1; file <= 9; file += 1) {
      session = play(session, reply(writes(`w${file}`, `/repo/z${file}.ts`)), finished(`w${file}`)).session;
      const last = items(session.transcript).at(-1);
      told.push(last?.kind === "reminder" && last.reminder.type === "outside_plan" ? last.reminder.paths : []);
    }
    expect(told).toEqual([pathsFrom(1, 1), pathsFrom(2, 2), [], pathsFrom(3, 4), [], [], [], pathsFrom(5, 8), []]);
    expect(planProgress(session)).toMatchObject({ outside: pathsFrom(1, 9) });
    const again = play(session, reply(writes("again", "/repo/z1.ts")), finished("again")).session;
    expect(planProgress(again)).toEqual(planProgress(session));
  });

  test("B16.3 what a person said yes to is counted, and the model is not reminded of it; a no is neither", () => {
    const asked = play(approved("ask"), reply(outside)).session;
    const yes = play(asked, answered("out", "yes"), finished("out")).session;
    expect([planProgress(yes)?.outside, isReminded(yes)]).toEqual([["/repo/z.ts"], false]);
    const no = play(asked, answered("out", "no")).session;
    expect([planProgress(no)?.outside, isReminded(no)]).toEqual([[], false]);
    expect(planProgress(play(approved("off"), reply(outside), finished("out")).session)?.outside).toEqual([]);
  });

  test("B6.2 ask: the person is asked although the mode accepts edits, and a yes lets exactly this one through", () => {
    const asked = play(approved("ask"), reply(inside, outside), finished("in")).session;
    expect(statesOf(asked)).toEqual({ out: "asking" });
    expect(questionOf(asked, "out")).not.toBe(null);
    expect(asked.turn.open[0]!.state).toMatchObject({
      question: { kind: "edit", path: "/repo/z.ts", guarded: false, outsidePlan: true },
    });
    expect(statesOf(play(asked, answered("out", "yes")).session)).toEqual({ out: "running" });
    expect(resultsOf(play(asked, answered("out", "no")).session)["out"]).toMatchObject({ kind: "denied" });
  });

  test("B6.2 R7.11 in a mode that asks nobody hears of an edit that was not made", () => {
    const asked = play(approved(), { type: "mode-chosen", mode: "default" }, reply(outside));
    expect(statesOf(asked.session)).toEqual({ out: "asking" });
    expect(noticesIn(asked.effects)).toEqual([]);
    expect(noticesIn(play(asked.session, answered("out", "no")).effects)).toEqual([]);
    const made = play(asked.session, answered("out", "yes"), finished("out"));
    expect(noticesIn(made.effects)).toEqual(["outside-plan"]);
  });

  test("B6.2 off, or no approved plan: nothing is said", () => {
    const edit = [reply(outside), finished("out")];
    expect(noticesIn(play(approved("off"), ...edit).effects)).toEqual([]);
    expect(noticesIn(play(started({ mode: "acceptEdits" }), said("go"), ...edit).effects)).toEqual([]);
  });

  test("B6.2 an agent that the work is given to is held to the same plan", () => {
    const actor = { kind: "subagent", id: "a1", ownPlan: false, parent: "acceptEdits" } as const;
    const agent = started({ actor, mode: "acceptEdits", approved: { file: planFile, text: steps } });
    expect(noticesIn(play(agent, said("go"), reply(outside), finished("out")).effects)).toEqual(["outside-plan"]);
  });
});

describe("approved plans", () => {
  test.each(["default", "acceptEdits", "bypassPermissions"] as const)(
    "B5.1 no call writes into one in %s; a command is judged as any other",
    (mode) => {
      const session = play(reviewing(steps, { bypassAvailable: true }), ...approval({ mode })).session;
      const { session: after } = play(
        session,
        reply(writes("w", planFile, "elsewhere"), runs("c", { verdict: "read-only" })),
      );
      expect(resultsOf(after)["w"]).toEqual({
        kind: "denied",
        denial: { code: "plan-approved", detail: planFile, part: null },
      });
      expect(statesOf(after)).toEqual({ c: "running" });
    },
  );
});
