import { describe, expect, test } from "vitest";
import {
  approval,
  call,
  exits,
  planFile,
  planning,
  play,
  reads,
  reply,
  resultsOf,
  reviewing,
  runs,
  said,
  started,
  statesOf,
  working,
  writes,
} from "../../testing/core-fixtures.ts";
import type { Event } from "../event.ts";
import { pendingReview, planFlags } from "../selectors.ts";
import type { Session } from "../session.ts";

const resumed: Event = { type: "session-resumed", plan: null };

describe("resume", () => {
  test("R14.2 a session that was in plan mode is in it again, with its prePlanMode and slug", () => {
    const before = play(planning({ mode: "acceptEdits" }), reply()).session;
    const { session } = play(before, { ...resumed, plan: "# Rebuilt" });
    expect(session.permissions).toEqual(before.permissions);
    expect([planFlags(session).planSlug, session.plan.file, session.plan.text]).toEqual([
      "calm-baking-otter",
      planFile,
      "# Rebuilt",
    ]);
  });

  test("R14.6 reads run again, any other call may have run, and then the model speaks", () => {
    const before = play(working({ mode: "acceptEdits" }), reply(writes("w"))).session;
    expect(statesOf(before)).toEqual({ w: "running" });
    const interrupted = play(before, resumed);
    expect(resultsOf(interrupted.session)).toEqual({ w: { kind: "interrupted" } });
    expect(interrupted.effects).toEqual([{ type: "call-model", request: 2 }]);
    const read = reads("r");
    expect(play(working(), reply(read), resumed).last).toEqual([{ type: "run-tool", call: read }]);
    const proved = runs("c", { verdict: "read-only" });
    expect(play(working(), reply(proved), resumed).last).toEqual([{ type: "run-tool", call: proved }]);
    const note = call("n", { kind: "note" });
    expect(resultsOf(play(working(), reply(note), resumed).session)).toEqual({ n: { kind: "interrupted" } });
  });

  test("R14.6 R14.2 a request under way is made again", () => {
    expect(play(working(), resumed).effects).toEqual([{ type: "call-model", request: 2 }]);
  });

  test("B2.2 after a crash the same dialog is shown again, with the same text and hash", () => {
    const before = reviewing();
    const { effects, session } = play(before, resumed);
    expect(effects).toEqual([{ type: "request-review", request: pendingReview(before) }]);
    expect(session.permissions.mode.current).toBe("plan");
  });

  test.each<[string, Session, readonly string[]]>([
    ["a question", play(working(), reply(runs("c"))).session, ["ask-permission"]],
    ["a claim", play(started({ mode: "plan" }), said("go")).session, ["claim-plan"]],
    ["a plan being read", play(planning(), reply(exits())).session, ["read-plan"]],
    ["a confirmation", play(reviewing(), approval()[0]!).session, ["read-plan"]],
    ["an edited plan being written", play(reviewing(), ...approval({ plan: "# Mine" })).session, ["write-plan"]],
    ["nothing", started(), []],
  ])("R14.6 R14.2 %s under way is taken up again, and nothing else", (_, before, types) => {
    const { effects, session } = play(before, resumed);
    expect(effects.map(({ type }) => type)).toEqual(types);
    expect(statesOf(session)).toEqual(statesOf(before));
  });

  test("R7.7 R14.6 the person's edit is written again as it was", () => {
    const { last } = play(reviewing(), ...approval({ plan: "# Mine" }), resumed);
    expect(last).toEqual([{ type: "write-plan", callId: "exit", file: planFile, text: "# Mine" }]);
  });

  test("R3.3 R14.6 a claim is taken up with the task that it was for", () => {
    expect(play(started({ mode: "plan" }), said("go"), resumed).last).toEqual([{ type: "claim-plan", task: "go" }]);
  });

  test("R14.6 a request that died is made again as it was; what was said meanwhile waits for the one after it", () => {
    const { session, last } = play(working(), said("and this"), resumed);
    expect(last).toEqual([{ type: "call-model", request: 2 }]);
    expect(session.turn.queued).toEqual(["and this"]);
    expect(play(session, reply()).last).toEqual([{ type: "call-model", request: 3 }]);
  });

  test("B6.4 a linked session is asked for again until the log knows it, and then no more", () => {
    const approved = play(reviewing("# Plan"), ...approval({ fresh: true, mode: "acceptEdits" }));
    const linked = {
      type: "start-linked-session",
      planFile,
      plan: "# Plan",
      mode: "acceptEdits",
      notes: null,
    } as const;
    expect(approved.last).toContainEqual(linked);
    expect(play(approved.session, resumed).last).toEqual([linked]);
    const known = play(approved.session, { type: "session-linked", id: "s2" });
    expect(known.session.links).toEqual({ from: null, to: "s2", due: null });
    expect(play(known.session, resumed).last).toEqual([]);
  });

  test("B6.4 B5.1 R14.1 a linked session carries out the plan of the other one, and hears it again after a compaction", () => {
    const session = started({ linked: { from: "s0", file: planFile, text: "# Plan", seen: [] } });
    expect(session.plan).toMatchObject({
      file: null,
      previous: planFile,
      approved: { file: planFile, text: "# Plan" },
    });
    expect(session.links.from).toBe("s0");
    const compacted = play(
      session,
      said("go"),
      reply(),
      { type: "context-compacted", summary: "s", plan: null },
      said("on"),
    );
    expect(JSON.stringify(compacted.session.transcript.shared)).toContain("plan_file_reference");
  });

  test("R8.7 a claim that failed is tried again", () => {
    const failed = play(started({ mode: "plan" }), said("go"), { type: "plan-claim-failed", error: "full" }, reply());
    expect(play(failed.session, resumed, said("again")).last).toEqual([{ type: "claim-plan", task: "again" }]);
  });
});
