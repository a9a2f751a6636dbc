import { describe, expect, test } from "vitest";
import { call, commandAccess, externalAccess, planFile, reads, runs, writes } from "../../testing/core-fixtures.ts";
import type { Access, Call } from "./access.ts";
import { decide } from "./decide.ts";
import { allow, ask, deny, isRememberable, type Decision, type Question } from "./decision.ts";
import type { Mode, WorkingMode } from "../mode.ts";
import type { RuleBook } from "./rules.ts";
import type { Actor, Situation } from "./situation.ts";

const modes: readonly WorkingMode[] = ["default", "acceptEdits", "auto", "bypassPermissions"];

function at(mode: Mode, rules: Partial<RuleBook> = {}, over: Partial<Situation> = {}): Situation {
  return {
    permissions: {
      mode: mode === "plan" ? { current: "plan", returnTo: "default" } : { current: mode },
      revision: 1,
      autoActive: mode === "auto",
      bypassAvailable: true,
      rules: { allow: [], ask: [], deny: [], stripped: false, runners: ["Bash"], ...rules },
    },
    actor: { kind: "main" },
    planFile,
    roots: { project: "/repo", home: "/home/me" },
    planNetwork: "readers",
    modelMayEnterPlan: "ask",
    reviewable: true,
    ...over,
  };
}

function planningOver(returnTo: WorkingMode, rules: Partial<RuleBook> = {}): Situation {
  const situation = at("plan", rules);
  const mode = { current: "plan", returnTo } as const;
  return { ...situation, permissions: { ...situation.permissions, mode, autoActive: returnTo === "auto" } };
}

type Row = [string, Access, Record<WorkingMode, Decision["kind"]>];
const same = (kind: Decision["kind"]): Row[2] => ({
  default: kind,
  acceptEdits: kind,
  auto: kind,
  bypassPermissions: kind,
});
const command: Row[2] = { default: "ask", acceptEdits: "ask", auto: "classify", bypassPermissions: "allow" };
const guarded: Row[2] = { default: "ask", acceptEdits: "ask", auto: "ask", bypassPermissions: "allow" };

const rows: readonly Row[] = [
  ["read-only tools", { kind: "read", paths: ["/repo/a.ts"] }, same("allow")],
  ["proved read-only commands", commandAccess({ verdict: "read-only" }), same("allow")],
  ["WebFetch by GET", { kind: "fetch", url: "https://example.org", method: "GET" }, same("allow")],
  [
    "B1.14 WebFetch inside of this machine's networks",
    { kind: "fetch", url: "http://10.0.0.1/", method: "GET", inward: ["10.0.0.1"] },
    guarded,
  ],
  ["WebFetch by POST", { kind: "fetch", url: "https://example.org", method: "POST" }, command],
  ["todos", { kind: "note" }, same("allow")],
  ["questions to the person", { kind: "ask-user" }, same("allow")],
  ["agents", { kind: "spawn", agent: "builder", readOnly: false }, same("allow")],
  [
    "edits in the project",
    { kind: "write", path: "/repo/a.ts", place: "project" },
    { default: "ask", acceptEdits: "allow", auto: "classify", bypassPermissions: "allow" },
  ],
  ["edits elsewhere", { kind: "write", path: "/etc/hosts", place: "elsewhere" }, guarded],
  ["edits on guarded paths", { kind: "write", path: "/repo/.git/config", place: "guarded" }, guarded],
  ["other commands, proved to write", commandAccess({ verdict: "writes" }), command],
  ["other commands, unproven", commandAccess(), command],
  [
    "mkdir, touch, mv, cp, rm inside the project",
    commandAccess({ verdict: "writes", files: "project" }),
    { ...command, acceptEdits: "allow" },
  ],
  ["the same, reaching elsewhere", commandAccess({ verdict: "writes", files: "elsewhere" }), command],
  ["the same, on guarded paths", commandAccess({ verdict: "writes", files: "guarded" }), command],
  ["MCP tools that are not trusted readers", externalAccess({ trusted: true }), command],
  ["MCP tools that are", externalAccess({ trusted: true, readOnlyHint: true }), same("allow")],
  ["EnterPlanMode", { kind: "enter-plan" }, same("ask")],
  ["ExitPlanMode", { kind: "exit-plan" }, same("deny")],
];

describe("section 17: the modes outside of plan", () => {
  const cells = rows.flatMap(([what, access, kinds]) =>
    modes.map((mode) => [what, mode, kinds[mode], access] as const),
  );
  test.each(cells)("R17.1 section 17: %s in %s: %s", (_, mode, kind, access) => {
    expect(decide(call("c", access), at(mode)).kind).toBe(kind);
  });

  test.each(modes)("B1.2 a tool that declares nothing, or is not understood, does not run in %s either", (mode) => {
    const allowing = at(mode, { allow: ["Tool"] });
    const subjects = [{ rule: "Tool" }];
    expect(decide(call("c", null, { subjects }), allowing)).toEqual(deny("no-access"));
    expect(decide(call("c", { kind: "invalid", reason: "no path" }, { subjects }), allowing)).toEqual(
      deny("invalid", "no path"),
    );
  });

  test("R5.2 in plan mode the gate's own reason goes before a deny rule's", () => {
    expect(decide(writes("c"), at("plan", { deny: ["Edit"] }))).toEqual(deny("plan-write", "/repo/a.ts"));
  });

  test("R7.3 ExitPlanMode outside of plan mode is denied with its own code", () => {
    expect(decide(call("c", { kind: "exit-plan" }), at("default"))).toEqual(deny("exit-not-planning"));
  });

  test.each<[string, Call, Question]>([
    ["an edit", writes("c"), { kind: "edit", path: "/repo/a.ts", guarded: false }],
    [
      "a guarded edit",
      writes("c", "/repo/.git/config", "guarded"),
      { kind: "edit", path: "/repo/.git/config", guarded: true },
    ],
    ["a command", runs("c"), { kind: "command", reason: "make runs what the project says", part: "make" }],
    ["a foreign tool", call("c", externalAccess()), { kind: "external", name: "mcp__tracker__list" }],
  ])("R17.1 %s is asked about by a typed question", (_, one, question) => {
    expect(decide(one, at("default"))).toEqual(ask(question));
  });
});

describe("rules around the table", () => {
  test.each(modes)("R17.1 a deny rule holds in %s", (mode) => {
    expect(decide(reads("c", "/repo/.env"), at(mode, { deny: ["Read(.env)"], allow: ["Read"] }))).toEqual(
      deny("rule", "Read(.env)"),
    );
  });

  test.each<[WorkingMode, Decision["kind"]]>([
    ["default", "ask"],
    ["acceptEdits", "ask"],
    ["auto", "classify"],
    ["bypassPermissions", "allow"],
  ])("R17.1 an ask rule goes before an allow rule: in %s %s", (mode, kind) => {
    const one = decide(runs("c"), at(mode, { ask: ["Bash(make:*)"], allow: ["Bash(make:*)"] }));
    expect(one.kind).toBe(kind);
    if ("question" in one) expect(one.question).toEqual({ kind: "rule", rule: "Bash(make:*)" });
  });

  test.each<[WorkingMode, Decision["kind"]]>([
    ["default", "allow"],
    ["acceptEdits", "allow"],
    ["auto", "allow"],
    ["bypassPermissions", "allow"],
  ])("R17.1 an allow rule spares the question in %s", (mode, kind) => {
    expect(decide(runs("c"), at(mode, { allow: ["Bash(make:*)"] })).kind).toBe(kind);
  });

  test.each<[WorkingMode, Decision["kind"]]>([
    ["default", "ask"],
    ["acceptEdits", "ask"],
    ["auto", "ask"],
    ["bypassPermissions", "allow"],
  ])("R17.1 section 17: neither allow nor ask rules take a guarded path from the person: in %s %s", (mode, kind) => {
    const one = writes("c", "/repo/.git/config", "guarded");
    expect(decide(one, at(mode, { allow: ["Edit"] })).kind).toBe(kind);
    expect(decide(one, at(mode, { ask: ["Edit"] })).kind).toBe(kind);
  });

  test("R17.1 an allow rule may cover a path outside of the project that is not guarded", () => {
    expect(decide(writes("c", "/data/a.csv", "elsewhere"), at("default", { allow: ["Edit(/data/**)"] }))).toEqual(
      allow,
    );
  });

  test("R11.2 while rules are stripped a dangerous one does not count", () => {
    expect(decide(runs("c"), at("auto", { allow: ["Bash"], stripped: true })).kind).toBe("classify");
  });

  test("R5.6 in plan mode a deny rule denies what the gate allows, an ask rule asks", () => {
    expect(decide(reads("c", "/repo/.env"), at("plan", { deny: ["Read(.env)"] }))).toEqual(deny("rule", "Read(.env)"));
    expect(decide(reads("c", "/repo/.env"), at("plan", { ask: ["Read(.env)"] }))).toEqual(
      ask({ kind: "rule", rule: "Read(.env)" }),
    );
    expect(decide(runs("c"), at("plan", { deny: ["Bash(make:*)"] }))).toEqual(deny("rule", "Bash(make:*)"));
  });

  test("R11.1 in auto a hook's question is the person's, also where a rule asks", () => {
    const hooked: Call = { ...reads("c"), hook: { answer: "ask", reason: "Look first." } };
    expect(decide(hooked, at("auto", { ask: ["Read"] })).kind).toBe("ask");
    expect(decide(hooked, at("auto")).kind).toBe("ask");
  });

  test("B1.8 over bypass nothing is asked that the gate allows, and nothing is written", () => {
    const situation = planningOver("bypassPermissions", { ask: ["Read", "Bash", "Edit"], allow: ["Edit", "Bash"] });
    expect(decide(reads("c"), situation)).toEqual(allow);
    expect(decide(runs("c", { verdict: "read-only" }), situation)).toEqual(allow);
    expect(decide(writes("c", planFile, "elsewhere"), situation)).toEqual(allow);
    expect(decide(writes("c"), situation)).toEqual(deny("plan-write", "/repo/a.ts"));
    expect(decide(runs("c", { verdict: "writes", reason: "w", part: "p" }), situation)).toEqual(
      deny("plan-command-writes", "w", "p"),
    );
  });

  test.each<[string, Call, Decision["kind"]]>([
    ["an ask rule on a read: the classifier", reads("c"), "classify"],
    ["an ask rule on a command: the person", runs("c", { verdict: "read-only" }), "ask"],
    ["an ask rule on the plan file: the person", writes("c", planFile, "elsewhere"), "ask"],
    ["an unproven command: the person", runs("c"), "ask"],
    [
      "a foreign reader: the person",
      call("c", externalAccess({ namedReader: true }), { subjects: [{ rule: "mcp__tracker__list" }] }),
      "ask",
    ],
    ["an approval: the person", call("c", { kind: "exit-plan" }), "review"],
    [
      "a hook that asks about a read: the person",
      { ...reads("c"), hook: { answer: "ask", reason: "Look first." } },
      "ask",
    ],
  ])("R11.4 in plan with auto active, %s", (_, one, kind) => {
    const rules = { ask: ["Read", "Bash", "Edit", "mcp__tracker"] };
    expect(decide(one, planningOver("auto", rules)).kind).toBe(kind);
  });

  test.each<[Mode, Decision]>([
    ["plan", deny("hook", "no")],
    ["default", deny("hook", "no")],
    ["bypassPermissions", deny("hook", "no")],
  ])("R5.1 a hook may refuse in %s", (mode, decision) => {
    const one = { ...reads("c"), hook: { answer: "deny", reason: "no" } as const };
    expect(decide(one, at(mode))).toEqual(decision);
  });

  test("R5.6 a hook may ask, in plan mode and outside", () => {
    const one = { ...reads("c"), hook: { answer: "ask", reason: "look" } as const };
    expect(decide(one, at("plan"))).toEqual(ask({ kind: "rule", rule: "look" }));
    expect(decide(one, at("default"))).toEqual(ask({ kind: "rule", rule: "look" }));
  });
});

describe("EnterPlanMode outside of plan mode", () => {
  const child: Actor = { kind: "subagent", id: "a1", ownPlan: false, parent: "default" };
  const mate: Actor = { kind: "teammate", name: "bo", team: "default", planRequired: false };
  test.each<[string, Partial<Situation>, Decision]>([
    ["R6.3 the person is asked", {}, ask({ kind: "enter-plan" })],
    ["R6.4 in a subagent it is an error", { actor: child }, deny("enter-in-agent")],
    ["R6.5 where no approval can be shown it is disabled", { reviewable: false }, deny("enter-no-approval")],
    ["R2.3 modelMayEnterPlan: allow", { modelMayEnterPlan: "allow" }, { kind: "enter" }],
    ["R2.3 modelMayEnterPlan: never", { modelMayEnterPlan: "never" }, deny("enter-not-offered")],
    [
      "R6.5 allow does not help where no approval can be shown",
      { modelMayEnterPlan: "allow", reviewable: false },
      deny("enter-no-approval"),
    ],
    ["R12.3 a teammate enters without a dialog", { actor: mate }, { kind: "enter" }],
  ])("%s", (_, over, decision) => {
    expect(decide(call("c", { kind: "enter-plan" }), at("default", {}, over))).toEqual(decision);
  });
});

test("B1.3 nothing that plan mode asks may be remembered", () => {
  const kinds = (["edit", "command", "unproven", "rule", "external", "network", "enter-plan"] as const).filter((kind) =>
    isRememberable({ kind } as Question),
  );
  expect(kinds).toEqual(["edit", "command", "rule", "external"]);
});

test("B18.2 B1.14 what was given for the session does not answer for a deny rule in plan mode; a rule of the settings does", () => {
  const looks = runs("c", { verdict: "read-only", command: "git log -p" });
  const call = { ...looks, subjects: [...looks.subjects, { rule: "Read", unknown: true }] };
  const deny = ["Read(.env)"];
  const rules = ["Bash(git log:*)"];
  expect(decide(call, at("plan", { deny, session: rules }))).toEqual(ask({ kind: "rule", rule: "Read(.env)" }));
  expect(decide(call, at("plan", { deny, allow: rules }))).toEqual(allow);
  expect(decide(call, at("default", { deny, session: rules }))).toEqual(allow);
});
