/** Going back to a point, as a change of the session: what returns, and what stays as it is. */
import { expect, test } from "vitest";
import { reduce } from "../reduce.ts";
import { freshSession, isBusy, type Session } from "../session.ts";
import { pointsOf, pointToRedo, pointToUndo } from "../undo.ts";
import {
  approval,
  claimed,
  entriesOf,
  play,
  refusalsIn,
  reply,
  rewound,
  said,
  start,
  submission,
  type Move,
} from "../../testing/core-fixtures.ts";

const from = (moves: readonly Move[], session = freshSession()): Session => play(session, ...moves).session;
const ids = (session: Session): readonly string[] => pointsOf(session).map(({ id }) => id);
const ends = reply();
const begin = (content: string) => ({ type: "todos-written", todos: [{ content, status: "in_progress" }] }) as const;
const work = (from: string, to: string): readonly Move[] => [
  { type: "work-begun", from },
  { type: "work-ended", to },
];

test("B15.1 each prompt is a point, what is said meanwhile belongs to the one before", () => {
  const session = from([start(), said("one"), said("more"), ends, ends, said("two"), ends]);
  expect(pointsOf(session)).toMatchObject([
    { id: "p1", why: "prompt", label: "one" },
    { id: "p2", why: "prompt", label: "two" },
  ]);
});

test("B15.1 each step of an approved plan that begins is a point", () => {
  const approved = from([start({ mode: "plan" }), said("go"), claimed(), ...submission("# Plan"), ...approval()]);
  const session = from([begin("first"), begin("first"), begin("second")], approved);
  expect(pointsOf(session).map(({ why, label }) => `${why} ${label}`)).toEqual([
    "prompt go",
    "step first",
    "step second",
  ]);
});

test("B15.3 the conversation goes back, what was spent and answered does not; redo brings it again", () => {
  const later = from([start(), said("one"), ends, said("two"), ends]);
  const back = reduce(later, rewound("p2", { what: "conversation", from: null, after: null })).session;
  expect(entriesOf(back)).toEqual(entriesOf(from([start(), said("one"), ends])));
  expect(back.usage).toEqual(later.usage);
  expect(back.turn.requests).toBe(later.turn.requests);
  expect(ids(back)).toEqual(["p1"]);
  expect(pointToRedo(back)?.id).toBe("r1");
  const forth = reduce(back, rewound("r1", { id: "r2", how: "redo" })).session;
  expect(entriesOf(forth)).toEqual(entriesOf(later));
  expect(ids(forth)).toEqual(["p1", "p2"]);
  expect(pointToRedo(forth)).toBeNull();
});

test("B15.3 an approval that is undone is undone: plan mode again, and nobody approved anything", () => {
  const planned = from([start({ mode: "plan" }), said("go"), claimed(), ...submission("# Plan")]);
  const approved = from(approval({ mode: "acceptEdits" }), planned);
  expect(approved.plan.approved).not.toBeNull();
  const idle = from([{ type: "turn-cancelled" }], approved);
  const back = reduce(idle, rewound("p1")).session;
  expect(back.permissions.mode).toEqual({ current: "plan", returnTo: "default" });
  expect(back.plan.approved).toBeNull();
  expect(back.plans.flatMap(({ decisions }) => decisions)).toEqual([]);
  expect(back.permissions.revision).toBeGreaterThan(idle.permissions.revision);
});

test("B15.3 R1.3 going back never ends plan mode, and never gives more than now", () => {
  const wide = from([start({ mode: "bypassPermissions", bypassAvailable: true }), said("one"), ends]);
  const planning = from([{ type: "mode-chosen", mode: "plan" }], wide);
  expect(reduce(planning, rewound("p1")).session.permissions.mode.current).toBe("plan");
  const narrow = from([{ type: "mode-chosen", mode: "default" }], wide);
  expect(reduce(narrow, rewound("p1")).session.permissions.mode.current).toBe("default");
});

test("B15.3 undo again goes one further, new work ends redo, and a busy session is left alone", () => {
  const moves = [start(), said("one"), ...work("a", "b"), ends, said("two"), ...work("b", "c"), ends];
  const done = from(moves);
  expect(pointToUndo(done)?.id).toBe("p2");
  const once = reduce(done, rewound("p2", { what: "files" })).session;
  expect(pointToUndo(once)?.id).toBe("p1");
  const twice = reduce(once, rewound("p1", { what: "files", id: "r2" })).session;
  expect(pointToUndo(twice)).toBeNull();
  expect(twice.undo.redo).toEqual(["r1", "r2"]);
  expect(from([{ type: "work-begun", from: "x" }], twice).undo).toMatchObject({ redo: [], at: null });
  const busy = from([said("three")], twice);
  expect(isBusy(busy.turn)).toBe(true);
  expect(refusalsIn(reduce(busy, rewound("p1", { id: "r3" })).effects)).toEqual(["busy"]);
  expect(refusalsIn(reduce(done, rewound("p9")).effects)).toEqual(["unknown-point"]);
});

test("B15.1 an agent has no points of its own, and a fork begins without", () => {
  const actor = { kind: "subagent", id: "a1", ownPlan: false, parent: "default" } as const;
  expect(from([start({ actor }), said("one")]).undo.points).toEqual([]);
  const forked = from([start(), said("one"), ends, { type: "session-forked", id: "s2", slug: null, file: null }]);
  expect([forked.undo.points, forked.line]).toEqual([[], []]);
});

test("B15.1 B15.4 a summary frees what the one before it summed up: of that time only the files can go back", () => {
  const compacted = { type: "context-compacted", summary: "All of it.", plan: null } as const;
  const era = (text: string): readonly Move[] => [said(text), reply(), said(`${text} again`), reply(), compacted];
  const session = from([start(), ...era("one"), ...era("two"), ...era("three")]);
  const kept = session.undo.points.map(({ label, before }) => [label, before !== null]);
  expect(kept).toEqual([
    ["one", false],
    ["one again", false],
    ["two", false],
    ["two again", false],
    ["three", true],
    ["three again", true],
  ]);
  expect(refusalsIn(reduce(session, rewound("p1")).effects)).toEqual(["talk-not-kept"]);
  expect(reduce(session, rewound("p1", { what: "files" })).session.undo.points).toHaveLength(7);
  expect(entriesOf(reduce(session, rewound("p5")).session)).toHaveLength(1);
});
