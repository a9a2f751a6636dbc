/** Letters come from other programs: one that is malformed is passed over, and never thrown at whoever reads the mail. */
import { expect, test } from "vitest";
import { readLetter } from "./messages.ts";

test.each(["plan_approval_request", "plan_approval_response"])("a %s that cannot be measured is malformed", (type) => {
  const timestamp = { length: { toString: 1, valueOf: 1 } };
  const { ignored } = readLetter({ text: JSON.stringify({ type, from: "a", timestamp }) }) as { ignored?: string };
  expect(ignored).toContain(`its ${type} is malformed`);
});
