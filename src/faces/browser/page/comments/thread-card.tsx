/** One thread beside the text. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { makeVisible } from "../../../../core/wire/visible.ts";
import { linesText } from "../places.ts";
import { goToLine } from "../view/jump.ts";
import type { Dispatch } from "../view/props.ts";
import { kindNames, type Thread } from "./threads.ts";

interface ThreadProps {
  readonly thread: Thread;
  readonly isActive: boolean;
  readonly dispatch: Dispatch;
}

export function ThreadCard({ thread, isActive, dispatch }: ThreadProps): VNode {
  const { comment, isDraft, isResolved, said } = thread;
  const { id, kind, anchor, quote } = comment;
  const choose = (): void => dispatch({ type: "comment-chosen", id });
  return (
    <article
      class={`thread ${kind} ${isActive ? "active" : ""} ${isResolved ? "resolved" : ""}`}
      onClick={choose}
      aria-label={`${kindNames[kind]} on ${linesText(comment)}`}
    >
      <p class="place">
        <span class="kind">{kindNames[kind]}</span>
        {anchor === "gone" ? (
          <span class="anchor gone">its words are gone</span>
        ) : (
          <a
            href={`#line-${comment.from}`}
            onClick={(event) => {
              event.preventDefault();
              goToLine(comment.from);
            }}
          >
            {linesText(comment)}
          </a>
        )}
        {anchor === "moved" && <span class="anchor">moved</span>}
        {isDraft && <span class="anchor">not sent</span>}
        {isResolved && <span class="anchor">settled</span>}
      </p>
      {(isActive || anchor === "gone") && <blockquote>{makeVisible(quote).slice(0, 400)}</blockquote>}
      {said.map((text) => (
        <p class="said">{makeVisible(text)}</p>
      ))}
      {isDraft ? (
        <DraftButtons thread={thread} dispatch={dispatch} />
      ) : (
        <EarlierButtons thread={thread} dispatch={dispatch} />
      )}
    </article>
  );
}

function DraftButtons({ thread, dispatch }: { readonly thread: Thread; readonly dispatch: Dispatch }): VNode {
  const { comment } = thread;
  return (
    <p class="row">
      <button
        type="button"
        class="quiet"
        onClick={() => dispatch({ type: "composer-opened", place: comment, id: comment.id })}
      >
        Change
      </button>
      <button type="button" class="quiet" onClick={() => dispatch({ type: "draft-removed", id: comment.id })}>
        Remove
      </button>
    </p>
  );
}

function EarlierButtons({ thread, dispatch }: { readonly thread: Thread; readonly dispatch: Dispatch }): VNode {
  const { comment, reply, isResolved } = thread;
  const [isWriting, setWriting] = useState(reply !== null);
  return (
    <>
      {(isWriting || reply !== null) && !isResolved && (
        <textarea
          rows={2}
          aria-label="Follow up"
          placeholder="Follow up"
          value={reply ?? ""}
          onInput={(event) => dispatch({ type: "reply-changed", id: comment.id, text: event.currentTarget.value })}
        />
      )}
      <p class="row">
        {!isWriting && reply === null && !isResolved && (
          <button type="button" class="quiet" onClick={() => setWriting(true)}>
            Follow up
          </button>
        )}
        <button
          type="button"
          class="quiet"
          onClick={() => dispatch({ type: "resolved", id: comment.id, done: !isResolved })}
        >
          {isResolved ? "Open again" : "Settle"}
        </button>
      </p>
    </>
  );
}
