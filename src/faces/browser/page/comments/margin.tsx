/** The comments beside the text: each at the height of its words where there is room, below the text where not. */
import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import type { PageState } from "../state.ts";
import type { Dispatch } from "../view/props.ts";
import { Cards } from "./cards.tsx";
import { Reply } from "./reply.tsx";
import type { Thread } from "./threads.ts";

interface MarginProps {
  readonly threads: readonly Thread[];
  readonly state: PageState;
  readonly reply: string | null;
  readonly dispatch: Dispatch;
}

export function Margin({ threads, state, reply, dispatch }: MarginProps): VNode {
  const column = useRef<HTMLElement>(null);
  const hasCards = threads.length > 0 || state.words.composer !== null;
  return (
    <aside class="margin" ref={column} aria-label="Comments">
      <h2 class="only-below">Comments</h2>
      {reply !== null && <Reply text={reply} threads={threads} />}
      {hasCards && <Cards column={column} threads={threads} state={state} dispatch={dispatch} />}
      {!hasCards && reply === null && (
        <p class="invitation">
          Select words, or point at a line, to comment. With the keyboard: <kbd>j</kbd> <kbd>k</kbd> to move,{" "}
          <kbd>c</kbd> to comment, <kbd>s</kbd> to suggest.
        </p>
      )}
    </aside>
  );
}
