import { describe, expect, test } from "vitest";
import {
  approval,
  decided,
  person,
  planFile,
  planning,
  play,
  reviewing,
  submission,
  type Move,
} from "../../testing/core-fixtures.ts";
import { addDecision, addRevision, openRecord, staleFiles, summaryOf, type PlanRecord } from "./ledger.ts";
import { hashText } from "./hash.ts";

const empty: PlanRecord = openRecord({
  id: "s1-plan-1",
  file: planFile,
  session: "s1",
  project: "/repo",
  origin: { branch: "main", commit: "abc" },
});
const byModel = { at: 1, by: "model" } as const;

describe("the record", () => {
  test("B5.3 a new plan is a draft without title, revisions, decisions or evidence", () => {
    expect(empty).toEqual({
      id: "s1-plan-1",
      file: planFile,
      session: "s1",
      project: "/repo",
      origin: { branch: "main", commit: "abc" },
      title: "",
      status: "draft",
      revisions: [],
      decisions: [],
      evidence: null,
      lineage: { previous: null, forkedFrom: null, carriedOutIn: null },
    });
  });

  test("B3.1 every text is a revision with its hash, the same twice in a row is one, a return to an earlier one is new", () => {
    const texts = ["# A", "# A", "# B", "# A"];
    const record = texts.reduce((sofar, text) => addRevision(sofar, text, byModel), empty);
    expect(record.revisions).toEqual([
      { number: 1, hash: hashText("# A"), text: "# A", ...byModel },
      { number: 2, hash: hashText("# B"), text: "# B", ...byModel },
      { number: 3, hash: hashText("# A"), text: "# A", ...byModel },
    ]);
    expect(record.title).toBe("A");
  });

  test.each([
    ["approve", "approved"],
    ["revise", "rejected"],
    ["save", "saved"],
    ["abandon", "abandoned"],
    ["dismiss", "draft"],
  ] as const)("B5.3 after %s its status is %s", (kind, status) => {
    const decision = { kind, by: person, at: 2, hash: hashText("# A"), mode: "plan" } as const;
    expect(addDecision(empty, decision)).toEqual({ ...empty, status, decisions: [decision] });
  });

  test("B5.3 the index has everything but the texts", () => {
    const record = addRevision(empty, "# Secret", byModel);
    expect(summaryOf(record)).toEqual({
      ...record,
      revisions: [{ number: 1, hash: hashText("# Secret"), ...byModel }],
    });
    expect(JSON.stringify(summaryOf(record))).not.toContain("# Secret");
  });

  test("B5.3 B2.1 a session's plans: draft, submitted, rejected, submitted, approved", () => {
    const first = submission("# A");
    const rejected = [...first, decided({ kind: "revise", feedback: "no" })];
    const second = [...rejected, ...submission("# B")];
    expect([statusOf(), statusOf(...first), statusOf(...rejected), statusOf(...second)]).toEqual([
      ["draft"],
      ["submitted"],
      ["rejected"],
      ["submitted"],
    ]);
    expect(statusOf(...second, ...approval())).toEqual(["approved"]);
  });

  test("B5.1 B5.3 a later plan is a record of its own; the approved one does not change", () => {
    const approved = play(reviewing(), ...approval()).session;
    expect(approved.plans.map(({ id, status }) => [id, status])).toEqual([["s1-plan-1", "approved"]]);
  });
});

describe("staleness", () => {
  const then = {
    commit: "abc",
    files: [
      { path: "a.ts", hash: "1" },
      { path: "b.ts", hash: "2" },
      { path: "new.ts", hash: null },
    ],
  };
  test.each<[string, { path: string; hash: string | null }[], readonly string[]]>([
    ["nothing changed", [...then.files], []],
    ["one changed", [{ path: "a.ts", hash: "9" }], ["a.ts"]],
    ["one was removed", [{ path: "b.ts", hash: null }], ["b.ts"]],
    ["one came to be", [{ path: "new.ts", hash: "3" }], ["new.ts"]],
    ["others are not looked at", [{ path: "z.ts", hash: "3" }], []],
  ])("B5.5 %s", (_, now, stale) => {
    expect(staleFiles(then, now)).toEqual(stale);
  });

  test("B5.5 without an earlier look nothing is stale", () => {
    expect(staleFiles(null, [{ path: "a.ts", hash: "1" }])).toEqual([]);
  });
});

function statusOf(...moves: readonly Move[]): readonly string[] {
  return play(planning(), ...moves).session.plans.map(({ status }) => status);
}
