/** The middle of the page: reading with comments beside, the difference, or the editor. */
import type { VNode } from "preact";
import type { Thread } from "../comments/threads.ts";
import type { Block } from "../markdown/parse.ts";
import { textOf } from "../state.ts";
import { Margin } from "../comments/margin.tsx";
import { CommentButton } from "../comments/comment-button.tsx";
import { SuggestBox } from "../comments/suggest-box.tsx";
import { Lazy } from "./lazy.tsx";
import { Plan } from "./plan.tsx";
import type { PartProps } from "./props.ts";

interface WorkProps extends PartProps {
  readonly blocks: readonly Block[];
  readonly threads: readonly Thread[];
}

export function Work({ state, server, dispatch, blocks, threads }: WorkProps): VNode {
  const text = textOf(state);
  const { composer } = state.words;
  switch (state.view.kind) {
    case "edit":
      return (
        <Lazy key="edit" load={() => import("./later.ts")}>
          {({ EditorPane }) => <EditorPane text={text} blocks={blocks} dispatch={dispatch} />}
        </Lazy>
      );
    case "compare": {
      const { view } = state;
      return (
        <Lazy key="compare" load={() => import("./later.ts")}>
          {({ Compare }) => (
            <>
              <Compare state={state} server={server} dispatch={dispatch} view={view} threads={threads} />
              {["now", "edit"].includes(view.to) && (
                <Margin threads={threads} state={state} reply={server.reply} dispatch={dispatch} />
              )}
            </>
          )}
        </Lazy>
      );
    }
    case "read":
      return (
        <>
          <main id="plan" tabIndex={-1} aria-label="The plan">
            <Plan blocks={blocks} threads={threads} state={state} dispatch={dispatch} />
            <CommentButton state={state} dispatch={dispatch} />
            {composer !== null && composer.suggestion !== null && (
              <SuggestBox composer={composer} dispatch={dispatch} />
            )}
          </main>
          <Margin threads={threads} state={state} reply={server.reply} dispatch={dispatch} />
        </>
      );
  }
}
