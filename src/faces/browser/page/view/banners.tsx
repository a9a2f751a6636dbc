/** What the person must know before deciding, in one place that screen readers follow. */
import type { VNode } from "preact";
import { hasHidden, makeVisible } from "../../../../core/visible.ts";
import type { ReviewState } from "../../wire.ts";
import { countChanges } from "../diff/lines.ts";
import { isOutdated, textOf, type PageState } from "../state.ts";
import { outcomeText } from "../outcome.ts";
import type { Dispatch, PartProps } from "./props.ts";
import { useMemo } from "preact/hooks";

export function Banners({ state, server, dispatch }: PartProps): VNode {
  return (
    <div class="banners" role="status" aria-live="polite">
      {state.problem !== null && (
        <Banner tone="bad" act={{ label: "Close", run: () => dispatch({ type: "problem-seen" }) }}>
          {makeVisible(state.problem)}
        </Banner>
      )}
      <LinkBanner state={state} server={server} />
      {isOutdated(state) && <Newer state={state} dispatch={dispatch} />}
      {!isOutdated(state) && server.request?.again === "changed" && (
        <Banner tone="warn">
          The plan file changed while it was open for approval. Nothing was approved: this is the new text.
        </Banner>
      )}
      {server.request?.again === "write-failed" && (
        <Banner tone="warn">Your edit could not be written. Nothing was approved.</Banner>
      )}
      <Facts state={state} server={server} />
      {state.words.edit !== null && state.view.kind !== "edit" && <Edited state={state} dispatch={dispatch} />}
      {state.words.shelved !== null && <Shelved text={state.words.shelved} dispatch={dispatch} />}
    </div>
  );
}

interface BannerProps {
  readonly tone: "bad" | "warn" | "good" | "plain";
  readonly children: preact.ComponentChildren;
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

function LinkBanner({ state, server }: { readonly state: PageState; readonly server: ReviewState }): VNode | null {
  if (state.link === "lost") {
    const text = "The program does not answer. Trying again by itself; what you write is kept here, decisions wait.";
    return <Banner tone="warn">{text}</Banner>;
  }
  if (server.answered === null || server.request !== null) return null;
  return <Banner tone={server.answered.kind === "approve" ? "good" : "plain"}>{outcomeText(server.answered)}</Banner>;
}

function Newer({ state, dispatch }: { readonly state: PageState; readonly dispatch: Dispatch }): VNode {
  const counts = useMemo(
    () => countChanges(state.shown?.text ?? "", state.server?.text ?? ""),
    [state.shown, state.server],
  );
  return (
    <Banner tone="warn" act={{ label: "Show the newer one", run: () => dispatch({ type: "newest-wanted" }) }}>
      A newer revision is here ({changesText(counts)}). What you read can no longer be approved; your comments come
      along.
    </Banner>
  );
}

function Facts({ state, server }: { readonly state: PageState; readonly server: ReviewState }): VNode {
  const text = textOf(state);
  const hidden = useMemo(() => hasHidden(text), [text]);
  const stale = server.files.filter((file) => file.state === "changed" || file.state === "missing");
  return (
    <>
      {hidden && <Banner tone="bad">This plan holds hidden characters. They are shown as escapes, in red.</Banner>}
      {stale.length > 0 && (
        <Banner tone="warn">
          Changed since the plan was submitted: <Paths paths={stale.map(({ path }) => path)} />
        </Banner>
      )}
      {server.changed.length > 0 && (
        <Banner tone="warn">
          Changed in the work tree while planning: <Paths paths={server.changed} />
        </Banner>
      )}
    </>
  );
}

function Paths({ paths }: { readonly paths: readonly string[] }): VNode {
  const most = 4;
  return (
    <>
      {paths.slice(0, most).map((path, index) => (
        <>
          {index > 0 && ", "}
          <code>{makeVisible(path)}</code>
        </>
      ))}
      {paths.length > most && ` and ${paths.length - most} more`}
    </>
  );
}

function Edited({ state, dispatch }: { readonly state: PageState; readonly dispatch: Dispatch }): VNode {
  const counts = useMemo(() => countChanges(state.shown?.text ?? "", textOf(state)), [state.shown, state.words.edit]);
  const compare = { kind: "compare", from: "now", to: "edit", style: "rendered" } as const;
  return (
    <Banner
      tone="plain"
      act={{ label: "See the difference", run: () => dispatch({ type: "view-chosen", view: compare }) }}
      other={{ label: "Discard the edit", run: () => dispatch({ type: "edited", text: null }) }}
    >
      You edited this plan ({changesText(counts)}). The edit goes with your answer.
    </Banner>
  );
}

function Shelved({ text, dispatch }: { readonly text: string; readonly dispatch: Dispatch }): VNode {
  return (
    <Banner
      tone="plain"
      act={{
        label: "Take it up again",
        run: () => {
          dispatch({ type: "edited", text });
          dispatch({ type: "shelf-cleared" });
        },
      }}
      other={{ label: "Discard it", run: () => dispatch({ type: "shelf-cleared" }) }}
    >
      Your edit of an earlier text was put aside when this one came.
    </Banner>
  );
}

export function changesText({ added, removed }: { readonly added: number; readonly removed: number }): string {
  return `+${added} −${removed} lines`;
}
