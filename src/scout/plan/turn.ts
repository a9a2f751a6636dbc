/** What scout does next, and what it needs for it. */
import type { WantedCall } from "./look.ts";
import type { Ranking } from "../rank/rank.ts";

export interface ScoutOptions {
  /** Where the tools work. */
  readonly directory: string;
  readonly rank: (task: string) => Promise<Ranking>;
}

/** It says something, it calls tools, or both. */
export interface Turn {
  readonly say: string;
  readonly calls: readonly WantedCall[];
}
