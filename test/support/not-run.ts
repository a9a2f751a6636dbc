/** The end of a run says what was not run here, for want of which program, and how to get it. */
import type { Reporter } from "vitest/node";
import { notRunHere, type Program } from "./programs.ts";

export const notRun: Reporter = {
  onTestRunEnd(modules) {
    const counts = new Map<Program, number>();
    for (const module of modules) {
      for (const test of module.children.allTests("skipped")) {
        for (const program of test.meta().missing ?? []) counts.set(program, (counts.get(program) ?? 0) + 1);
      }
    }
    if (counts.size > 0) console.log(`${notRunHere(counts)}\n`);
  },
};
