import { expect, test } from "vitest";
import {
  call,
  commandAccess,
  externalAccess,
  planFile,
  settings,
  started,
  withAuto,
} from "../testing/core-fixtures.ts";
import type { Access, Call, HookAnswer, Subject } from "./decide/access.ts";
import { decide } from "./decide/decide.ts";
import { gate } from "./decide/gate.ts";
import { isPlanning, type WorkingMode } from "./mode.ts";
import type { Situation } from "./decide/situation.ts";

const path = "/repo/a.ts";
const verdicts = ["read-only", "writes", "unproven"] as const;
const flags = [true, false] as const;
const accesses: readonly (Access | null)[] = [
  null,
  { kind: "read", paths: [path] },
  { kind: "note" },
  { kind: "ask-user" },
  { kind: "enter-plan" },
  { kind: "exit-plan" },
  { kind: "invalid", reason: "r" },
  ...["GET", "POST"].map((method): Access => ({ kind: "fetch", url: "https://x.example", method })),
  ...[path, planFile].map((written): Access => ({ kind: "write", path: written, place: "project" })),
  ...flags.map((readOnly): Access => ({ kind: "spawn", agent: "a", readOnly })),
  ...flags.map((namedReader): Access => externalAccess({ namedReader })),
  ...verdicts.flatMap((verdict) =>
    flags.flatMap((sandboxed) => flags.map((network): Access => commandAccess({ verdict, sandboxed, network }))),
  ),
];
const subjects: readonly Subject[] = [
  { rule: "Read", path },
  { rule: "Bash", parts: ["make all"] },
];
const hooks: readonly (HookAnswer | undefined)[] = [
  undefined,
  ...(["allow", "ask", "deny"] as const).map((answer) => ({ answer, reason: "hook" })),
];
const ruleLists: readonly Partial<Situation["permissions"]["rules"]>[] = [
  {},
  { allow: ["Read", "Bash"] },
  { ask: ["Read"] },
  { ask: ["Bash"], allow: ["Bash"] },
  { deny: ["Read"], ask: ["Read"] },
];
const modes: readonly WorkingMode[] = ["default", "acceptEdits", "auto", "bypassPermissions"];

function* situations(): Generator<Situation> {
  const { permissions, roots } = started(withAuto("during-plan"));
  for (const returnTo of modes) {
    for (const rules of ruleLists) {
      for (const planNetwork of ["readers", "ask", "off"] as const) {
        yield {
          permissions: {
            ...permissions,
            mode: { current: "plan", returnTo },
            autoActive: returnTo !== "bypassPermissions",
            rules: { ...permissions.rules, ...rules, stripped: true },
          },
          actor: { kind: "main" },
          planFile,
          roots,
          planNetwork,
          modelMayEnterPlan: settings.modelMayEnterPlan,
          reviewable: true,
        };
      }
    }
  }
}

test("R11.4 B1.1 in plan mode the classifier is asked about ask rules on reads that the gate lets through, and nothing else", () => {
  let asked = 0;
  for (const situation of situations()) {
    expect(isPlanning(situation.permissions)).toBe(true);
    for (const access of accesses) {
      for (const hook of hooks) {
        const one: Call = call("c", access, { subjects, ...(hook === undefined ? {} : { hook }) });
        const decision = decide(one, situation);
        const isOpen = access !== null && gate(access, situation).kind === "allow";
        const isLook = access?.kind === "read" || access?.kind === "fetch";
        const { ask, deny } = situation.permissions.rules;
        const isPersons = hook?.answer === "ask" || hook?.answer === "deny" || !situation.permissions.autoActive;
        const expected = isOpen && isLook && ask.length > 0 && deny.length === 0 && !isPersons;
        expect([decision.kind === "classify", access, hook]).toEqual([expected, access, hook]);
        asked += expected ? 1 : 0;
      }
    }
  }
  expect(asked).toBeGreaterThan(0);
});
