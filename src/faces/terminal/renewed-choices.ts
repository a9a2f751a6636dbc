/** What the session, or an agent of it, offers anew for a plan that is shown (R11.3). */
import type { Happening } from "../../agent/ports/handle.ts";
import type { Choice } from "../../core/verdict.ts";

export interface RenewedChoices {
  /** Null where the request offers what it always did. */
  readonly choices: (requestId: string) => readonly Choice[] | null;
  /** Tells of each new offer; gives the way to end that. */
  readonly watch: (tell: () => void) => () => void;
}

export function hearRenewedChoices(): RenewedChoices & { readonly hear: (happening: Happening) => void } {
  const known = new Map<string, readonly Choice[]>();
  const told = new Set<() => void>();
  const hear = (happening: Happening): void => {
    if (happening.kind === "agent" && happening.news.kind === "within") return hear(happening.news.happening);
    if (happening.kind !== "event") return;
    for (const effect of happening.effects) {
      if (effect.type !== "reoffer-review") continue;
      known.set(effect.requestId, effect.choices);
      told.forEach((tell) => tell());
    }
  };
  return {
    hear,
    choices: (requestId) => known.get(requestId) ?? null,
    watch(tell) {
      told.add(tell);
      return () => void told.delete(tell);
    },
  };
}
