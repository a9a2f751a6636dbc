/** Keeps the one cage of a session: found and self-tested when it is first needed, then used for every confined run. */
import { readdirSync, readFileSync } from "node:fs";
import { realPaths } from "../launch/find-program.ts";
import { runCommand, type CommandRequest, type CommandRun } from "../shell/run-command.ts";
import { findBinary, findCaller, offersOf, whyNoOffer, type Machine, type Offer } from "./find.ts";
import { provesCopy, runOnCopy } from "./overlay.ts";
import { mayBeCopied } from "./places.ts";
import type { KeptTests } from "./kept-test.ts";
import { chooseCage } from "./rung.ts";
import { isProcessor } from "./seccomp.ts";
import { rawCalls } from "./self-test-calls.ts";
import { selfTest } from "./self-test.ts";
import type { Cage, Confined, Rung, SandboxSetting, Unable, CageWish } from "./types.ts";

export interface CageKeeper {
  readonly rung: () => Promise<Rung>;
  /** Null as long as nothing needed it. */
  readonly known: () => Rung | null;
  /** Null where there is no cage; nothing has run then. With a tree it is copy-on-write, where the machine allows that. */
  readonly run: (wish: CageWish, limits: Limits, tree?: string) => Promise<CommandRun | Unable | null>;
}

export type Limits = Pick<CommandRequest, "timeoutMs" | "signal" | "outputLimit" | "outlet">;

export interface KeeperOptions {
  readonly sandbox: SandboxSetting;
  readonly machine: Machine;
  /** How the self-test runs: bash with these arguments, in the project, as any command would. */
  readonly trial: (args: readonly string[], sight: { visible: string; hide: string }) => Promise<CageWish>;
  /** Where `git status` works outside of the cage; null where it works nowhere. */
  readonly repository: () => Promise<string | null>;
  /** Where a test that was passed is kept for others, and looked for before one is made. */
  readonly kept?: Pick<KeptTests, "recall" | "keep"> | undefined;
}

export function keepCage({ sandbox, machine, trial, repository, kept }: KeeperOptions): CageKeeper {
  let covered: readonly number[] | undefined;
  const start = (limits: Limits) => (confined: Confined) =>
    runCommand({ ...limits, ...confined, directory: "/", covered: (covered ??= inheritedDescriptors()) });
  const runIn = async (cage: Cage, wish: CageWish, limits: Limits): Promise<CommandRun | Unable> => {
    const confined = cage.confine(wish);
    if ("cannot" in confined) return confined;
    return start(limits)(confined);
  };
  const overlay = {
    perl: findBinary("perl", machine.path),
    processor: isProcessor(machine.processor) && machine.platform === "linux" ? machine.processor : null,
    scratch: machine.scratch,
  };
  const copies = new Map<string, Promise<boolean>>();
  /** Tried once for a tree, with a file of our own. */
  const mayCopy = (cage: Cage, tree: string): Promise<boolean> => {
    const trying =
      copies.get(tree) ??
      provesCopy(async (command) => {
        const wish = { ...(await trial(["-c", command], { visible: tree, hide: "" })), directory: tree, hide: [] };
        return runOnCopy(overlay, { cage, wish, tree, start: start({ timeoutMs: 60_000 }) });
      }, tree);
    copies.set(tree, trying);
    return trying;
  };
  const test = async (cage: Cage) => {
    const isAlone = cage.name === "bubblewrap";
    const caller = machine.platform === "linux" ? findCaller(machine.path) : null;
    const raw = isProcessor(machine.processor) && caller !== null;
    return selfTest({
      runCaged: async (script, sight) => {
        const result = await runIn(cage, await trial(["-c", ...script], sight), { timeoutMs: 60_000 });
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
  let known: Rung | null = sandbox === "off" ? switchedOff : null;
  const choose = async () => {
    const offers = sandbox === "off" ? [] : offersOf(machine);
    const none = { rung: known ?? whyNoOffer(machine), cage: null };
    const recalled = kept === undefined ? null : await recallCage(offers, kept);
    const choice = recalled ?? (offers.length === 0 ? none : await chooseCage(offers, test));
    if (recalled === null && offers.length > 0) await kept?.keep(choice.rung);
    known = choice.rung;
    return choice;
  };
  let choosing: ReturnType<typeof choose> | undefined;
  const chosen = () => (choosing ??= choose());
  return {
    rung: async () => (await chosen()).rung,
    known: () => known,
    run: async (wish, limits, tree) => {
      const { cage } = await chosen();
      if (cage === null) return null;
      const own = machine.closed.flatMap(realPaths);
      if (tree === undefined || !mayBeCopied(tree, { own, hide: wish.hide }) || !(await mayCopy(cage, tree)))
        return runIn(cage, wish, limits);
      return runOnCopy(overlay, { cage, wish, tree, start: start(limits) });
    },
  };
}

/** The cage that passed lately, opened again; null where none did, or where it is gone. */
async function recallCage(
  offers: readonly Offer[],
  { recall }: Pick<KeptTests, "recall">,
): Promise<{ readonly rung: Rung; readonly cage: Cage } | null> {
  const passed = recall();
  const cage = await offers.find(({ name }) => name === passed?.name)?.open();
  if (passed === null || cage === undefined || "kind" in cage) return null;
  const selfTest = { passed: true, failures: [], durationMs: 0 };
  return { rung: { kind: "caged", ...passed, program: cage.program, selfTest }, cage };
}

const switchedOff: Rung = {
  kind: "none",
  reason: "switched off by the setting `sandbox`",
  advice: 'set `sandbox` to "auto"',
};

/** Descriptors that this process was started with and would hand on: a caged program must not have them (B1.11). None where that cannot be seen. */
function inheritedDescriptors(): number[] {
  try {
    return readdirSync("/proc/self/fd")
      .map(Number)
      .filter((descriptor) => descriptor > 2 && !closesOnStart(descriptor));
  } catch {
    return [];
  }
}

function closesOnStart(descriptor: number): boolean {
  try {
    const flags = /^flags:\s+([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"))?.[1] ?? "0";
    return (Number.parseInt(flags, 8) & 0o2000000) !== 0;
  } catch {
    return true;
  }
}
