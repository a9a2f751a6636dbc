/** The order of the test files: those that take longest first, then the larger ones, so that at the end of a run no worker is alone with one of them. */
import { statSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Longest first; they took half of all the time of a run. */
export const longest: readonly string[] = [
  "test/seams/seams.test.ts",
  "test/undo/kill.test.ts",
  "test/headless/kill.test.ts",
  "test/crashtest/crashtest.test.ts",
  "test/oracle/oracle.test.ts",
  "test/edges/cage-sample.test.ts",
  "test/headless/unasked.test.ts",
  "test/headless/deny-rules.test.ts",
  "test/headless/harmless.test.ts",
  "test/survive/survive.test.ts",
  "test/team-mailbox/nats.test.ts",
  "test/terminal/story.test.ts",
  "test/seams/waiting.test.ts",
  "test/invariants/invariants.test.ts",
  "test/undo/random.test.ts",
];

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sizes = new Map(files.map(({ moduleId }) => [moduleId, statSync(moduleId).size]));
    const size = ({ moduleId }: TestSpecification) => sizes.get(moduleId)!;
    return files.toSorted((one, other) => rank(one) - rank(other) || size(other) - size(one));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = longest.findIndex((name) => moduleId.endsWith(`/${name}`));
  return place < 0 ? longest.length : place;
}
