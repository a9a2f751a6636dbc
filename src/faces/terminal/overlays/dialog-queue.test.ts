import { expect, test } from "vitest";
import { createDialogQueue } from "./dialog-queue.ts";

test("dialogs come one after the other, how many wait is known, and each that comes to the front is announced", () => {
  let asked = 0;
  const queue = createDialogQueue({ changed: () => undefined, asked: () => (asked += 1) });
  const [first, second] = [{ render: () => [] }, { render: () => [] }];
  const closeFirst = queue.show(first);
  const closeSecond = queue.show(second);
  expect([queue.current(), queue.waiting(), asked]).toEqual([first, 1, 1]);
  closeFirst();
  closeFirst();
  expect([queue.current(), queue.waiting(), asked]).toEqual([second, 0, 2]);
  closeSecond();
  expect([queue.current(), queue.waiting(), asked]).toEqual([null, 0, 2]);
});
