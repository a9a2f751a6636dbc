/** The comments beside the text: each at the height of its words where there is room, below the text where not. */
import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { PageState } from "../state.ts";
import type { Dispatch } from "../view/props.ts";
import { alignCards } from "./align.ts";
import { ComposerCard } from "./composer.tsx";
import { Reply } from "./reply.tsx";
import { ThreadCard } from "./thread-card.tsx";
import type { Thread } from "./threads.ts";

interface MarginProps {
  readonly threads: readonly Thread[];
  readonly state: PageState;
  readonly reply: string | null;
  readonly dispatch: Dispatch;
}

export function Margin({ threads, state, reply, dispatch }: MarginProps): VNode {
  const column = useRef<HTMLElement>(null);
  const { composer } = state.words;
  const focused = composer === null ? state.active : "composer";
  useLayoutEffect(() => alignCards(column.current!, focused), [threads, composer, focused, reply]);
  useLayoutEffect(() => showComposer(column.current!), [composer?.id]);
  useLayoutEffect(() => {
    const align = (): void => alignCards(column.current!, focused);
    const watcher = new ResizeObserver(align);
    watcher.observe(document.getElementById("plan")!);
    return () => watcher.disconnect();
  }, [focused]);
  const isNew = !state.words.drafts.some(({ id }) => id === composer?.id);
  const isQuiet = threads.length === 0 && composer === null && reply === null;
  return (
    <aside class="margin" ref={column} aria-label="Comments">
      <h2 class="only-below">Comments</h2>
      {reply !== null && <Reply text={reply} threads={threads} />}
      {composer !== null && composer.suggestion === null && (
        <ComposerCard composer={composer} isNew={isNew} dispatch={dispatch} />
      )}
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
      {isQuiet && (
        <p class="invitation">
          Select words, or point at a line, to comment. With the keyboard: <kbd>j</kbd> <kbd>k</kbd> to move,{" "}
          <kbd>c</kbd> to comment.
        </p>
      )}
    </aside>
  );
}

/** The page keeps its place, and moves only as far as the box would be out of sight. */
function showComposer(column: HTMLElement): void {
  column.querySelector(".composer")?.scrollIntoView({ block: "nearest" });
}
