/** The cards beside the text, each at the height of its words, and the box in which a comment is written. */
import type { VNode } from "preact";
import { useLayoutEffect } from "preact/hooks";
import type { PageState } from "../state.ts";
import type { Dispatch } from "../view/props.ts";
import { alignCards } from "./align.ts";
import { ComposerCard } from "./composer.tsx";
import { ThreadCard } from "./thread-card.tsx";
import type { Thread } from "./threads.ts";

interface CardsProps {
  readonly column: { readonly current: HTMLElement | null };
  readonly threads: readonly Thread[];
  readonly state: PageState;
  readonly dispatch: Dispatch;
}

export function Cards({ column, threads, state, dispatch }: CardsProps): VNode {
  const composer = state.words.composer?.suggestion === null ? state.words.composer : null;
  const focused = composer === null ? state.active : "composer";
  const isNew = !state.words.drafts.some(({ id }) => id === composer?.id);
  useLayoutEffect(() => alignCards(column.current!, focused));
  useLayoutEffect(() => showComposer(column.current!), [composer?.id]);
  useLayoutEffect(() => {
    const watcher = new ResizeObserver(() => alignCards(column.current!, focused));
    const plan = document.getElementById("plan");
    if (plan !== null) watcher.observe(plan);
    return () => watcher.disconnect();
  }, [focused, state.view]);
  return (
    <>
      {composer !== null && <ComposerCard composer={composer} isNew={isNew} dispatch={dispatch} />}
      <ol>
        {threads
          .filter(({ comment }) => comment.id !== composer?.id)
          .map((thread) => (
            <li
              key={thread.comment.id}
              class="card"
              data-line={thread.comment.anchor === "gone" ? undefined : thread.comment.from}
              data-card={thread.comment.id}
            >
              <ThreadCard thread={thread} isActive={thread.comment.id === state.active} dispatch={dispatch} />
            </li>
          ))}
      </ol>
    </>
  );
}

/** The page keeps its place, and moves only as far as the box would be out of sight. */
function showComposer(column: HTMLElement): void {
  column.querySelector(".composer")?.scrollIntoView({ block: "nearest" });
}
