/** One line for each round of work, so that a person who waits sees what is done. */
import { basename } from "node:path";
import type { Happening } from "../../agent/ports/handle.ts";
import type { ShowCall } from "../../agent/tools/show.ts";

const mostNames = 6;

/** Null where there is nothing to tell. */
export function progressLine(happening: Happening, show: ShowCall): string | null {
  if (happening.kind !== "event" || happening.event.type !== "model-replied") return null;
  const { calls } = happening.event;
  const planFile = happening.session.plan.file;
  const readers = calls.flatMap(({ tool, input, access }) =>
    access?.kind === "read" ? [{ isSearch: show(tool, input).result === "matches", paths: access.paths }] : [],
  );
  const reads = readers.flatMap(({ isSearch, paths }) => (isSearch ? [] : paths)).filter((path) => path !== planFile);
  const parts = [
    ...(readers.some(({ isSearch }) => isSearch) ? ["searching"] : []),
    ...(reads.length === 0 ? [] : [`reading ${listOf(reads)}`]),
    ...(calls.some(({ access }) => access?.kind === "write" && access.path === planFile) ? ["writing the plan"] : []),
  ];
  return parts.length === 0 ? null : parts.join(", ");
}

function listOf(paths: readonly string[]): string {
  const names = paths.slice(0, mostNames).map((path) => basename(path).replace(/[\u0000-\u001f\u007f-\u009f]/g, "�"));
  return `${names.join(", ")}${paths.length > mostNames ? ` and ${paths.length - mostNames} more` : ""}`;
}
