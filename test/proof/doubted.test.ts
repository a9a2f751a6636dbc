/** `groundplan verify` in the shell believes an approval only as far as the sealed log does (B16.3). */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { logsOf } from "../library/stage.ts";
import { carriedOut, plan, type ProofStage } from "./proof-stage.ts";

const text = `${plan}\n\`\`\`sh\n$ touch ran\n\`\`\`\n`;

async function refusedFor(stage: ProofStage, why: RegExp): Promise<void> {
  const ran = join(stage.repository, "ran");
  for (const more of [[], ["--json"], ["--fix"], [stage.sessionId]]) {
    const run = await stage.run(["verify", ...more]);
    expect(run).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(why) });
    expect(run.stderr).toContain("approval does not count");
  }
  expect(existsSync(ran)).toBe(false);
  const allowed = await stage.run(["verify", "--yes"]);
  expect(allowed.stdout).toContain("(not approved)");
  expect(existsSync(ran)).toBe(true);
  expect(stage.index().some(({ status }) => status === "done")).toBe(false);
}

test("B16.3 an approval in a log whose lines were changed does not count: nothing of the plan runs unless the person says so", async () => {
  const stage = await carriedOut({ text });
  const [log] = logsOf(stage);
  writeFileSync(log!, readFileSync(log!, "utf8").replace('"user":"', '"user":"x'));
  await refusedFor(stage, /does not bear its seal/);
});

test("B16.3 an approval that only the library tells of, and the session's log does not, counts no more", async () => {
  const stage = await carriedOut({ text });
  const approved = stage.index().find(({ decisions }) => decisions.length > 0);
  const points = JSON.parse((await stage.run(["undo", "--list", "--json"])).stdout) as readonly { id: string }[];
  expect(await stage.run(["undo", "--to", points[0]!.id])).toMatchObject({ code: 0 });
  expect(await stage.run(["verify"])).toMatchObject({ code: 2, stderr: expect.stringContaining("Nobody approved") });
  appendFileSync(
    join(stage.home, "plans", "index.jsonl"),
    `${JSON.stringify({ ...approved, at: Date.now() + 1000 })}\n`,
  );
  const run = await stage.run(["verify", stage.sessionId]);
  expect(run).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("does not tell of the approval") });
  expect(existsSync(join(stage.repository, "ran"))).toBe(false);
});
