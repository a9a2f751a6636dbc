import { expect, test } from "vitest";
import { append, chain, items } from "./chain.ts";

test("R1.5 an older value keeps its items when a newer one is made from it", () => {
  const one = chain("a");
  const held = items(one);
  const two = append(one, "b");
  const other = append(one, "c", "d");
  expect([items(one), items(two), items(other), held]).toEqual([["a"], ["a", "b"], ["a", "c", "d"], ["a"]]);
});

test("R1.5 appending nothing is the same value", () => {
  const one = chain("a");
  expect(append(one)).toBe(one);
});

test("R1.5 ten thousand appended one by one are shared, not copied", () => {
  let list = chain<number>();
  const first = list.shared;
  for (let item = 0; item < 10_000; item += 1) list = append(list, item);
  expect(list.shared).toBe(first);
  expect(items(list).length).toBe(10_000);
});
