/** What has just happened, always in sight above the decision, and told to screen readers. */
import type { VNode } from "preact";
import { makeVisible } from "../../../../core/wire/visible.ts";
import { isOtherPlan, isOutdated } from "../state.ts";
import { outcomeText } from "../verdict.ts";
import { Banner, Counts } from "./banner.tsx";
import type { PartProps } from "./props.ts";

export function News({ state, server, dispatch }: PartProps): VNode {
  const by = server.request?.agent ?? null;
  return (
    <div class="news sheet-wide" role="status" aria-live="polite">
      {state.problem !== null && (
        <Banner tone="bad" act={{ label: "Close", run: () => dispatch({ type: "problem-seen" }) }}>
          {makeVisible(state.problem)}
        </Banner>
      )}
      <LinkBanner state={state} server={server} />
      {isOtherPlan(state) && (
        <Banner tone="warn" act={{ label: "Show it", run: () => dispatch({ type: "newest-wanted" }) }}>
          Another plan waits: {makeVisible(server.plan.title)}
          {by === null ? "" : ` by ${makeVisible(by)}`}. What you wrote here stays with this one.
        </Banner>
      )}
      {isOutdated(state) && !isOtherPlan(state) && (
        <Banner tone="warn" act={{ label: "Show the newer one", run: () => dispatch({ type: "newest-wanted" }) }}>
          A newer revision is here
          <Counts before={state.shown?.text ?? ""} after={server.text} />. What you read can no longer be approved; your
          comments come along.
        </Banner>
      )}
    </div>
  );
}

function LinkBanner({ state, server }: Pick<PartProps, "state" | "server">): VNode | null {
  if (state.link === "lost") {
    const text = "The program does not answer. Trying again by itself; what you write is kept here, decisions wait.";
    return <Banner tone="warn">{text}</Banner>;
  }
  if (state.link === "ended") {
    const text =
      "The program has ended; nothing was decided by that. Started again, it goes on here; what you write is kept.";
    return <Banner tone="warn">{text}</Banner>;
  }
  if (server.answered === null || server.request !== null) return null;
  return (
    <Banner tone={server.answered.kind === "approve" ? "good" : "plain"}>{outcomeText(server.answered, server)}</Banner>
  );
}
