/** What was undone is not proved: a receipt is of the session as it is now. */
import { expect, test } from "vitest";
import { carriedOut, parsed } from "./proof-stage.ts";

test("B16.1 B15.3 an approval that was undone gives no receipt, and gives it again by redo", async () => {
  const stage = await carriedOut();
  const before = parsed(await stage.receipt());
  const points = JSON.parse((await stage.run(["undo", "--list", "--json"])).stdout) as readonly { id: string }[];
  const undone = await stage.run(["undo", "--to", points[0]!.id, "--yes"]);
  expect(undone).toMatchObject({ code: 0, stderr: "" });

  const refused = await stage.run(["receipt"]);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain("Nobody approved this plan.");

  expect(await stage.run(["redo"])).toMatchObject({ code: 0 });
  expect(parsed(await stage.receipt()).plan).toEqual(before.plan);
});
