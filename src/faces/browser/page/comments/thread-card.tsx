/** One thread beside the text. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { makeVisible } from "../../../../core/wire/visible.ts";
import type { Fate } from "../../../../core/plan/anchors.ts";
import { linesText } from "../places.ts";
import { goToLine } from "../view/jump.ts";
import type { Act, Dispatch } from "../view/props.ts";
import { OldNew } from "./old-new.tsx";
import { kindNames, type Thread } from "./threads.ts";

interface ThreadProps {
  readonly thread: Thread;
  readonly isActive: boolean;
  readonly dispatch: Dispatch;
}

export function ThreadCard({ thread, isActive, dispatch }: ThreadProps): VNode {
  const { comment, isDraft, isResolved, said, fate } = thread;
  const { id, kind, anchor, quote, was, now, suggestion } = comment;
  return (
    <article
      class={`thread ${kind} ${isActive ? "active" : ""} ${isResolved ? "resolved" : ""}`}
      onClick={() => dispatch({ type: "comment-chosen", id })}
      aria-label={`${kindNames[kind]} on ${linesText(comment)}`}
    >
      <p class="place">
        <span class="kind">{kindNames[kind]}</span>
        {anchor !== "gone" && (
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
        {fate !== null && <span class={`fate ${fate}`}>{fates[fate]}</span>}
        {isDraft && <span class="anchor">not sent</span>}
        {isResolved && <span class="anchor">settled</span>}
      </p>
      {((isActive && anchor !== "changed" && suggestion === undefined) || anchor === "gone") && (
        <blockquote>{makeVisible(quote).slice(0, 400)}</blockquote>
      )}
      {anchor === "changed" && now !== undefined && <OldNew old={was ?? quote} now={now} />}
      {suggestion !== undefined && <OldNew old={quote} now={suggestion} />}
      {said.map((text) => (
        <p class="said" dir="auto">
          {makeVisible(text)}
        </p>
      ))}
      {isDraft ? (
        <DraftButtons thread={thread} dispatch={dispatch} />
      ) : (
        <EarlierButtons thread={thread} dispatch={dispatch} />
      )}
    </article>
  );
}

const fates: Record<Fate, string> = {
  changed: "changed here",
  answered: "answered",
  untouched: "untouched",
  gone: "its words are gone",
};

function DraftButtons({ thread: { comment }, dispatch }: Omit<ThreadProps, "isActive">): VNode {
  const { id, suggestion } = comment;
  const again = { type: "composer-opened", place: comment, id, suggests: suggestion !== undefined } as const;
  return (
    <p class="row">
      <Quiet label="Change" run={() => dispatch(again)} />
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
