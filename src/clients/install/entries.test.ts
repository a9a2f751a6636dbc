import { expect, test } from "vitest";
import { claude } from "../claude.ts";
import { codex } from "../codex.ts";
import { gemini } from "../gemini.ts";
import { entriesOf } from "./entries.ts";

const place = { launcher: '"/home/bin/guard"', file: "settings.json" };

test.each([
  ["claude", claude],
  ["codex", codex],
  ["gemini", gemini],
] as const)("B11.1 %s has an entry for each event that its row hears, and for no other", (name, { events }) => {
  expect([...new Set(entriesOf(name, place).map(({ event }) => event))]).toEqual(events);
});
