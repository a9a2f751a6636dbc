/** The story of forty turns, killed after each event in turn and resumed: nothing is lost, nothing is done twice (section 14). */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isPlanning } from "../../src/core/mode.ts";
import { replay } from "../../src/core/reduce.ts";
import { freshSession } from "../../src/core/session.ts";
import { bodyOf, hasFullReminder, isSummary, lostCalls, outcomeOf, withoutLostParts, type Outcome } from "./compare.ts";
import { eventsIn, tellStory, type Told } from "./run.ts";
import { remove } from "../support/remove.ts";

/** STORY=all resumes from every event in both ways; else from every fourth. */
const isThorough = process.env["STORY"] === "all";
const root = realpathSync(mkdtempSync(join(tmpdir(), "groundplan-story-")));
/** Every run lives here: logs hold absolute paths. */
const home = join(root, "story");
let whole: Told;
let outcome: Outcome;

beforeAll(async () => {
  prepare(home);
  whole = await tellStory({
    folder: home,
    watch: {
      before: (lines) => keep(`late-${lines}`),
      after: (lines) => keep(`early-${lines}`),
    },
  });
  outcome = outcomeOf(whole.session, home);
});
afterAll(() => remove(root));

test("R1.5 the story has every feature, and its log gives the state that the session had", () => {
  const events = whole.log;
  expect(replay(freshSession(), events)).toEqual(whole.session);
  expect(whole.session.plans.map(({ status }) => status)).toEqual(["executing", "saved", "abandoned", "executing"]);
  expect(events.filter(({ type }) => type === "user-said")).toHaveLength(40);
});

describe("R14.2 R14.6 R8.2 B2.2 killed after each event in turn and resumed", () => {
  test("with the effects of that event done: requests, state, plans and files are those of the undisturbed run", async () => {
    const differing: string[] = [];
    for (let lines = 1; lines < whole.log.length; lines += 1) {
      if (!isThorough && lines % 4 !== 1) continue;
      const problem = await resumedFrom(`late-${lines}`, { repeats: false });
      if (problem !== null) differing.push(problem);
    }
    expect(differing).toEqual([]);
  });

  test("with nothing of it done: a model that repeats what was interrupted comes to the same end", async () => {
    const differing: string[] = [];
    for (let lines = 1; lines < whole.log.length; lines += 1) {
      if (!isThorough && lines % 4 !== 3) continue;
      const problem = await resumedFrom(`early-${lines}`, { repeats: true });
      if (problem !== null) differing.push(problem);
    }
    expect(differing).toEqual([]);
  });
});

/** What differs, in a line; null when nothing does. */
async function resumedFrom(name: string, { repeats }: { readonly repeats: boolean }): Promise<string | null> {
  rmSync(home, { recursive: true });
  renameSync(join(root, name), home);
  const left = eventsIn(home);
  const before = replay(freshSession(), left);
  const lost = lostCalls(left);
  try {
    const again = await tellStory({ folder: home, repeats });
    expectSame(withoutLostParts(outcomeOf(again.session, home), lost), withoutLostParts(outcome, lost));
    if (!repeats || lost.size === 0) {
      const expected = whole.requests.slice(whole.requests.length - again.requests.length);
      const bodies = (told: Told["requests"]) => told.map((request) => bodyOf(request, home, lost));
      expectSame(bodies(again.requests), bodies(expected));
    }
    const first = again.requests.find((request) => !isSummary(request));
    const isPlanned =
      isPlanning(before.permissions) &&
      isPlanning(replay(freshSession(), again.log.slice(0, left.length + 2)).permissions);
    if (isPlanned && before.turn.open.length === 0 && first !== undefined) expect(hasFullReminder(first)).toBe(true);
    return null;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return `${name} (${left.at(-1)?.type}, ${lost.size} lost): ${message.slice(0, 1_000)}`;
  }
}

function expectSame(one: unknown, other: unknown): void {
  const difference = firstDifference(one, other);
  if (difference !== null) throw new Error(difference);
}

/** Where two values part, and what stands there. */
function firstDifference(one: unknown, other: unknown, path = ""): string | null {
  if (Object.is(one, other)) return null;
  if (typeof one === "object" && typeof other === "object" && one !== null && other !== null) {
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
      const found = firstDifference((one as Keyed)[key], (other as Keyed)[key], `${path}.${key}`);
      if (found !== null) return found;
    }
    return null;
  }
  return `${path}: ${JSON.stringify(one)?.slice(0, 300)} instead of ${JSON.stringify(other)?.slice(0, 300)}`;
}

type Keyed = Readonly<Record<string, unknown>>;

function prepare(folder: string): void {
  mkdirSync(join(folder, "repo"), { recursive: true });
  mkdirSync(join(folder, "plans"));
  writeFileSync(join(folder, "repo/a.ts"), "one\n");
}

function keep(name: string): void {
  cpSync(home, join(root, name), { recursive: true, preserveTimestamps: true });
}
