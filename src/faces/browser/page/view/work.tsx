/** The middle of the page: reading with comments beside, the difference, or the editor. */
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { threadsOf } from "../comments/threads.ts";
import type { Block } from "../markdown/parse.ts";
import { textOf } from "../state.ts";
import { EditorPane } from "../editor/pane.tsx";
import { Margin } from "../comments/margin.tsx";
import { CommentButton } from "../comments/comment-button.tsx";
import { Lazy } from "./lazy.tsx";
import { Plan } from "./plan.tsx";
import type { PartProps } from "./props.ts";

export function Work(props: PartProps & { readonly blocks: readonly Block[] }): VNode {
  const { state, server, dispatch, blocks } = props;
  const text = textOf(state);
  const { drafts, replies, resolved } = state.words;
  const threads = useMemo(
    () => threadsOf(server, { drafts, replies, resolved }, text),
    [server, drafts, replies, resolved, text],
  );
  switch (state.view.kind) {
    case "edit":
      return <EditorPane text={text} blocks={blocks} dispatch={dispatch} />;
    case "compare": {
      const { view } = state;
      return (
        <Lazy key="compare" load={() => import("../diff/compare.tsx")}>
          {({ Compare }) => <Compare state={state} server={server} dispatch={dispatch} view={view} threads={threads} />}
        </Lazy>
      );
    }
    case "read":
      return (
        <>
          <main id="plan" tabIndex={-1} aria-label="The plan">
            <Plan blocks={blocks} threads={threads} active={state.active} dispatch={dispatch} />
            <CommentButton text={text} dispatch={dispatch} />
          </main>
          <Margin threads={threads} state={state} reply={server.reply} dispatch={dispatch} />
        </>
      );
  }
}
