/** Before all tests: the same environment everywhere, the real program bundled once, a look which optional programs this machine has. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { settleEnvironment } from "./support/environment.ts";
import { findMissing } from "./support/programs.ts";

export async function setup(project: TestProject): Promise<() => void> {
  const undo = settleEnvironment(process.env);
  const bundle = fileURLToPath(new URL("../scripts/bundle.mjs", import.meta.url));
  const [missing] = await Promise.all([
    findMissing(),
    promisify(execFile)(process.execPath, [bundle], { env: { ...process.env, GROUNDPLAN_KEEP_BUNDLES: "1" } }),
  ]);
  project.provide("missing", missing);
  return undo;
}
