/** Another agent's command in our cage: whether one can be expected to hold here. */
import { keptTests } from "../agent/host/cage/kept-test.ts";
import type { SandboxSetting } from "../agent/host/cage/types.ts";
import type { RungName } from "../agent/ports/rung-names.ts";
import { offeredRung } from "./caged/offered-rung.ts";

export interface CagePlace {
  /** The root of the project that the command is for. */
  readonly root: string;
  readonly sandbox: SandboxSetting;
}

/**
 * The rung that a rewritten command will be tried on: one that passed its self-test lately, else one that this machine
 * has the programs for; null where there is none, where the last test failed, or where the cage is switched off. Starts
 * nothing. Not a promise: `run-caged` tests before anything runs, and nothing runs where that fails.
 */
export function keptRung(
  home: string,
  environment: Readonly<Record<string, string | undefined>>,
  { root, sandbox }: CagePlace,
): RungName | null {
  if (sandbox === "off") return null;
  const tests = keptTests({ home, environment, root });
  const passed = tests.recall();
  if (passed !== null) return passed.name;
  return tests.isKnownToFail() ? null : offeredRung(environment, root);
}
