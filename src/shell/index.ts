/** The shell guard: proof that a command only reads, usable alone. */
export { verdict } from "./verdict.ts";
export type { Judgement, ProjectTool, ShellSituation, ShellVerdict, Span } from "./types.ts";
