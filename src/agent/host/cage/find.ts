/** The cages that this machine offers, best first, not yet tested. */
import { findProgram, realPaths } from "../find-program.ts";
import { bubblewrapCage } from "./bubblewrap.ts";
import { seatbeltCage } from "./seatbelt.ts";
import { isProcessor } from "./seccomp.ts";
import type { Cage, Missing } from "./types.ts";

export interface Machine {
  readonly platform: string;
  readonly processor: string;
  /** The cleaned PATH. */
  readonly path: string;
  /** Paths that stay visible in every cage: project, added directories, plans, home. */
  readonly visible: readonly string[];
  /** A real folder for scratch where the cage has none of its own. */
  readonly scratch: () => string;
}

export function findCages(machine: Machine): readonly (Cage | Missing)[] {
  const { platform, processor, path, visible } = machine;
  if (platform === "darwin") return [seatbeltCage(machine.scratch())];
  if (platform !== "linux") {
    return [{ kind: "none", reason: `there is no sandbox for ${platform} here`, advice: "use Linux or macOS" }];
  }
  if (!isProcessor(processor)) {
    const reason = `there is no system-call filter for ${processor}`;
    return [{ kind: "none", reason, advice: "use x64 or arm64" }];
  }
  const bwrap = findProgram("bwrap", path);
  const shown = [...new Set([...[...visible, ...path.split(":")].flatMap(realPaths), ...path.split(":")])];
  return [bwrap === null ? noBubblewrap : bubblewrapCage({ program: bwrap, processor, visible: shown })];
}

const noBubblewrap: Missing = {
  kind: "none",
  reason: "bubblewrap is not installed",
  advice: "install it: `apt install bubblewrap`, `dnf install bubblewrap`, `pacman -S bubblewrap`",
};
