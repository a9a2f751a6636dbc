import { describe, expect, test } from "vitest";
import { call, commandAccess, externalAccess, otherPlanFile, planFile } from "../../testing/core-fixtures.ts";
import type { Access, Call } from "./access.ts";
import { decide } from "./decide.ts";
import { allow, ask, deny, type Decision } from "./decision.ts";
import type { WorkingMode } from "../mode.ts";
import type { Actor, Situation } from "./situation.ts";

const main: Actor = { kind: "main" };
const child: Actor = { kind: "subagent", id: "a1", ownPlan: false, parent: "plan" };
const ownPlan: Actor = { kind: "subagent", id: "a1", ownPlan: true, parent: "default" };
const ownPlanUnderPlan: Actor = { kind: "subagent", id: "a1", ownPlan: true, parent: "plan" };
const required: Actor = { kind: "teammate", name: "bo", team: "default", planRequired: true };
const voluntary: Actor = { kind: "teammate", name: "bo", team: "default", planRequired: false };

function planningAs(actor: Actor, over: Partial<Situation> = {}): Situation {
  return {
    permissions: {
      mode: { current: "plan", returnTo: "default" },
      revision: 1,
      autoActive: false,
      bypassAvailable: false,
      rules: { allow: [], ask: [], deny: [], stripped: false, runners: ["Bash"] },
    },
    actor,
    planFile,
    roots: { project: "/repo", home: "/home/me" },
    planNetwork: "readers",
    modelMayEnterPlan: "ask",
    reviewable: true,
    ...over,
  };
}

const read: Access = { kind: "read", paths: ["/repo/a.ts"] };
const fetch: Access = { kind: "fetch", url: "https://example.org", method: "GET" };
const inner: Access = { kind: "fetch", url: "http://localhost/", method: "GET", inward: ["127.0.0.1"] };
const post: Access = { kind: "fetch", url: "https://example.org", method: "POST" };
const note: Access = { kind: "note" };
const askUser: Access = { kind: "ask-user" };
const writePlan: Access = { kind: "write", path: planFile, place: "elsewhere" };
const writeCode: Access = { kind: "write", path: "/repo/a.ts", place: "project" };
const writeOtherPlan: Access = { kind: "write", path: otherPlanFile, place: "elsewhere" };
const readOnly = commandAccess({ command: "git log", verdict: "read-only" });
const query = commandAccess({ command: "gh pr list", verdict: "read-only", network: true });
const writing = commandAccess({ command: "rm a", verdict: "writes", reason: "removes a", part: "rm a" });
const caged = commandAccess({ sandboxed: true });
const bare = commandAccess();
const explore: Access = { kind: "spawn", agent: "Explore", readOnly: true };
const builder: Access = { kind: "spawn", agent: "builder", readOnly: false };
const enter: Access = { kind: "enter-plan" };
const exit: Access = { kind: "exit-plan" };
const unproven = ask({
  kind: "unproven",
  command: "make all",
  directory: "/repo",
  reason: "make runs what the project says",
  part: "make",
});

/** Everybody's rows; below, the cells that depend on who asks. */
const everybody: readonly [string, Access | null, Decision][] = [
  ["Read, Glob, Grep", read, allow],
  ["Write or Edit of the plan file", writePlan, allow],
  ["Write or Edit of code", writeCode, deny("plan-write", "/repo/a.ts")],
  ["Write or Edit of another agent's plan", writeOtherPlan, deny("plan-write", otherPlanFile)],
  ["NotebookEdit", { kind: "write", path: "/repo/n.ipynb", place: "project" }, deny("plan-write", "/repo/n.ipynb")],
  ["a read-only command", readOnly, allow],
  ["a reading query of a service", query, allow],
  ["a writing command", writing, deny("plan-command-writes", "removes a", "rm a")],
  ["an unproven command in the cage", caged, allow],
  ["an unproven command without a cage", bare, unproven],
  ["WebFetch by GET", fetch, allow],
  ["WebFetch by POST", post, deny("plan-network", "POST")],
  ["Agent, read-only", explore, allow],
  ["Agent that can change files", builder, deny("plan-spawn", "builder")],
  ["MCP, unknown", externalAccess(), deny("plan-external", "mcp__tracker__list")],
  ["MCP, trusted server, read-only hint", externalAccess({ trusted: true, readOnlyHint: true }), allow],
  ["MCP, trusted server, no hint", externalAccess({ trusted: true }), deny("plan-external", "mcp__tracker__list")],
  [
    "MCP, hint of an untrusted server",
    externalAccess({ readOnlyHint: true }),
    deny("plan-external", "mcp__tracker__list"),
  ],
  [
    "MCP, read-only and destructive hints",
    externalAccess({ trusted: true, readOnlyHint: true, destructiveHint: true }),
    deny("plan-external", "mcp__tracker__list"),
  ],
  ["MCP, named as a reader", externalAccess({ namedReader: true }), allow],
  ["AskUserQuestion", askUser, allow],
  ["TodoWrite", note, allow],
  ["a tool that declares nothing", null, deny("no-access")],
  ["a call that is not understood", { kind: "invalid", reason: "no path" }, deny("invalid", "no path")],
];

const byActor: readonly [string, Actor, Access, Decision][] = [
  ["ExitPlanMode, main agent", main, exit, { kind: "review" }],
  ["ExitPlanMode, subagent of a planning parent", child, exit, deny("exit-parent-planning")],
  ["ExitPlanMode, subagent with a plan of its own", ownPlan, exit, { kind: "review" }],
  ["ExitPlanMode, the same, its parent planning", ownPlanUnderPlan, exit, deny("exit-parent-planning")],
  ["ExitPlanMode, teammate that must plan", required, exit, { kind: "submit" }],
  ["EnterPlanMode, main agent", main, enter, deny("already-planning")],
  ["EnterPlanMode, subagent", child, enter, deny("enter-in-agent")],
  ["EnterPlanMode, teammate", voluntary, enter, deny("already-planning")],
];

const actors: readonly [string, Actor][] = [
  ["main agent", main],
  ["subagent", child],
  ["subagent with its own plan", ownPlan],
  ["teammate that must plan", required],
  ["teammate that chose to", voluntary],
];

describe("section 5: what may happen in plan mode", () => {
  const cells = actors.flatMap(([who, actor]) =>
    everybody.map(([what, access, decision]) => [who, what, actor, access, decision] as const),
  );
  test.each(cells)("B1.2 R5.2 section 5, %s: %s", (_, __, actor, access, decision) => {
    expect(decide(call("c", access), planningAs(actor))).toEqual(decision);
  });

  test.each(byActor)("R7.13 R6.4 section 5, %s", (_, actor, access, decision) => {
    expect(decide(call("c", access), planningAs(actor))).toEqual(decision);
  });

  test.each<[string, Situation["planNetwork"], Access, Decision]>([
    ["WebFetch", "ask", fetch, ask({ kind: "network", url: "https://example.org" })],
    ["WebFetch inward", "readers", inner, ask({ kind: "network", url: "http://localhost/", inward: ["127.0.0.1"] })],
    ["WebFetch inward", "off", inner, deny("plan-network", "http://localhost/")],
    ["WebFetch", "off", fetch, deny("plan-network", "https://example.org")],
    ["a service's query", "ask", query, ask({ kind: "network", url: "gh pr list" })],
    ["a service's query", "off", query, deny("plan-network", "gh pr list")],
    ["a command without network", "off", readOnly, allow],
    ["WebFetch by POST", "ask", post, deny("plan-network", "POST")],
  ])("R5.2 section 5, %s with planNetwork %s", (_, planNetwork, access, decision) => {
    expect(decide(call("c", access), planningAs(main, { planNetwork }))).toEqual(decision);
  });

  test("R3.7 R8.7 while there is no plan file nothing at all may be written", () => {
    const situation = planningAs(main, { planFile: null });
    expect(decide(call("c", writePlan), situation)).toEqual(deny("plan-write", planFile));
  });

  test.each<[string, string]>([
    ["a longer name", `${planFile}.sh`],
    ["a path through the folder", `${planFile}/../x.md`],
    ["another case", planFile.toUpperCase()],
    ["nothing", ""],
  ])("R3.6 only the very path of the plan file is open: not %s", (_, path) => {
    const access: Access = { kind: "write", path, place: "elsewhere" };
    expect(decide(call("c", access), planningAs(main))).toEqual(deny("plan-write", path));
  });
});

test("R12.3 section 5, ExitPlanMode: only a teammate that chose plan mode itself leaves by itself", () => {
  const own = planningAs(voluntary);
  const mode = { current: "plan", returnTo: "default", voluntary: true } as const;
  const permissions = { ...own.permissions, mode };
  expect(decide(call("c", exit), { ...own, permissions })).toEqual({ kind: "leave" });
  expect(decide(call("c", exit), own)).toEqual({ kind: "submit" });
  expect(decide(call("c", exit), { ...planningAs(required), permissions })).toEqual({ kind: "submit" });
});

describe("nothing opens the gate", () => {
  const denied = everybody.filter(([, , decision]) => decision.kind === "deny");
  const modes: readonly WorkingMode[] = ["default", "acceptEdits", "auto", "bypassPermissions"];
  const openers: readonly [string, Partial<Call>, readonly string[]][] = [
    ["an allow rule", {}, ["Edit", "Bash", "Agent", "WebFetch", "mcp__tracker", "Edit(**)", "Bash(rm a)"]],
    ["a hook's allow", { hook: { answer: "allow", reason: "sure" } }, []],
  ];
  const subjects = [
    { rule: "Edit", path: "/repo/a.ts" },
    { rule: "Bash", parts: ["rm a"] },
    { rule: "mcp__tracker__list" },
    { rule: "Agent" },
    { rule: "WebFetch" },
  ];
  const cells = denied.flatMap(([what, access, decision]) =>
    modes.flatMap((returnTo) =>
      openers.map(([opener, more, allowed]) => ({ what, access, decision, returnTo, opener, more, allowed })),
    ),
  );
  test.each(cells)(
    "R5.1 B1.1 $what stays denied with $opener and $returnTo to return to",
    ({ access, decision, returnTo, more, allowed }) => {
      const situation = planningAs(main);
      const permissions: Situation["permissions"] = {
        ...situation.permissions,
        mode: { current: "plan", returnTo },
        autoActive: returnTo === "auto",
        bypassAvailable: true,
        rules: { ...situation.permissions.rules, allow: allowed },
      };
      expect(decide(call("c", access, { subjects, ...more }), { ...situation, permissions })).toEqual(decision);
    },
  );

  test.each(modes)("B1.3 an allow rule or a hook does not answer the question on an unproven command (%s)", (mode) => {
    const situation = planningAs(main);
    const rules = { ...situation.permissions.rules, allow: ["Bash"] };
    const permissions: Situation["permissions"] = {
      ...situation.permissions,
      mode: { current: "plan", returnTo: mode },
      autoActive: mode === "auto",
      rules,
    };
    const one = call("c", bare, { subjects, hook: { answer: "allow", reason: "sure" } });
    expect(decide(one, { ...situation, permissions })).toEqual(unproven);
  });
});
