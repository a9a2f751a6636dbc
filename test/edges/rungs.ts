/** The rungs of the cage, each to be tested alone: what it needs, and an environment that takes the others away. */
import type { Program } from "../support/programs.ts";

export const linuxRungs = ["bubblewrap", "landlock-perl", "landlock-python"] as const satisfies readonly Program[];
export type LinuxRung = (typeof linuxRungs)[number];

export function only(rung: LinuxRung | null): { GROUNDPLAN_WITHOUT_RUNGS: string } {
  return { GROUNDPLAN_WITHOUT_RUNGS: linuxRungs.filter((name) => name !== rung).join(",") };
}
