import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LongFirst } from "./test/support/long-first.ts";
import { notRun } from "./test/support/not-run.ts";
import { patience } from "./test/support/until.ts";

const report = process.env["GROUNDPLAN_TEST_REPORT"];

export default defineConfig({
  test: {
    globalSetup: ["test/global-setup.ts"],
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    reporters: ["default", notRun, ...(report ? [["json", { outputFile: report }] as const] : [])],
    pool: "threads",
    isolate: false,
    sequence: { sequencer: LongFirst },
    // Many tests wait for real processes: three workers are worth it on two cores.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // One limit for all, which only ends what hangs: how long a test takes is the machine's affair.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    teardownTimeout: 120_000,
    expect: { poll: { timeout: patience } },
  },
});
