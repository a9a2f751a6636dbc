import { expect, test } from "vitest";
import { chain } from "../../core/chain.ts";
import { freshSession, type Session } from "../../core/session.ts";
import { memoryFiles } from "../../testing/memory-files.ts";
import { restorePlan } from "./restore-plan.ts";

const file = "/plans/a.md";

function sessionWith(plan: Partial<Session["plan"]>): Session {
  const fresh = freshSession();
  return { ...fresh, plan: { ...fresh.plan, file, slug: "a", claim: "held", ...plan } };
}

const reference = chain({
  kind: "reminder",
  reminder: { type: "plan_file_reference", planFilePath: file, planContent: "# From the reference" },
} as const);

test.each([
  ["the newest snapshot first", sessionWith({ text: "# Snapshot" }), "# Snapshot"],
  [
    "the plan of an approval",
    sessionWith({ file: null, approved: { file, text: "# Approved", hash: "h" } }),
    "# Approved",
  ],
  ["a reference", { ...sessionWith({ text: null }), transcript: reference }, "# From the reference"],
  ["a snapshot before a reference", { ...sessionWith({ text: "# Snapshot" }), transcript: reference }, "# Snapshot"],
])("R14.2 a plan file that is gone is rebuilt from %s, and the person is told", async (_, session, text) => {
  const files = memoryFiles();
  const told: string[] = [];
  await restorePlan(session, { files, tell: (line) => told.push(line) });
  expect(files.contents.get(file)).toBe(text);
  expect(told).toHaveLength(1);
});

test("R14.2 a plan file that is there is left as it is", async () => {
  const files = memoryFiles({ [file]: "# Edited by hand" });
  const told: string[] = [];
  const text = await restorePlan(sessionWith({ text: "# Snapshot" }), { files, tell: (line) => told.push(line) });
  expect({ text, told }).toEqual({ text: "# Edited by hand", told: [] });
});
