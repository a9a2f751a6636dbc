/** The approval dialog key by key, in a real terminal emulator. */
import { describe, expect, test } from "vitest";
import type { ReviewRequest } from "../../src/core/plan/review.ts";
import type { Verdict } from "../../src/core/verdict.ts";
import { placeComments } from "../../src/core/plan/anchors.ts";
import { emulator, key, typing, type Emulator, type EmulatorOptions } from "./emulator.ts";
import { approvalDialog, comment, longPlan, review, smallPlan } from "./requests.ts";

describe("choices", () => {
  test.each([
    ["1", { kind: "approve", mode: "default" }],
    ["y", { kind: "approve", mode: "default" }],
    ["Y", { kind: "approve", mode: "default" }],
    ["2", { kind: "approve", mode: "acceptEdits" }],
    ["a", { kind: "approve", mode: "acceptEdits" }],
    ["b", { kind: "approve", mode: "auto" }],
    ["p", { kind: "approve", mode: "bypassPermissions" }],
    ["f", { kind: "approve", mode: "auto", fresh: true }],
  ])("R15.2 %s answers with %j, naming the hash that was shown", async (input, verdict) => {
    const { answers, terminal } = opened();
    await terminal.press(input);
    expect(answers).toEqual([{ ...verdict, hash: review().hash }]);
  });

  test.each([
    ["s", { kind: "save" }],
    ["6", { kind: "save" }],
    ["x", { kind: "abandon" }],
    [key.escape, { kind: "dismiss" }],
    ["\u001B[27u", { kind: "dismiss" }],
    ["\u0003", { kind: "dismiss" }],
  ])("R15.2 %j answers with %j", async (input, verdict) => {
    const { answers, terminal } = opened();
    await terminal.press(input);
    expect(answers).toEqual([verdict]);
  });

  test("R7.4 stand in the request's order, the first is selected, arrows go round", async () => {
    const first = opened();
    await first.terminal.press(key.enter);
    expect(first.answers).toEqual([{ kind: "approve", mode: "default", hash: review().hash }]);
    const second = opened();
    await second.terminal.press(key.down, key.enter);
    expect(second.answers).toEqual([{ kind: "approve", mode: "acceptEdits", hash: review().hash }]);
    const last = opened();
    await last.terminal.press(key.up, key.enter);
    expect(last.answers).toEqual([{ kind: "abandon" }]);
  });

  test("B3.4 all choices are in view at every size, in the request's order", async () => {
    const labels = [
      "ask before each edit",
      "edit freely",
      "earlier mode (auto)",
      "ask nothing at all",
      "fresh context (auto)",
    ];
    const order = [...labels, "Save for later", "No, keep planning", "Abandon"];
    for (const [columns, rows] of [
      [80, 24],
      [100, 40],
      [200, 60],
    ] as const) {
      const { terminal } = opened({}, { columns, rows });
      const screen = (await terminal.screen()).join("\n");
      for (const [index, label] of order.entries())
        expect(screen).toMatch(new RegExp(`${index + 1}\\. [^0-9]*${label.replaceAll(/[()]/g, "\\$&")}`));
      terminal.stop();
    }
    const narrow = opened({}, { columns: 40, rows: 12 });
    const screen = (await narrow.terminal.screen()).join(" ");
    expect([...screen.matchAll(/ ?([1-8]) (Approve|Save|No|Abandon)/g)].map((match) => match[1]).join("")).toBe(
      "12345678",
    );
  });

  test("a key that is let go answers nothing, and nothing is answered twice", async () => {
    const { answers, terminal } = opened();
    await terminal.press("\u001B[49;1:3u");
    expect(answers).toEqual([]);
    await terminal.press("1", "1", key.enter);
    expect(answers).toHaveLength(1);
  });
});

describe("what nobody can read", () => {
  test.each([
    ["few rows", 80, 6],
    ["few columns", 12, 30],
  ])(
    "B2.5 with too %s for a line of the plan nothing is approved, by letter, number, Enter or with notes",
    async (...at) => {
      const [, columns, rows] = at;
      const { answers, terminal } = opened({}, { columns, rows });
      await terminal.press("a", "1", "f", key.enter, key.tab, "x", key.enter, key.escape);
      expect(answers).toEqual([]);
      await terminal.resize(80, 24);
      await terminal.press("a");
      expect(answers).toMatchObject([{ kind: "approve", mode: "acceptEdits" }]);
    },
  );

  test("B2.5 a no needs no room", async () => {
    const { answers, terminal } = opened({}, { columns: 80, rows: 6 });
    await terminal.press("s");
    expect(answers).toEqual([{ kind: "save" }]);
  });
});

describe("keys that come too soon", () => {
  test("B2.4 keys typed before the dialog was drawn, or in its first 400 ms, do not answer it", async () => {
    const { answers, terminal } = opened();
    await terminal.send("1", key.enter, "y");
    await terminal.pass(399);
    expect(answers).toEqual([]);
    expect((await terminal.screen()).join("\n")).toContain("not counted");
    await terminal.press("1");
    expect(answers).toHaveLength(1);
  });

  test("B2.4 the time runs from its first drawing, not from its making", async () => {
    const terminal = emulator();
    const answers: Verdict[] = [];
    const dialog = approvalDialog(review(), terminal.surface, (verdict) => answers.push(verdict));
    await terminal.pass(5_000);
    dialog.handleInput?.("1");
    terminal.show(dialog);
    await terminal.pass(0);
    await terminal.send("1");
    expect(answers).toEqual([]);
  });

  test("B2.4 who is still typing does not answer: the dialog waits until the keys pause", async () => {
    const { answers, terminal } = opened();
    await terminal.pass(0);
    for (const letter of "yes, say yes") {
      await terminal.send(letter);
      await terminal.pass(150);
    }
    expect(answers).toEqual([]);
    await terminal.pass(300);
    await terminal.send("y");
    expect(answers).toHaveLength(1);
  });
});

test("what a terminal reports by itself is no key", async () => {
  const { answers, terminal } = opened();
  await terminal.pass(0);
  await terminal.send("\u001B[?1u", "\u001B[I", "\u001B[O", "\u001B[6;20;10t");
  expect((await terminal.screen()).join("\n")).not.toContain("not counted");
  await terminal.pass(400);
  await terminal.send("1");
  expect(answers).toHaveLength(1);
});

describe("reading", () => {
  test.each([
    [400, 80, 24],
    [400, 40, 12],
    [5_000, 200, 60],
  ])(
    "R7.4 every line of a plan of %i lines is reached at %i×%i, the choices always in view",
    async (lines, columns, rows) => {
      const { terminal } = opened({ plan: longPlan(lines) }, { columns, rows });
      const seen = new Set<number>();
      await terminal.pass(1_000);
      for (let page = 0; page < lines && seen.size < lines; page += 1) {
        const screen = (await terminal.screen()).join("\n");
        for (const match of screen.matchAll(/step number (\d+) of/g)) seen.add(Number(match[1]));
        expect(screen).toMatch(/1\.? Approve, ask/);
        expect(screen).toContain("Abandon");
        await terminal.send(key.pageDown);
      }
      expect(seen.size).toBe(lines);
      terminal.stop();
    },
  );

  test("Home, End, j and k scroll, and the place is shown", async () => {
    const { terminal } = opened({ plan: longPlan(400) });
    await terminal.press(key.end);
    expect((await terminal.screen()).join("\n")).toContain("of 400 ──");
    expect((await terminal.screen()).join("\n")).toContain("step number 400 of");
    await terminal.press("k", "k");
    expect((await terminal.screen()).join("\n")).not.toContain("step number 400 of");
    await terminal.press(key.home, "j");
    expect((await terminal.screen())[3]).toContain("step number 2 of");
  });

  test("R9.5 the size is shown, and a hint when the plan is long", async () => {
    const long = opened({ plan: longPlan(700) });
    const screen = (await long.terminal.screen()).join("\n");
    expect(screen).toContain("700 lines · 22,883 characters");
    expect(screen).toContain("half are sent back");
    const short = opened();
    expect((await short.terminal.screen()).join("\n")).not.toContain("sent back");
  });

  test("a resized terminal keeps the place", async () => {
    const { terminal } = opened({ plan: longPlan(400) });
    await terminal.press(key.pageDown, key.pageDown);
    const top = /step number \d+ of/.exec((await terminal.screen()).join("\n"))![0];
    expect(top).not.toBe("step number 1 of");
    await terminal.resize(40, 12);
    const screen = (await terminal.screen()).join("\n");
    expect(screen).toContain(top);
    expect(screen).toContain("Abandon");
  });
});

describe("comments", () => {
  test("B3.2 comments of each kind go along, quoted with their lines", async () => {
    const { answers, terminal } = opened();
    await terminal.press("c", key.down, key.down, "c", ...typing("Say who"), key.enter);
    await terminal.press(key.down, key.shiftDown, key.shiftDown, "c", key.tab, ...typing("1 or 2?"), key.enter);
    await terminal.press(key.end, "c", key.tab, key.tab, ...typing("fine"), key.enter);
    await terminal.press(key.escape, "n", key.enter);
    expect(answers).toEqual([
      {
        kind: "revise",
        feedback: "",
        comments: [
          { id: "review-1-c1", kind: "change", from: 3, to: 3, quote: "## Why", text: "Say who" },
          {
            id: "review-1-c2",
            kind: "question",
            from: 4,
            to: 6,
            quote: "People cannot sign in with **OAuth** yet; see [the issue](https://example.org/12).\n\n## Steps",
            text: "1 or 2?",
          },
          { id: "review-1-c3", kind: "note", from: 26, to: 26, quote: "Run `npm test -- login`.", text: "fine" },
        ],
      },
    ]);
    const [verdict] = answers;
    const sent = verdict?.kind === "revise" ? (verdict.comments ?? []) : [];
    expect(placeComments(sent, smallPlan).map(({ anchor }) => anchor)).toEqual(["kept", "kept", "kept"]);
  });

  test("B3.2 a comment can be changed and removed, and a blank line takes the words above it", async () => {
    const { answers, terminal } = opened();
    await terminal.press("c", key.down, "c", ...typing("one"), key.enter);
    await terminal.press(key.up, key.enter, ...typing(" more"), key.tab, key.enter);
    await terminal.press(key.down, key.down, "c", ...typing("two"), key.enter, key.delete);
    await terminal.press(key.escape, "n", ...typing("and 3"), key.enter);
    expect(answers).toEqual([
      {
        kind: "revise",
        feedback: "and 3",
        comments: [
          { id: "review-1-c1", kind: "question", from: 1, to: 1, quote: "# Add a login page", text: "one more" },
        ],
      },
    ]);
  });

  test("B3.2 open comments are shown where their text moved, or as gone, and can be settled", async () => {
    const moved = { ...comment, from: 2, to: 2 };
    const gone = { ...comment, id: "old-2", quote: "no such words", text: "Why so?" };
    const { answers, terminal } = opened({ comments: placeComments([moved, gone], smallPlan), revision: 2 });
    const screen = (await terminal.screen()).join("\n");
    expect(screen).toContain("● change, still open, its text moved here: Say which test covers it");
    expect(screen).toContain("● change, still open, its text is gone “no such words”: Why so?");
    await terminal.press("c", ...Array.from({ length: 8 }, () => key.down), "r");
    expect((await terminal.screen()).join("\n")).toContain("● change, settled, its text moved here");
    await terminal.press(key.escape, "n", ...typing("good"), key.enter);
    expect(answers).toEqual([{ kind: "revise", feedback: "good", resolved: ["old-1"] }]);
  });

  test("Esc asks once more before it loses comments", async () => {
    const { answers, terminal } = opened();
    await terminal.press("c", "c", ...typing("Hm"), key.enter, key.escape, key.escape);
    expect(answers).toEqual([]);
    expect((await terminal.screen()).join("\n")).toContain("loses your comment");
    await terminal.press(key.escape);
    expect(answers).toEqual([{ kind: "dismiss" }]);
  });
});

describe("words of the person", () => {
  test("B2.4 digits type digits in the feedback box, letters letters, Enter sends", async () => {
    const { answers, terminal } = opened();
    await terminal.press("n", ...typing("1. say y, 2x"), key.enter);
    expect(answers).toEqual([{ kind: "revise", feedback: "1. say y, 2x" }]);
  });

  test("Esc goes back from the box and keeps what was typed", async () => {
    const { answers, terminal } = opened();
    await terminal.press("n", ...typing("half"), key.escape, "n", ...typing(" done"), key.enter);
    expect(answers).toEqual([{ kind: "revise", feedback: "half done" }]);
  });

  test("what is pasted is text, also when it looks like keys", async () => {
    const { answers, terminal } = opened();
    await terminal.press("\u001B[200~1\r2\u001B[201~");
    expect(answers).toEqual([]);
    await terminal.press("n", "\u001B[200~one\r\ntwo 2\u001B[201~", key.enter);
    expect(answers).toEqual([{ kind: "revise", feedback: "one\ntwo 2" }]);
  });

  test("B3.3 a plan is approved with notes and comments, each as it is", async () => {
    const { answers, terminal } = opened();
    await terminal.press("c", "c", ...typing("Nice"), key.enter, key.escape);
    await terminal.press(key.down, key.tab, ...typing("Mind 2 tests"), key.enter);
    expect(answers).toEqual([
      {
        kind: "approve",
        mode: "acceptEdits",
        hash: review().hash,
        notes: "Mind 2 tests",
        comments: [{ id: "review-1-c1", kind: "change", from: 1, to: 1, quote: "# Add a login page", text: "Nice" }],
      },
    ]);
  });
});

describe("revisions", () => {
  const previous = smallPlan.replace("Reuse", "Copy");

  test("B3.1 one key shows the difference from what was seen last, signed and coloured", async () => {
    const { terminal } = opened({ previous, revision: 2 });
    expect((await terminal.screen()).join("\n")).toContain("+1 −1 since you last saw it");
    await terminal.press("d");
    const screen = await terminal.screen();
    const removed = screen.findIndex((line) => line.includes("- 2. Copy"));
    const added = screen.findIndex((line) => line.includes("+ 2. Reuse"));
    expect([removed, added].every((row) => row > 0)).toBe(true);
    expect([terminal.colourAt(removed, 8), terminal.colourAt(added, 8)]).toEqual([210, 114]);
    await terminal.press("d");
    expect((await terminal.screen()).join("\n")).not.toContain("Copy");
  });

  test("B3.2 a comment made while comparing stands on the line that changed", async () => {
    const { answers, terminal } = opened({ previous, revision: 2 });
    await terminal.press("d", "c", "c", ...typing("why?"), key.enter, key.escape, "n", key.enter);
    const [verdict] = answers;
    const lines = verdict?.kind === "revise" ? verdict.comments?.map(({ from }) => from) : [];
    expect(lines).toEqual([8]);
  });

  test("B2.1 a text that changed meanwhile opens with its difference, and says that nothing was approved", async () => {
    const { terminal } = opened({ previous, revision: 2, again: "changed" });
    const screen = (await terminal.screen()).join("\n");
    expect(screen).toContain("nothing was approved");
    expect(screen).toContain("- 2. Copy");
  });

  test("R7.4 the editor opens on the plan and the dialog comes back with the new text, which can be compared", async () => {
    const edited = `${smallPlan}\n\n## More\nAnd this.`;
    const { answers, terminal } = opened({}, { edit: () => ({ kind: "edited", text: edited }) });
    await terminal.press("e");
    expect((await terminal.screen()).join("\n")).toContain("edited by you");
    await terminal.press("d");
    expect((await terminal.screen()).join("\n")).toContain("+ ## More");
    await terminal.press("y");
    expect(answers).toEqual([{ kind: "approve", mode: "default", hash: review().hash, plan: edited }]);
  });

  test("B3.5 an editor closed without a change changes nothing, one that fails says why", async () => {
    const same = opened({}, { edit: () => ({ kind: "unchanged" }) });
    await same.terminal.press("e");
    expect((await same.terminal.screen()).join("\n")).toContain("The plan was not changed.");
    await same.terminal.press("1");
    expect(same.answers).toEqual([{ kind: "approve", mode: "default", hash: review().hash }]);
    const broken = opened(
      {},
      {
        edit: () => {
          throw new Error("vi is missing");
        },
      },
    );
    await broken.terminal.press("e");
    expect((await broken.terminal.screen()).join("\n")).toContain("could not be used: vi is missing");
    const failed = opened();
    await failed.terminal.press("e");
    expect((await failed.terminal.screen()).join("\n")).toContain("could not be used: no editor");
  });

  test("B3.5 an edit that is not approved goes along as it is: one place writes it, and tells the model", async () => {
    const { answers, terminal } = opened({ plan: "one\ntwo" }, { edit: () => ({ kind: "edited", text: "one\n2" }) });
    await terminal.press("e");
    await terminal.press("n", ...typing("so"), key.enter);
    expect(answers).toEqual([{ kind: "revise", feedback: "so", plan: "one\n2" }]);
  });
});

function opened(
  over: Partial<ReviewRequest> = {},
  options: EmulatorOptions = {},
): { readonly answers: Verdict[]; readonly terminal: Emulator } {
  const terminal = emulator(options);
  const answers: Verdict[] = [];
  terminal.show(approvalDialog(review(over), terminal.surface, (verdict) => answers.push(verdict)));
  return { answers, terminal };
}
