/** The words of plan mode as golden files; UPDATE_GOLDEN=1 writes them anew, and the change is reviewed in the diff. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { findingSlots } from "../src/prompts/slots/findings.ts";
import { planSlots } from "../src/prompts/slots/plan.ts";
import { resultSlots } from "../src/prompts/slots/results.ts";
import { examples, used } from "./prompt-examples.ts";
import { remove } from "./support/remove.ts";

const folder = fileURLToPath(new URL("golden/prompts/", import.meta.url));

test("every text of plan mode is as its golden file says", () => {
  if (process.env["UPDATE_GOLDEN"] === "1") update();
  const kept = Object.fromEntries(
    readdirSync(folder).map((file) => [file.replace(/\.md$/, ""), readFileSync(folder + file, "utf8")]),
  );
  const rendered = Object.fromEntries(Object.entries(examples).map(([name, text]) => [name, `${text}\n`]));
  expect(rendered).toEqual(kept);
});

test("the examples leave no slot open", () => {
  expect(Object.entries(examples).filter(([, text]) => text.includes("{{"))).toEqual([]);
});

test("every text of plan mode is used by one of them", () => {
  const texts = Object.keys({ ...planSlots, ...resultSlots, ...findingSlots });
  expect([...used].toSorted()).toEqual(texts.toSorted());
});

test("B7.2 prints the bytes of each text", () => {
  console.table(
    Object.fromEntries(Object.entries(examples).map(([name, text]) => [name, { bytes: Buffer.byteLength(text) }])),
  );
});

function update(): void {
  remove(folder);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(examples)) writeFileSync(`${folder}${name}.md`, `${text}\n`);
}
