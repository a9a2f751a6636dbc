/** How much two texts differ, in words; the comparing is loaded when it is first wanted. */
import { useMemo } from "preact/hooks";
import { useLoaded } from "./lazy.tsx";

/** In brackets; nothing while it is not known. */
export function useCounts(before: string, after: string): string {
  const { part } = useLoaded(() => import("../diff/lines.ts"));
  return useMemo(() => {
    if (part === null) return "";
    const { added, removed } = part.countChanges(before, after);
    return ` (+${added} −${removed} lines)`;
  }, [part, before, after]);
}
