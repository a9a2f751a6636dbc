import { describe, expect, test } from "vitest";
import { start, started, withAuto } from "../testing/core-fixtures.ts";
import {
  chooseMode,
  enterPlan,
  leavePlan,
  narrower,
  nextMode,
  syncAuto,
  type AutoPolicy,
  type Mode,
  type ModeNotice,
  type Permissions,
  type WorkingMode,
} from "./mode.ts";

const on: AutoPolicy = { available: true, duringPlan: true };
const notDuringPlan: AutoPolicy = { available: true, duringPlan: false };
const closed: AutoPolicy = { available: false, duringPlan: true };

const rules = { allow: ["Bash", "Read"], ask: [], deny: [], stripped: false, runners: ["Bash"] };

function at(current: WorkingMode): Permissions {
  const autoActive = current === "auto";
  return {
    mode: { current },
    revision: 4,
    autoActive,
    bypassAvailable: true,
    rules: { ...rules, stripped: autoActive },
  };
}

function inPlan(returnTo: WorkingMode, autoActive: boolean): Permissions {
  return {
    ...at("default"),
    mode: { current: "plan", returnTo },
    autoActive,
    rules: { ...rules, stripped: autoActive },
  };
}

describe("entering", () => {
  test.each<[WorkingMode, string, AutoPolicy, boolean, readonly ModeNotice[]]>([
    // mode before        planAuto                     policy         auto active  notices
    ["auto", "true", on, true, []],
    ["auto", "false (setting)", notDuringPlan, false, ["auto-exit"]],
    ["auto", "false (gate)", closed, false, ["auto-exit"]],
    ["default", "true", on, true, []],
    ["acceptEdits", "true", on, true, []],
    ["bypassPermissions", "true", on, false, []],
    ["default", "false (setting)", notDuringPlan, false, []],
    ["default", "false (gate)", closed, false, []],
    ["acceptEdits", "false (setting)", notDuringPlan, false, []],
    ["acceptEdits", "false (gate)", closed, false, []],
    ["bypassPermissions", "false (setting)", notDuringPlan, false, []],
    ["bypassPermissions", "false (gate)", closed, false, []],
  ])("R2.7 R2.6 from %s with planAuto %s: it is kept as the mode to return to", (from, _, policy, active, notices) => {
    expect(enterPlan(at(from), policy)).toEqual({
      permissions: {
        ...at(from),
        mode: { current: "plan", returnTo: from },
        revision: 5,
        autoActive: active,
        rules: { ...rules, stripped: active },
      },
      notices,
    });
  });

  test.each([
    ["true", on],
    ["false", notDuringPlan],
    ["false (gate)", closed],
  ])("R2.7 R2.6 from plan with planAuto %s nothing changes", (_, policy) => {
    const before = inPlan("acceptEdits", true);
    expect(enterPlan(before, policy)).toEqual({ permissions: before, notices: [] });
    expect(chooseMode(before, "plan", policy)).toEqual({ permissions: before, notices: [] });
  });
});

describe("cycling", () => {
  test.each<[Mode, boolean, boolean, Mode]>([
    // from             auto   bypass  to
    ["default", false, false, "acceptEdits"],
    ["acceptEdits", false, false, "plan"],
    ["plan", false, false, "default"],
    ["plan", true, false, "auto"],
    ["plan", false, true, "bypassPermissions"],
    ["plan", true, true, "auto"],
    ["auto", true, false, "default"],
    ["auto", true, true, "bypassPermissions"],
    ["bypassPermissions", true, true, "default"],
    ["bypassPermissions", false, true, "default"],
  ])("R2.2 Shift+Tab from %s (auto %s, bypass %s) leads to %s", (from, available, bypassAvailable, to) => {
    const permissions = from === "plan" ? inPlan("default", false) : at(from);
    expect(nextMode({ ...permissions, bypassAvailable }, { available, duringPlan: false })).toBe(to);
  });

  test.each<[readonly Mode[], Mode, Mode]>([
    [["default", "plan"], "default", "plan"],
    [["default", "plan"], "plan", "default"],
    [["plan", "default"], "acceptEdits", "plan"],
    [["auto"], "default", "default"],
    [[], "default", "default"],
  ])("R2.2 the cycle %j leads from %s to %s", (cycle, from, to) => {
    const permissions = from === "plan" ? inPlan("default", false) : at(from);
    expect(nextMode(permissions, closed, cycle)).toBe(to);
  });
});

describe("leaving", () => {
  test.each<[string, WorkingMode, WorkingMode | undefined, WorkingMode]>([
    ["the kept mode", "acceptEdits", undefined, "acceptEdits"],
    ["the chosen mode", "acceptEdits", "default", "default"],
    ["bypass, kept", "bypassPermissions", undefined, "bypassPermissions"],
    ["auto, kept", "auto", undefined, "auto"],
  ])("R7.5 leads to %s, and rules are stripped only in auto", (_, kept, chosen, to) => {
    expect(leavePlan(inPlan(kept, false), notDuringPlan, chosen)).toEqual({
      permissions: { ...at(to), revision: 5 },
      notices: [],
    });
  });

  test("R7.6 to auto whose gate has closed leads to default; used while planning, its end is told", () => {
    const to = { permissions: { ...at("default"), revision: 5 }, notices: ["auto-unavailable"] };
    expect(leavePlan(inPlan("auto", false), closed)).toEqual(to);
    expect(leavePlan(inPlan("auto", true), closed)).toEqual({ ...to, notices: ["auto-unavailable", "auto-exit"] });
  });

  test("R7.6 auto that was used while planning and is not restored ends with a notice", () => {
    expect(leavePlan(inPlan("default", true), on)).toEqual({
      permissions: { ...at("default"), revision: 5 },
      notices: ["auto-exit"],
    });
  });

  test("R1.3 leaving a mode that is not plan changes nothing", () => {
    expect(leavePlan(at("acceptEdits"), on, "default")).toEqual({ permissions: at("acceptEdits"), notices: [] });
  });
});

describe("auto in step with settings and gate", () => {
  test.each<[string, Permissions, AutoPolicy, boolean, readonly ModeNotice[]]>([
    ["switched on in plan", inPlan("default", false), on, true, []],
    ["switched off in plan", inPlan("default", true), notDuringPlan, false, ["auto-exit"]],
    ["still on in plan", inPlan("default", true), on, true, []],
    ["switched on, bypass to return to", inPlan("bypassPermissions", false), on, false, []],
    ["gate closed in plan with auto active", inPlan("auto", true), closed, false, ["auto-exit"]],
  ])("R11.3 R11.4 %s", (_, before, policy, active, notices) => {
    expect(syncAuto(before, policy)).toEqual({
      permissions: { ...before, autoActive: active, rules: { ...rules, stripped: active } },
      notices,
    });
  });

  test("R11.4 when the gate closes in auto, default follows, rules come back, both notices are due", () => {
    expect(syncAuto(at("auto"), closed)).toEqual({
      permissions: { ...at("default"), revision: 5 },
      notices: ["auto-unavailable", "auto-exit"],
    });
  });

  test("R11.4 in other modes the gate changes nothing", () => {
    expect(syncAuto(at("acceptEdits"), closed)).toEqual({ permissions: at("acceptEdits"), notices: [] });
    expect(syncAuto(at("auto"), on)).toEqual({ permissions: at("auto"), notices: [] });
  });
});

test("R17.3 bypass and auto are refused where they cannot be had, with the reason", () => {
  expect(chooseMode({ ...at("default"), bypassAvailable: false }, "bypassPermissions", on)).toBe(
    "bypass-not-allowed-at-start",
  );
  expect(chooseMode(at("default"), "auto", closed)).toBe("auto-not-available");
});

test.each<[WorkingMode, WorkingMode, WorkingMode]>([
  ["default", "bypassPermissions", "default"],
  ["bypassPermissions", "default", "default"],
  ["auto", "acceptEdits", "acceptEdits"],
  ["auto", "auto", "auto"],
  ["bypassPermissions", "auto", "auto"],
])("B1.7 the narrower of %s and %s is %s", (one, other, result) => {
  expect(narrower(one, other)).toBe(result);
});

describe("starting", () => {
  test.each<[string, ReturnType<typeof start>, Permissions["mode"]]>([
    ["in plan", start({ mode: "plan" }), { current: "plan", returnTo: "default" }],
    [
      "in plan with a mode to return to",
      start({ mode: "plan", returnTo: "acceptEdits" }),
      { current: "plan", returnTo: "acceptEdits" },
    ],
    ["in acceptEdits", start({ mode: "acceptEdits" }), { current: "acceptEdits" }],
    [
      "in bypass where it is allowed",
      start({ mode: "bypassPermissions", bypassAvailable: true }),
      { current: "bypassPermissions" },
    ],
    ["R17.3 in bypass where it is not: default", start({ mode: "bypassPermissions" }), { current: "default" }],
    [
      "R17.3 in plan over a bypass that is not allowed: default is kept",
      start({ mode: "plan", returnTo: "bypassPermissions" }),
      { current: "plan", returnTo: "default" },
    ],
    ["in auto whose gate is closed: default", start({ mode: "auto" }), { current: "default" }],
  ])("R2.4 a session starts %s", (_, event, mode) => {
    expect(started(event).permissions.mode).toEqual(mode);
  });

  test("R2.4 a start in plan mode has the side effects of an entry", () => {
    const { permissions } = started({ mode: "plan", ...withAuto("during-plan") });
    expect([permissions.autoActive, permissions.rules.stripped]).toEqual([true, true]);
  });
});
