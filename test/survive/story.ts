/** A story of forty turns with every feature: what the person does, what the model answers; both told by the log alone, so that it can be taken up anywhere. */
import type { PermissionAsk } from "../../src/agent/ports/ports.ts";
import type { QuestionAnswer } from "../../src/core/questions.ts";
import type { Event } from "../../src/core/event.ts";
import type { ReviewRequest } from "../../src/core/plan/review.ts";
import type { Verdict } from "../../src/core/verdict.ts";

/** What the person does by themselves; the how-manieth it is, the log tells. */
export interface Act {
  readonly event: Event;
  /** What must be the case first; by default that nothing is under way. */
  readonly when: "settled" | "thinking" | "running" | "asking";
}

export interface Step {
  readonly text?: string;
  readonly calls?: readonly { readonly tool: string; readonly input: unknown }[];
  readonly fail?: string;
  readonly hang?: true;
  /** Answers only when the person has done so many things. */
  readonly after?: number;
}

/** Every event that is an act of the person. */
export const actTypes: ReadonlySet<string> = new Set([
  "user-said",
  "mode-chosen",
  "mode-cycled",
  "plan-left",
  "turn-cancelled",
  "context-cleared",
  "compaction-requested",
]);

const say = (turn: number, words: string, when: Act["when"] = "settled"): Act => ({
  event: { type: "user-said", text: `${nameOf(turn)} ${words}` },
  when,
});
const act = (event: Event, when: Act["when"] = "settled"): Act => ({ event, when });
const choose = (mode: "plan" | "default" | "acceptEdits"): Act => act({ type: "mode-chosen", mode });

export const acts: readonly Act[] = [
  say(1, "hello"),
  say(2, "read"),
  choose("acceptEdits"),
  say(3, "edit"),
  choose("default"),
  say(4, "edit, asked"),
  say(5, "write, declined"),
  say(6, "make, asked"),
  say(7, "plan it"),
  say(8, "submit again"),
  say(9, "tick a todo"),
  say(10, "ask me"),
  choose("plan"),
  say(11, "a plain question"),
  ...[12, 13, 14, 15, 16, 17].map((turn) => say(turn, "another")),
  say(18, "look and touch"),
  say(19, "think long"),
  act({ type: "turn-cancelled" }, "thinking"),
  say(20, "wait for more"),
  say(21, "more", "thinking"),
  say(22, "and more", "thinking"),
  say(23, "run slowly"),
  say(24, "while it runs", "running"),
  say(25, "fail"),
  say(26, "again"),
  say(27, "submit, to be saved"),
  act({ type: "compaction-requested", why: "asked", focus: "the plans" }),
  say(28, "outside"),
  choose("default"),
  act({ type: "mode-cycled" }),
  act({ type: "mode-cycled" }),
  say(29, "take the saved plan up, to be abandoned"),
  say(30, "outside again"),
  choose("plan"),
  act({ type: "compaction-requested", why: "asked" }),
  say(31, "a draft"),
  act({ type: "plan-left" }),
  say(32, "work"),
  choose("plan"),
  say(33, "the same plan twice"),
  say(34, "approve"),
  say(35, "ask, then stop"),
  act({ type: "turn-cancelled" }, "asking"),
  say(36, "and now"),
  say(37, "stop a command"),
  act({ type: "turn-cancelled" }, "running"),
  act({ type: "context-cleared" }),
  say(38, "afresh"),
  say(39, "several at once"),
  say(40, "goodbye"),
];

/** Acts that are done when the event of this turn has been said. */
const upTo = (turn: number): number =>
  acts.findIndex(({ event }) => event.type === "user-said" && event.text.startsWith(nameOf(turn))) + 1;

type Call = NonNullable<Step["calls"]>[number];
const call = (tool: string, input: unknown = {}): Step => ({ calls: [{ tool, input }] });
const both = (...calls: readonly Call[]): Step => ({ calls });
const read = (path: string): Call => ({ tool: "Read", input: { file_path: path } });
const write = (path: string, content: string): Call => ({ tool: "Write", input: { file_path: path, content } });
const edit = (from: string, to: string): Call => ({
  tool: "Edit",
  input: { file_path: "a.ts", old_string: from, new_string: to },
});
const bash = (command: string): Step => call("Bash", { command });
const exit: Step = call("ExitPlanMode");
const todos = (...done: readonly ("pending" | "completed")[]): Step =>
  call("TodoWrite", { todos: done.map((status, at) => ({ content: `step ${at + 1}`, status })) });
const ask: Step = call("AskUserQuestion", {
  questions: [
    {
      question: "Tabs?",
      header: "Style",
      options: [
        { label: "yes", description: "tabs" },
        { label: "no", description: "spaces" },
      ],
      multiSelect: false,
    },
  ],
});

/** The model's replies in each turn; after the last it says "Done."  `$PLAN` stands for the plan file that it was told. */
export const replies: Readonly<Record<number, readonly Step[]>> = {
  2: [both(read("a.ts"))],
  3: [both(edit("one", "two"))],
  4: [both(read("a.ts")), both(edit("two", "three"))],
  5: [both(write("declined.ts", "no"))],
  6: [bash("make")],
  7: [
    call("EnterPlanMode"),
    both(write("early.ts", "too early")),
    both(read("a.ts"), { tool: "Glob", input: { pattern: "*.ts" } }),
    both(write("$PLAN", "# First\n1. do it in `a.ts`\n")),
    exit,
    both(read("$PLAN")),
    both(write("$PLAN", "# Second\n1. do it in `a.ts`\n2. test it\n")),
    exit,
  ],
  8: [exit, todos("pending", "pending"), both(write("c.ts", "export const c = 3;\n"))],
  9: [todos("completed", "pending")],
  10: [ask],
  18: [bash("ls"), bash("rm a.ts"), { text: "Seen." }],
  19: [{ hang: true }],
  20: [{ text: "At last.", after: upTo(22) }],
  23: [bash("slow")],
  25: [{ fail: "The server is on fire." }],
  27: [both(write("$PLAN", "# Third\n1. save me\n")), exit],
  29: [both(read("$PLAN")), both(write("$PLAN", "# Fourth\n1. abandon me\n")), exit],
  31: [both(write("$PLAN", "# Draft\n"))],
  33: [both(read("$PLAN")), both(write("$PLAN", "# Fifth\n1. once\n")), exit, exit],
  34: [both(read("$PLAN")), both(write("$PLAN", "# Sixth\n1. at last\n")), exit, both(write("d.ts", "d\n"))],
  35: [both(write("never.ts", "never"))],
  37: [bash("endless")],
  38: [todos("completed", "pending", "pending")],
  39: [both(read("a.ts"), read("c.ts"), write("e.ts", "e\n"), read("a.ts"))],
};

/** By the text that is shown, and by how far the story is. */
export function verdictOn({ plan, hash }: ReviewRequest, done: number): Verdict {
  if (plan.startsWith("# First")) {
    const comment = { id: "c1", kind: "change", from: 2, to: 2, quote: "1. do it in `a.ts`", text: "where?" } as const;
    return { kind: "revise", feedback: "Add a test.", comments: [comment] };
  }
  if (plan.startsWith("# Second")) {
    if (done < upTo(8)) return { kind: "dismiss" };
    return { kind: "approve", hash, mode: "acceptEdits", plan: `${plan}3. by the person\n`, notes: "Mind the cache." };
  }
  if (plan.startsWith("# Third")) return { kind: "save" };
  if (plan.startsWith("# Fourth")) return { kind: "abandon" };
  if (plan.startsWith("# Fifth")) return { kind: "revise", feedback: "Once is not enough." };
  return { kind: "approve", hash, mode: "default" };
}

/** Null: never answered. */
export function permits({ call: asked }: PermissionAsk): boolean | null {
  const input = JSON.stringify(asked.input);
  if (input.includes("never.ts")) return null;
  return !input.includes("declined.ts");
}

export const answer: QuestionAnswer = { status: "answered", answers: { "Tabs?": "no" } };

/** Commands that only end when the person has done something more. */
export const slowCommands: Readonly<Record<string, number>> = { slow: upTo(24), endless: Infinity };

export const verdicts: Readonly<Record<string, "read-only" | "writes">> = {
  ls: "read-only",
  slow: "read-only",
  endless: "read-only",
  "rm a.ts": "writes",
};

export function nameOf(turn: number): string {
  return `T${String(turn).padStart(2, "0")}`;
}
