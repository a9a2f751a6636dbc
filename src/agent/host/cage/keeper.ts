/** Keeps the one cage of a session: found and self-tested when it is first needed, then used for every confined run. */
import { runCommand } from "../run-command.ts";
import type { CommandResult } from "../run-command.ts";
import { inheritedDescriptors } from "./descriptors.ts";
import { findCaller, offersOf, whyNoOffer } from "./find.ts";
import type { Machine } from "./find.ts";
import { createHiddenPaths } from "./hidden-paths.ts";
import { chooseCage } from "./rung.ts";
import { isProcessor } from "./seccomp.ts";
import { rawCalls } from "./self-test-calls.ts";
import { selfTest } from "./self-test.ts";
import type { Cage, Rung, SandboxSetting, Unable, Wish } from "./types.ts";

export interface CageKeeper {
  readonly rung: () => Promise<Rung>;
  /** Null where there is no cage; nothing has run then. */
  readonly run: (wish: Wish, limits: Limits) => Promise<CommandResult | Unable | null>;
}

export interface Limits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly outputLimit?: number;
}

export interface KeeperOptions {
  readonly sandbox: SandboxSetting;
  readonly machine: Machine;
  /** Globs of what no command may read. */
  readonly denied: readonly string[];
  /** How the self-test runs: bash with these arguments, in the project, as any command would. */
  readonly trial: (args: readonly string[], sight: { visible: string; hide: string }) => Promise<Wish>;
  /** Where `git status` works outside of the cage; null where it works nowhere. */
  readonly repository: () => Promise<string | null>;
}

export function keepCage({ sandbox, machine, denied, trial, repository }: KeeperOptions): CageKeeper {
  const hidden = createHiddenPaths(denied);
  const covered = once(inheritedDescriptors);
  const runIn = async (cage: Cage, wish: Wish, limits: Limits): Promise<CommandResult | Unable> => {
    const confined = cage.confine(wish);
    if ("cannot" in confined) return confined;
    return runCommand({ ...limits, ...confined, directory: "/", covered: covered() });
  };
  const test = async (cage: Cage) => {
    const isAlone = cage.name === "bubblewrap";
    const caller = machine.platform === "linux" ? findCaller(machine.path) : null;
    const raw = isProcessor(machine.processor) && caller !== null;
    return selfTest({
      runCaged: async (script, sight) => {
        const result = await runIn(cage, await trial(["-c", ...script], sight), { timeoutMs: 20_000 });
        if ("cannot" in result) throw new Error(result.cannot);
        return result;
      },
      isAlone,
      guarded: machine.visible,
      repository: await repository(),
      node: process.execPath,
      raw: raw ? rawCalls({ program: caller, processor: machine.processor, isAlone, pid: process.pid }) : null,
    });
  };
  const chosen = once(async (): Promise<{ readonly rung: Rung; readonly cage: Cage | null }> => {
    if (sandbox === "off") return { rung: switchedOff, cage: null };
    const offers = offersOf(machine);
    return offers.length === 0 ? { rung: whyNoOffer(machine), cage: null } : chooseCage(offers, test);
  });
  return {
    rung: async () => (await chosen()).rung,
    run: async (wish, limits) => {
      const { cage } = await chosen();
      if (cage === null) return null;
      const hide = hidden();
      return "cannot" in hide ? hide : runIn(cage, { ...wish, hide: [...wish.hide, ...hide] }, limits);
    },
  };
}

const switchedOff: Rung = {
  kind: "none",
  reason: "switched off by the setting `sandbox`",
  advice: 'set `sandbox` to "auto"',
};

function once<Value>(make: () => Value): () => Value {
  const kept: { value: Value }[] = [];
  return () => {
    if (kept.length === 0) kept.push({ value: make() });
    return kept[0]!.value;
  };
}
