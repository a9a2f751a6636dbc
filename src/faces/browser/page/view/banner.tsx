/** One message to the person, with what can be done about it. */
import type { ComponentChildren, VNode } from "preact";
import { useMemo } from "preact/hooks";
import { useLoaded } from "./lazy.tsx";
import type { Act } from "./props.ts";

interface BannerProps {
  readonly tone: "bad" | "warn" | "good" | "plain";
  readonly children: ComponentChildren;
  readonly act?: Act;
  readonly other?: Act;
}

export function Banner({ tone, children, act, other }: BannerProps): VNode {
  return (
    <div class={`banner ${tone}`}>
      <p>{children}</p>
      {[act, other].map(
        (each) =>
          each !== undefined && (
            <button type="button" onClick={each.run}>
              {each.label}
            </button>
          ),
      )}
    </div>
  );
}

/** How much two texts differ, in brackets; nothing until the comparing is loaded. */
export function Counts({ before, after }: { readonly before: string; readonly after: string }): VNode | null {
  const { part } = useLoaded(() => import("./later.ts"));
  const counts = useMemo(() => part?.countChanges(before, after), [part, before, after]);
  return counts === undefined ? null : <>{` (+${counts.added} −${counts.removed} lines)`}</>;
}
