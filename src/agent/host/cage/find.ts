/** The cages that this machine offers, best first, not yet tested. */
import { closeSync, openSync, readSync } from "node:fs";
import { findProgram, realPaths } from "../launch/find-program.ts";
import { runCommand } from "../shell/run-command.ts";
import { bubblewrapCage } from "./bubblewrap.ts";
import { abiQuestion, landlockCage, scripted, type LandlockMachine } from "./landlock.ts";
import { seatbeltCage } from "./seatbelt.ts";
import { isProcessor } from "./seccomp.ts";
import type { Cage, LinuxMachine, Missing } from "./types.ts";
import type { RungName } from "../../ports/rung-names.ts";

export interface Machine {
  readonly platform: string;
  readonly processor: string;
  /** The cleaned PATH. */
  readonly path: string;
  /** Paths that stay visible in every cage: project, added directories, plans, home. */
  readonly visible: readonly string[];
  /** Folders that cannot be read in any cage, but for what is visible in them: our own home. */
  readonly closed: readonly string[];
  /** A real folder for what a cage has to make. */
  readonly scratch: () => string;
  /** Rungs that are not offered, whatever the machine has. */
  readonly without: readonly string[];
}

/** A cage that is looked for only when the ones before it do not hold. */
export interface Offer {
  readonly name: RungName;
  readonly open: () => Promise<Cage | Missing>;
}

export function offersOf(machine: Machine): readonly Offer[] {
  return [...onLinux(machine), ...onMac(machine)].filter(({ name }) => !machine.without.includes(name));
}

/** The names in GROUNDPLAN_WITHOUT_RUNGS: it can only take rungs away. */
export function rungsTakenAway(environment: Readonly<Record<string, string | undefined>>): string[] {
  return (environment["GROUNDPLAN_WITHOUT_RUNGS"] ?? "").split(",").map((name) => name.trim());
}

/** Why nothing at all is offered. */
export function whyNoOffer({ platform, processor, without }: Machine): Missing {
  if (platform !== "linux" && platform !== "darwin") {
    return { kind: "none", reason: `there is no sandbox for ${platform} here`, advice: "use Linux or macOS" };
  }
  if (platform === "linux" && !isProcessor(processor)) {
    return { kind: "none", reason: `there is no system-call filter for ${processor}`, advice: "use x64 or arm64" };
  }
  const reason = `GROUNDPLAN_WITHOUT_RUNGS takes away ${without.filter(Boolean).join(", ")}`;
  return { kind: "none", reason, advice: "unset GROUNDPLAN_WITHOUT_RUNGS" };
}

function onMac({ platform, closed, scratch }: Machine): Offer[] {
  if (platform !== "darwin") return [];
  const real = closed.flatMap(realPaths);
  return [{ name: "sandbox-exec", open: async () => seatbeltCage({ scratch: scratch(), closed: real }) }];
}

function onLinux(machine: Machine): Offer[] {
  const { platform, processor, path } = machine;
  if (platform !== "linux" || !isProcessor(processor)) return [];
  const visible = [...new Set([...[...machine.visible, ...path.split(":")].flatMap(realPaths), ...path.split(":")])];
  const closed = () => machine.closed.flatMap(realPaths);
  const own = { processor, visible, closed, scratch: machine.scratch };
  return [
    {
      name: "bubblewrap",
      open: async () => {
        const program = findProgram("bwrap", path);
        return program === null ? noBubblewrap : bubblewrapCage({ ...own, program });
      },
    },
    { name: "landlock-perl", open: () => openLandlock("perl", path, own) },
    { name: "landlock-python", open: () => openLandlock("python3", path, own) },
  ];
}

async function openLandlock(
  by: LandlockMachine["by"],
  path: string,
  own: Omit<LinuxMachine, "program">,
): Promise<Cage | Missing> {
  const program = findBinary(by, path);
  if (program === null) return { kind: "none", reason: `${by} is not installed`, advice: noBubblewrap.advice };
  const answer = await runCommand({
    argv: [...scripted({ by, program }), abiQuestion[by]],
    directory: "/",
    environment: {},
    timeoutMs: 60_000,
    ending: "searched",
  });
  const abi = Number(answer.stdout.trim() || Number.NaN);
  if (!(abi >= 1)) {
    return { kind: "none", reason: `the kernel has no Landlock (asked by ${by})`, advice: noBubblewrap.advice };
  }
  return landlockCage({ ...own, by, program, abi });
}

/** What makes system calls by number here, if anything does. */
export function findCaller(path: string): Pick<LandlockMachine, "by" | "program"> | null {
  for (const by of ["perl", "python3"] as const) {
    const program = findBinary(by, path);
    if (program !== null) return { by, program };
  }
  return null;
}

/** The system's own program, never a script that chooses one by a file of the project (pyenv, asdf). */
export function findBinary(name: string, path: string): string | null {
  const places = ["/usr/bin", "/bin", "/usr/local/bin", ...path.split(":")];
  return places.map((place) => findProgram(name, place)).find((file) => file !== null && isBinary(file)) ?? null;
}

function isBinary(file: string): boolean {
  try {
    const descriptor = openSync(file, "r");
    const head = Buffer.alloc(4);
    readSync(descriptor, head);
    closeSync(descriptor);
    return head.toString("latin1") === "\u007fELF";
  } catch {
    return false;
  }
}

const noBubblewrap: Missing = {
  kind: "none",
  reason: "bubblewrap is not installed",
  advice: "install it: `apt install bubblewrap`, `dnf install bubblewrap`, `pacman -S bubblewrap`",
};
