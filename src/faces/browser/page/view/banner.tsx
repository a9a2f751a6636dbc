/** One message to the person, with what can be done about it. */
import type { ComponentChildren, VNode } from "preact";

interface BannerProps {
  readonly tone: "bad" | "warn" | "good" | "plain";
  readonly children: ComponentChildren;
  readonly act?: Act;
  readonly other?: Act;
}

interface Act {
  readonly label: string;
  readonly run: () => void;
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
