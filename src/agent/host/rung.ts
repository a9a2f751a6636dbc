/** Which kernel sandbox stands under a command here, chosen and self-tested once (B1.4); never open without saying so. */
import { readFileSync, realpathSync } from "node:fs";
import { cageArguments, cageIdentity, scratchInCage, usuallyHidden } from "./cage.ts";
import type { CagePlaces } from "./cage.ts";
import { findProgram } from "./launch/search-path.ts";
import type { CommandResult } from "./run-command.ts";
import { seatbeltArguments } from "./seatbelt.ts";
import { isProcessor, seccompProgram } from "./seccomp.ts";
import type { SelfTestReport } from "./self-test.ts";

export type SandboxSetting = "auto" | "required" | "off";

export type Rung =
  | { readonly kind: "caged" | "seatbelt"; readonly program: string; readonly selfTest: SelfTestReport }
  | { readonly kind: "none"; readonly reason: string; readonly advice: string };

/** A way to put a command into a sandbox. */
export interface Confinement {
  readonly kind: "caged" | "seatbelt";
  readonly program: string;
  readonly wrap: (command: readonly string[], options: WrapOptions) => Wrapped;
}

export interface Wrapped {
  readonly argv: readonly string[];
  readonly filter?: Buffer;
  /** Where the command may write. */
  readonly scratch: string;
}

export interface WrapOptions {
  readonly directory: string;
  readonly network: boolean;
  /** Real paths that stay visible besides the usual ones. */
  readonly visible: readonly string[];
}

export interface Missing {
  readonly kind: "none";
  readonly reason: string;
  readonly advice: string;
}

/** The confinement that this machine offers, not yet tested. */
export function findConfinement(machine: {
  readonly platform: string;
  readonly processor: string;
  readonly path: string;
  readonly visible: readonly string[];
  /** A real folder for scratch where the sandbox has none of its own (macOS). */
  readonly scratch: () => string;
}): Confinement | Missing {
  if (machine.platform === "darwin") return seatbelt(machine.scratch());
  if (machine.platform !== "linux") {
    return { kind: "none", reason: `there is no sandbox for ${machine.platform} here`, advice: "use Linux or macOS" };
  }
  const program = findProgram("bwrap", machine.path);
  if (program === null) return { kind: "none", reason: "bubblewrap is not installed", advice: installBubblewrap };
  if (!isProcessor(machine.processor)) {
    return {
      kind: "none",
      reason: `there is no system-call filter for ${machine.processor}`,
      advice: "use x64 or arm64",
    };
  }
  return bubblewrap({ program, processor: machine.processor, visible: machine.visible, path: machine.path });
}

/** Why a cage that is present does not work, in words, and what to do about it. */
export function explainFailure(report: SelfTestReport, kernel: KernelLimits = readKernelLimits()): Missing {
  const reason = report.failures.join("; ");
  if (!/did not start/.test(reason))
    return { kind: "none", reason: `the self-test failed: ${reason}`, advice: reportIt };
  const advice =
    kernel.appArmor === "1"
      ? "AppArmor forbids user namespaces: give bwrap a profile with `userns,`, or `sysctl kernel.apparmor_restrict_unprivileged_userns=0`"
      : kernel.clone === "0"
        ? "allow user namespaces: `sysctl kernel.unprivileged_userns_clone=1`"
        : kernel.most === "0"
          ? "allow user namespaces: `sysctl user.max_user_namespaces=15000`"
          : "a container forbids user namespaces: start it with a seccomp profile that allows them, or run outside of it";
  return { kind: "none", reason: `this system forbids user namespaces (${reason})`, advice };
}

/** Whether a result looks like a write that the cage refused (pure). */
export function refusedByCage(result: Pick<CommandResult, "exitCode" | "stdout" | "stderr">): boolean {
  if (result.exitCode === 0) return false;
  return /read-only file system|operation not permitted|permission denied|\b(EROFS|EPERM|EACCES)\b/i.test(
    `${result.stderr}\n${result.stdout.slice(-4_000)}`,
  );
}

export interface KernelLimits {
  readonly appArmor: string;
  readonly clone: string;
  readonly most: string;
}

const installBubblewrap = "install it: `apt install bubblewrap`, `dnf install bubblewrap`, `pacman -S bubblewrap`";
const reportIt = "this cage is not used; please report it with the output of `groundplan doctor`";

function seatbelt(scratch: string): Confinement {
  return {
    kind: "seatbelt",
    program: "/usr/bin/sandbox-exec",
    wrap: (command, { network }) => ({ argv: seatbeltArguments({ scratch, network }, command), scratch }),
  };
}

function bubblewrap(machine: {
  readonly program: string;
  readonly processor: "x64" | "arm64";
  readonly visible: readonly string[];
  readonly path: string;
}): Confinement {
  const { program, processor, visible, path } = machine;
  const hidden = [...new Set(usuallyHidden.flatMap(realFolder))];
  const filters = {
    shut: seccompProgram({ processor, unixSockets: false }),
    open: seccompProgram({ processor, unixSockets: true }),
  };
  const places: CagePlaces = {
    program,
    ...cageIdentity({ uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }),
    hidden,
    visible: [...new Set([...[...visible, ...path.split(":")].flatMap(realFolder), ...path.split(":")])],
  };
  return {
    kind: "caged",
    program,
    wrap: (command, { directory, network, visible: more }) => {
      const own = { ...places, visible: [...new Set([...places.visible, directory, ...more])] };
      return {
        argv: cageArguments(own, { directory, network, filterDescriptor: 3, command }),
        filter: network ? filters.open : filters.shut,
        scratch: scratchInCage(own),
      };
    },
  };
}

function readKernelLimits(): KernelLimits {
  return {
    appArmor: readSetting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns"),
    clone: readSetting("/proc/sys/kernel/unprivileged_userns_clone"),
    most: readSetting("/proc/sys/user/max_user_namespaces"),
  };
}

function readSetting(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "";
  }
}

/** The real path of what exists, in a list; nothing for what does not. */
function realFolder(path: string): string[] {
  try {
    return path === "" ? [] : [realpathSync(path)];
  } catch {
    return [];
  }
}
