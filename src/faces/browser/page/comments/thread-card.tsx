/** One thread beside the text. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { makeVisible } from "../../../../core/wire/visible.ts";
import { linesText } from "../places.ts";
import { goToLine } from "../view/jump.ts";
import type { Act } from "../view/banner.tsx";
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
  return (
    <article
      class={`thread ${kind} ${isActive ? "active" : ""} ${isResolved ? "resolved" : ""}`}
      onClick={() => dispatch({ type: "comment-chosen", id })}
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

function DraftButtons({ thread: { comment }, dispatch }: Omit<ThreadProps, "isActive">): VNode {
  const { id } = comment;
  return (
    <p class="row">
      <Quiet label="Change" run={() => dispatch({ type: "composer-opened", place: comment, id })} />
      <Quiet label="Remove" run={() => dispatch({ type: "draft-removed", id })} />
    </p>
  );
}

function EarlierButtons({ thread, dispatch }: Omit<ThreadProps, "isActive">): VNode {
  const { reply, isResolved } = thread;
  const { id } = thread.comment;
  const [isWriting, setWriting] = useState(reply !== null);
  const isOpen = isWriting || reply !== null;
  return (
    <>
      {isOpen && !isResolved && (
        <textarea
          rows={2}
          aria-label="Follow up"
          placeholder="Follow up"
          value={reply ?? ""}
          onInput={(event) => dispatch({ type: "reply-changed", id, text: event.currentTarget.value })}
        />
      )}
      <p class="row">
        {!isOpen && !isResolved && <Quiet label="Follow up" run={() => setWriting(true)} />}
        <Quiet
          label={isResolved ? "Open again" : "Settle"}
          run={() => dispatch({ type: "resolved", id, done: !isResolved })}
        />
      </p>
    </>
  );
}

function Quiet({ label, run }: Act): VNode {
  return (
    <button type="button" class="quiet" onClick={run}>
      {label}
    </button>
  );
}
