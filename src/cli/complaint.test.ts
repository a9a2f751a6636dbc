import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { complain } from "./complaint.ts";

test("B2.5 foreign text in a complaint is shown, and does nothing to the terminal", () => {
  const stderr = new PassThrough();
  expect(complain({ stderr }, "There is no plan \u001B[2Jx\u202Ey.\nSee groundplan plans.", 1)).toBe(1);
  const said = String(stderr.read());
  expect(said).toMatch(/^groundplan: There is no plan .*x.*y\.\nSee groundplan plans\.\n$/);
  expect(said).not.toMatch(/[\u001B\u202E]/u);
});
