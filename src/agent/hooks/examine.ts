/** Looks whether a hook could run as it is written, without running it. */
import type { Hook } from "../../core/settings/shape.ts";
import { runHook, type HookRun } from "./run-hook.ts";
import { matches } from "./matcher.ts";
import { isExecutable, findProgram } from "../host/launch/find-program.ts";

/** What is wrong with it, null where nothing is. */
export async function hookProblem(
  hook: Hook,
  place: Pick<HookRun, "directory" | "environment">,
): Promise<string | null> {
  const match = matches(hook.matcher, "any");
  if (typeof match !== "boolean") return match.problem;
  if (hook.args !== undefined) {
    const found = hook.command.includes("/") || findProgram(hook.command, place.environment["PATH"] ?? "") !== null;
    const isPlace = hook.command.startsWith("/") && !isExecutable(hook.command);
    return found && !isPlace ? null : `there is no program ${hook.command}`;
  }
  const parsed = { command: "sh", args: ["-n", "-c", hook.command] };
  const end = await runHook({ hook: parsed, stdin: "", timeoutMs: 30_000, ...place });
  if (end.kind === "failed") return end.why;
  return end.code === 0 ? null : `the shell does not understand it: ${end.stderr.trim().split("\n")[0] ?? ""}`;
}
