/** Which probes can be tried one after the other in one conversation, each undone before the next: most runs of an agent are its start. */
import type { CrashProbe } from "./probe.ts";

const plain = new Set(["shell", "write", "edit", "write-beside-read"]);

export function conversationsOf(
  probes: readonly CrashProbe[],
  mode: "plan" | "work",
): readonly (readonly CrashProbe[])[] {
  const together = new Map<string, CrashProbe[]>();
  for (const probe of probes.filter(joins)) {
    const { rules, ...circumstances } = probe.circumstances;
    const key = JSON.stringify(mode === "plan" ? { rules, ...circumstances } : circumstances);
    together.set(key, [...(together.get(key) ?? []), probe]);
  }
  return [...together.values()];
}

function joins({ steps, circumstances, alone }: CrashProbe): boolean {
  const { resumedFrom, approval } = circumstances;
  const isFresh = resumedFrom === undefined && approval === undefined;
  return alone !== true && isFresh && steps.every(({ kind }) => plain.has(kind));
}
