/** Bad input: whatever comes in, `reduce` never throws, says why with a typed reason, and leaves the state as it was. */
import { describe, expect, test } from "vitest";
import {
  approval,
  call,
  choose,
  decided,
  noOrigin,
  person,
  planFile,
  planning,
  play,
  refusalsIn,
  reply,
  reviewing,
  rewound,
  runs,
  said,
  start,
  started,
  submission,
  working,
  writes,
} from "../testing/core-fixtures.ts";
import type { Event } from "./event.ts";
import type { Refusal } from "./effect.ts";
import { reduce } from "./reduce.ts";
import { freshSession, type Session } from "./session.ts";

const sessions: readonly (readonly [string, Session])[] = [
  ["not started", freshSession()],
  ["idle", started()],
  ["thinking", working()],
  ["planning", planning()],
  ["asking", play(working(), reply(runs("c"))).session],
  ["reviewing", reviewing()],
  ["confirming", play(reviewing(), approval()[0]!).session],
];

const garbage: readonly unknown[] = [
  null,
  undefined,
  0,
  Number.NaN,
  "",
  "mode-chosen",
  true,
  [],
  ["mode-chosen"],
  {},
  () => null,
  Symbol("x"),
  10n,
  { type: null },
  { type: 5 },
  { type: ["plan-left"] },
  { type: "" },
  { type: "nonsense" },
  { type: "constructor" },
  { type: "__proto__" },
  { type: "toString" },
  { type: "hasOwnProperty" },
  JSON.parse('{"__proto__": {"type": "plan-left"}}'),
  JSON.parse('{"type": {"toString": 1, "valueOf": 2}}'),
  Object.create(null),
  { type: Object.create(null) },
];

describe("garbage", () => {
  const cells = sessions.flatMap(([name, session]) => garbage.map((event) => ({ name, session, event })));
  test.each(cells)(
    "B2.1 R1.5 $event in a session that is $name is refused and changes nothing",
    ({ session, event }) => {
      const step = reduce(session, event as Event);
      expect(step.session).toBe(session);
      expect(step.effects).toEqual([
        { type: "refuse", event: expect.any(String), reason: expect.stringMatching(/^(unknown|malformed)-event$/) },
      ]);
    },
  );
  const events: Readonly<Record<Event["type"], object>> = {
    "session-started": start(),
    ...({ "session-linked": { id: "s2" }, "session-resumed": { plan: null } } as const),
    "session-forked": { id: "s2", slug: null, file: null },
    "user-said": { text: "hi" },
    "turn-cancelled": {},
    "mode-chosen": { mode: "plan" },
    "mode-cycled": {},
    "plan-left": {},
    "parent-mode-changed": { mode: "plan" },
    "model-replied": { request: 1, content: [], calls: [writes("c")] },
    "model-failed": { request: 1, error: "e" },
    "tool-finished": { callId: "c", output: null, isError: false },
    "permission-answered": { questionId: "q1", allowed: true, by: person, reason: "r", remember: "Bash" },
    "session-allowed": { rules: ["Bash(npm test:*)"], by: person },
    "question-answered": { questionId: "q1", answer: { status: "answered", answers: { a: "b" } }, by: person },
    "classifier-answered": { questionId: "q1", answer: "allow", reason: "r" },
    "hooks-answered": { id: "Stop-1", answer: { answer: "deny", reason: "r", context: [], told: [] } },
    "plan-claimed": { slug: "a-b-c", file: "/plans/a-b-c.md", origin: noOrigin },
    "plan-claim-failed": { error: "e" },
    "plan-verified": { plan: "s1-plan-1", hash: "h", passed: true, at: 1 },
    "plan-saved": { text: "t", by: "model", at: 1 },
    "plan-commented": { file: "/plans/a.md", comments: [], resolved: [] },
    "plan-read": { callId: "exit", text: "t", at: 1, evidence: { commit: null, files: [] } },
    "plan-written": { callId: "exit", error: "e" },
    "review-decided": { requestId: "r", verdict: { kind: "dismiss" }, by: person, at: 1 },
    "lead-answered": { requestId: "r", verdict: { kind: "dismiss" }, by: person, at: 1 },
    "auto-gate-changed": { open: true },
    "settings-changed": { settings: start().settings, autoOptedIn: true },
    "rules-changed": { rules: { allow: [], ask: [], deny: [] } },
    "todos-written": { todos: [{ content: "a", status: "pending" }] },
    "work-tree-compared": { changed: ["/repo/a"] },
    "files-edited": { edits: [{ path: "/repo/a", hash: "h", mtimeMs: 1, difference: null }] },
    ...({ "work-begun": { from: "t1" }, "work-ended": { to: "t2" } } as const),
    "session-rewound": rewound("p1"),
    "context-cleared": {},
    "context-compacted": { summary: "s", plan: null },
    "compaction-requested": { why: "asked" },
    "compaction-failed": { error: "e" },
  };
  const odd: readonly unknown[] = [
    null,
    undefined,
    7,
    "x",
    true,
    [],
    [null],
    {},
    [[]],
    { constructor: 1 },
    [{ kind: "write" }],
  ];
  const broken = Object.entries(events).flatMap(([type, event]) =>
    Object.keys(event)
      .filter((field) => field !== "type")
      .flatMap((field) => odd.map((value) => Object.assign({}, event, { type, [field]: value }))),
  );

  test("B2.1 every event with any field of any wrong type never throws, whatever the state, nor later", () => {
    const later = [said("go"), reply(writes("w"), runs("r")), ...submission("# Plan"), ...approval(), choose("plan")];
    const halfApplied = sessions.flatMap(([, session]) =>
      broken.filter((event) => {
        const { session: after, effects } = reduce(session, event as unknown as Event);
        if (after !== session) play(after, ...later);
        return refusalsIn(effects).length > 0 && after !== session;
      }),
    );
    expect(halfApplied).toEqual([]);
  });

  test.each<[string, unknown]>([
    ["no kind", {}],
    ["an unknown kind", { kind: "constructor" }],
    ["a write without a path", { kind: "write", place: "project" }],
    ["a write to null", { kind: "write", path: null, place: "project" }],
    ["a write to nowhere", { kind: "write", path: "/a", place: "moon" }],
    ["a read of nothing", { kind: "read" }],
    ["a command without a verdict", { kind: "command", command: "ls", directory: "/", reason: "" }],
    ["a command with another verdict", { ...call("c", null), kind: "command", command: "ls", verdict: "fine" }],
    ["a fetch of a number", { kind: "fetch", url: 5, method: "GET" }],
    ["a foreign tool without a name", { kind: "external", trusted: true, readOnlyHint: true }],
    ["an agent that says nothing of itself", { kind: "spawn", agent: "x" }],
    ["text", "write"],
    ["undefined", undefined],
  ])("B1.2 a call whose access is broken (%s) is not taken", (_, access) => {
    for (const session of [planning(), working()]) {
      const step = play(session, reply({ ...writes("c"), access: access as null }));
      expect(step.session).toBe(session);
      expect(step.last).toEqual([{ type: "refuse", event: "model-replied", reason: "malformed-event" }]);
    }
  });

  test.each<[string, unknown]>([
    ["null", [null]],
    ["no name", [{}]],
    ["a number for a name", [{ rule: 5 }]],
    ["a number for a path", [{ rule: "Read", path: 5 }]],
    ["text for parts", [{ rule: "Bash", parts: "rm" }]],
    ["numbers in parts", [{ rule: "Bash", parts: [5] }]],
  ])("R17.1 a call whose subjects are broken (%s) is not taken", (_, subjects) => {
    const session = working({ rules: { allow: ["mcp__x"], ask: ["Read(a)", "Bash(b)"], deny: [] } });
    const step = play(session, reply({ ...writes("c"), subjects: subjects as [] }));
    expect(step.session).toBe(session);
    expect(step.last).toEqual([{ type: "refuse", event: "model-replied", reason: "malformed-event" }]);
  });

  test("R11.2 a change of rules cannot smuggle in anything but rules", () => {
    const rules = { allow: ["Bash"], ask: [], deny: [], stripped: true, runners: [] };
    const before = started();
    expect(play(before, { type: "rules-changed", rules }).session.permissions.rules).toEqual({
      ...before.permissions.rules,
      allow: ["Bash"],
    });
  });
});

describe("out of order", () => {
  test.each<[string, Session, Event, Refusal]>([
    ["anything before the start", freshSession(), said("hi"), "not-started"],
    ["a second start", started(), start(), "already-started"],
    [
      "a reply that nobody waits for",
      started(),
      { type: "model-replied", request: 1, content: [], calls: [] },
      "stale-request",
    ],
    [
      "a reply to an earlier request",
      working(),
      { type: "model-replied", request: 0, content: [], calls: [] },
      "stale-request",
    ],
    ["a failure of an earlier request", working(), { type: "model-failed", request: 7, error: "e" }, "stale-request"],
    [
      "a result of an unknown call",
      working(),
      { type: "tool-finished", callId: "c", output: 1, isError: false },
      "unknown-call",
    ],
    [
      "an answer to an unknown question",
      working(),
      { type: "permission-answered", questionId: "q9", allowed: true, by: person },
      "unknown-question",
    ],
    [
      "a classifier's answer to an unknown question",
      working(),
      { type: "classifier-answered", questionId: "q9", answer: "allow", reason: "" },
      "unknown-question",
    ],
    [
      "a verdict on an unknown request",
      reviewing(),
      { type: "review-decided", requestId: "r9", verdict: { kind: "save" }, by: person, at: 1 },
      "unknown-request",
    ],
    [
      "a lead's answer to nothing",
      planning(),
      { type: "lead-answered", requestId: "r9", verdict: { kind: "save" }, by: person, at: 1 },
      "foreign-answer",
    ],
    ["a plan that was not asked for", planning(), { type: "plan-read", callId: "c", text: "t", at: 1 }, "unknown-call"],
    ["a written plan that was not asked for", planning(), { type: "plan-written", callId: "c" }, "unknown-call"],
    [
      "a claim that was not asked for",
      planning(),
      { type: "plan-claimed", slug: "x-y-z", file: "/p/x-y-z.md", origin: noOrigin },
      "no-claim-pending",
    ],
    [
      "a failed claim that was not asked for",
      planning(),
      { type: "plan-claim-failed", error: "e" },
      "no-claim-pending",
    ],
    ["a snapshot without a plan file", started(), { type: "plan-saved", text: "t", by: "model", at: 1 }, "plan-path"],
    ["leaving what was not entered", started(), { type: "plan-left" }, "not-planning"],
    ["stopping what does not run", started(), { type: "turn-cancelled" }, "nothing-to-do"],
    ["clearing while the model speaks", working(), { type: "context-cleared" }, "busy"],
    [
      "compacting while a plan is under review",
      reviewing(),
      { type: "context-compacted", summary: "approved!", plan: null },
      "busy",
    ],
    ["a parent's mode for one who has none", started(), { type: "parent-mode-changed", mode: "plan" }, "nothing-to-do"],
  ])("B2.1 %s is refused with a typed reason", (_, session, event, reason) => {
    const step = reduce(session, event);
    expect(step.session).toBe(session);
    expect(step.effects).toEqual([{ type: "refuse", event: event.type, reason }]);
  });

  const pending = play(started({ mode: "plan" }), said("go")).session;
  test.each<[string, string, string]>([
    ["outside of its name", "a-b-c", "/plans/other.md"],
    ["through ..", "a-b-c", "/plans/../a-b-c.md"],
    ["relative", "a-b-c", "a-b-c.md"],
    ["with a slug that leaves the folder", "../a", "/plans/../a.md"],
    ["that is no Markdown", "a-b-c", "/plans/a-b-c.sh"],
  ])("R3.2 R3.6 a claimed plan path %s is refused", (_, slug, file) => {
    const step = reduce(pending, { type: "plan-claimed", slug, file, origin: noOrigin });
    expect(step.session).toBe(pending);
    expect(step.effects).toEqual([{ type: "refuse", event: "plan-claimed", reason: "plan-path" }]);
  });

  test("B2.1 an approval for another hash, a second answer and a blank edit do not count", () => {
    const session = reviewing();
    const other = play(session, decided({ kind: "approve", hash: "0".repeat(64) }));
    expect([other.session, refusalsIn(other.last)]).toEqual([session, ["other-hash"]]);
    const blank = play(session, approval({ plan: " \n\u200b" })[0]!);
    expect([blank.session, refusalsIn(blank.last)]).toEqual([session, ["empty-plan"]]);
    const once = play(session, approval()[0]!);
    const twice = play(once.session, decided({ kind: "abandon" }));
    expect([twice.session, refusalsIn(twice.last)]).toEqual([once.session, ["already-answered"]]);
    expect(session.plan.file).toBe(planFile);
  });
});
