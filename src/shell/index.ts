/** The shell guard: proof that a command only reads, usable alone. */
export { verdict } from "./verdict.ts";
export { formsOf } from "./parts.ts";
export { isProjectCheck } from "./project-checks.ts";
export { withoutCage } from "./strict-core.ts";
export type { Judgement, ProjectTool, ShellCommand, ShellSituation, ShellVerdict, Span } from "./types.ts";
