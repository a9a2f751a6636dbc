/** Findings sorted by severity, and given back to the session in one step (B16.3). */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PlanFinding } from "../../src/core/proof/finding.ts";
import { carriedOut, edit } from "./proof-stage.ts";

test("B16.3 findings are sorted: breaks the plan, outside of the plan, not done, unverified", async () => {
  const stage = await carriedOut();
  writeFileSync(join(stage.repository, "a.ts"), "export const a = 3;\n");
  writeFileSync(join(stage.repository, "c.ts"), "more\n");
  stage.git("checkout", "-q", "--", "b.ts");
  const { findings, passed } = await stage.json<{ findings: readonly PlanFinding[]; passed: boolean }>("verify");
  expect(passed).toBe(false);
  expect(findings).toEqual([
    { severity: "breaks the plan", text: "grep -q 'a = 2' a.ts failed (exit 1)." },
    { severity: "outside of the plan", text: "c.ts was changed, and the plan does not name it." },
    { severity: "not done", text: "b.ts is named in the plan, and was not changed." },
    { severity: "unverified", text: "“Tell people” has no check." },
  ]);
  const { stdout } = await stage.run(["verify"]);
  const places = ["breaks the plan:", "outside of the plan:", "not done:", "Unverified:"].map((head) =>
    stdout.indexOf(head),
  );
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places).not.toContain(-1);
});

test("B16.3 verify --fix gives them to the plan's session as its next prompt, and verifies again", async () => {
  const stage = await carriedOut();
  writeFileSync(join(stage.repository, "a.ts"), "export const a = 1;\n");
  const before = stage.server.requests.length;
  const run = await stage.fix([edit("a.ts", "= 1", "= 2")], "--permission-mode", "acceptEdits");
  expect([run.code, run.stderr]).toEqual([0, expect.stringContaining(`given back to session ${stage.sessionId}`)]);
  expect(run.stdout).toMatch(/Not all of it holds[\s\S]*All of it holds/);
  expect(readFileSync(join(stage.repository, "a.ts"), "utf8")).toContain("= 2");
  const sent = JSON.stringify(stage.server.requests[before]!.body);
  expect(sent).toContain("checked against the approved plan");
  expect(sent).toContain("breaks the plan:\\n- grep -q 'a = 2' a.ts failed (exit 1).");
  expect(sent).not.toContain("unverified");
  const asked = stage.server.requests.length;
  expect((await stage.fix([])).stdout).not.toContain("Not all");
  expect(stage.server.requests.length).toBe(asked);
});

test("B16.3 --fix that helps nothing ends as verify does; with --json, a receipt or a wrong mode it is wrong usage", async () => {
  const stage = await carriedOut();
  writeFileSync(join(stage.repository, "c.ts"), "more\n");
  const run = await stage.fix([{ text: "I would rather not." }]);
  expect([run.code, run.stdout.match(/outside of the plan:/g)?.length]).toEqual([1, 2]);
  for (const more of [["--json"], ["--receipt", "x", "--diff", "y"], ["--permission-mode", "wild"]])
    expect(await stage.run(["verify", "--fix", ...more])).toMatchObject({ code: 2 });
  expect(await stage.run(["verify", "--permission-mode", "plan"])).toMatchObject({ code: 2, stdout: "" });
});
