/** What the person must know before deciding. */
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { hasHidden, makeVisible } from "../../../../core/wire/visible.ts";
import { roundText, type Thread } from "../comments/threads.ts";
import { isOutdated, textOf, type PageState } from "../state.ts";
import { answerText } from "../suggestions.ts";
import { Banner, Counts } from "./banner.tsx";
import type { Dispatch, PartProps } from "./props.ts";

export function Banners({ state, server, dispatch, threads }: BannersProps): VNode {
  const round = state.server?.request === null ? null : roundText(threads);
  return (
    <div class="banners" role="status" aria-live="polite">
      {!isOutdated(state) && server.request?.again === "changed" && (
        <Banner tone="warn">
          The plan file changed while it was open for approval. Nothing was approved: this is the new text.
        </Banner>
      )}
      {server.request?.again === "write-failed" && (
        <Banner tone="warn">Your edit could not be written. Nothing was approved.</Banner>
      )}
      {isSeenAgain(state) ? (
        <Banner
          tone="plain"
          act={{ label: "Read it whole", run: () => dispatch({ type: "view-chosen", view: { kind: "read" } }) }}
        >
          Revision {state.shown?.revision}: this is what changed since you saw it last.
          {round !== null && <strong class="round"> {round}.</strong>}
        </Banner>
      ) : (
        round !== null && (
          <Banner tone="plain">
            <strong class="round">{round}.</strong>
          </Banner>
        )
      )}
      <Facts state={state} server={server} />
      {answerText(state) !== state.shown?.text && state.view.kind !== "edit" && (
        <Edited state={state} dispatch={dispatch} />
      )}
      {state.words.shelved !== null && <Shelved text={state.words.shelved} dispatch={dispatch} />}
    </div>
  );
}

interface BannersProps extends PartProps {
  readonly threads: readonly Thread[];
}

function isSeenAgain({ view, shown, server }: PageState): boolean {
  const isDifference = view.kind === "compare" && view.from === "previous" && view.to === "now";
  return isDifference && shown?.revision !== null && server?.request !== null;
}

function Facts({ state, server }: Pick<PartProps, "state" | "server">): VNode {
  const text = textOf(state);
  const hidden = useMemo(() => hasHidden(text), [text]);
  const isCarriedOut = ["approved", "executing", "done"].includes(server.plan.status);
  const stale = isCarriedOut ? [] : server.files.filter(({ state: now }) => now === "changed" || now === "missing");
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

function Edited({ state, dispatch }: Pick<PartProps, "state" | "dispatch">): VNode {
  const compare = { kind: "compare", from: "now", to: "edit", style: "rendered" } as const;
  const discard = { label: "Put the edit aside", run: () => dispatch({ type: "edited", text: null }) };
  return (
    <Banner
      tone="plain"
      act={{ label: "See the difference", run: () => dispatch({ type: "view-chosen", view: compare }) }}
      {...(state.words.edit === null ? {} : { other: discard })}
    >
      {state.words.edit === null ? "You suggest changes to this plan" : "You edited this plan"}
      <Counts before={state.shown?.text ?? ""} after={answerText(state)} />.{" "}
      {state.words.edit === null
        ? "A yes approves the text with them; sent back, they go along as old and new text."
        : "The edit goes with your answer."}
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
      An edit of yours is put aside and does not go along.
    </Banner>
  );
}
