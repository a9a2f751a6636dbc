/** What every view of the transcript is given beside its item. */
import type { Platform } from "../overlays/surface.ts";
import type { Highlight } from "./highlight.ts";
import type { Theme } from "./theme.ts";

/** How wide, and in which colours. */
export interface ViewLook {
  readonly width: number;
  readonly theme: Theme;
}

export interface ViewFacts extends ViewLook {
  readonly platform: Platform;
  /** Whether tool calls are shown opened. */
  readonly details: boolean;
  /** Paths inside it are shown relative to it. */
  readonly directory: string;
  /** Changes when code can be coloured that could not before. */
  readonly revision: number;
  readonly highlight: Highlight | null;
}

/** R15.3: `⏺` on macOS, `●` elsewhere. */
export function dot(platform: Platform): string {
  return platform === "darwin" ? "⏺" : "●";
}

/** Says below what is shown of a call that there is more of it. */
export function moreLines(rest: number, theme: Theme): readonly string[] {
  return rest > 0 ? [`      ${theme.faint(`… ${countOf(rest, "more line")}`)}`] : [];
}

export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}
