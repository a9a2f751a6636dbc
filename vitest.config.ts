import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globalSetup: ["test/global-setup.ts"],
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    pool: "threads",
    isolate: false,
    // Many tests wait for real processes: two workers are worth it on two cores, too.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 60_000,
  },
});
