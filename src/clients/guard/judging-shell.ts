/** The shell guard alone: it says what a command would do, bare in the client's shell or in our cage, and runs nothing. */
import { withReach } from "../../agent/host/shell/query.ts";
import { gatherSituation } from "../../agent/host/shell/shell-situation.ts";
import type { Shell } from "../../agent/ports/ports.ts";
import { withinTime } from "./within-time.ts";

export interface JudgingPlace {
  /** As if it ran in the cage; otherwise only the strict core is believed. */
  readonly caged: boolean;
  /** What `~` stands for in that shell. */
  readonly home: string | undefined;
}

/** The tables are loaded with the first command. */
export function judgingShell({ caged, home }: JudgingPlace): Shell {
  return {
    async judge(command, directory) {
      const { verdict, withoutCage } = await import("../../shell/index.ts");
      const place = { platform: process.platform, directory, home, gitPrograms: [] };
      return withinTime(() => {
        const uncaged = () => verdict(command, gatherSituation({ ...place, caged: false }));
        const judged = caged ? verdict(command, gatherSituation({ ...place, caged })) : withoutCage(command, uncaged());
        return { ...withReach(judged, { directory, home, uncaged }), command, directory, sandboxed: caged };
      });
    },
    run: () => Promise.reject(new Error("Nothing is run here.")),
  };
}
