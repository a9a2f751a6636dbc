/** The box in which a comment is written. */
import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { commentKinds } from "../../../../core/verdict.ts";
import { makeVisible } from "../../../../core/wire/visible.ts";
import { linesText } from "../places.ts";
import type { Composer } from "../state.ts";
import type { PageHappening } from "../update.ts";
import type { Dispatch } from "../view/props.ts";
import { goToLine } from "../view/jump.ts";
import { kindNames } from "./threads.ts";

const prompts = {
  change: "What should change?",
  question: "What do you want to know? It is answered without a rewrite.",
  note: "What should be kept in mind?",
} as const;

interface ComposerProps {
  readonly composer: Composer;
  /** Not a draft yet. */
  readonly isNew: boolean;
  readonly dispatch: Dispatch;
}

export function ComposerCard({ composer, isNew, dispatch }: ComposerProps): VNode {
  const box = useRef<HTMLTextAreaElement>(null);
  const { place, kind, text } = composer;
  useLayoutEffect(() => box.current?.focus({ preventScroll: true }), [place.from, place.quote]);
  const end = (how: PageHappening): void => {
    dispatch(how);
    goToLine(place.from);
  };
  const keep = (): void => end({ type: "composer-kept" });
  const onKey = (event: KeyboardEvent): void => {
    const isDone = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if (!isDone && (event.key !== "Escape" || event.isComposing)) return;
    keep();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <form
      class={`card composer ${kind}`}
      data-card="composer"
      data-line={place.from}
      aria-label={`Comment on ${linesText(place)}`}
      onSubmit={(event) => {
        event.preventDefault();
        keep();
      }}
      onKeyDown={onKey}
    >
      <p class="place">{linesText(place)}</p>
      <blockquote>{makeVisible(place.quote).slice(0, 400)}</blockquote>
      <fieldset class="kinds">
        <legend class="unseen">Kind of comment</legend>
        {commentKinds.map((each) => (
          <label class={each}>
            <input
              type="radio"
              name="kind"
              value={each}
              checked={each === kind}
              onChange={() => dispatch({ type: "composer-changed", kind: each })}
            />
            {kindNames[each]}
          </label>
        ))}
      </fieldset>
      <textarea
        ref={box}
        rows={3}
        aria-label={prompts[kind]}
        placeholder={prompts[kind]}
        value={text}
        onInput={(event) => dispatch({ type: "composer-changed", text: event.currentTarget.value })}
      />
      <p class="row">
        <button type="submit" class="primary" disabled={text.trim() === ""} title="Ctrl+Enter">
          {isNew ? "Add comment" : "Change comment"}
        </button>
        <button
          type="button"
          class="quiet"
          onClick={() => end({ type: "composer-closed" })}
          title="Throws the comment away"
        >
          Cancel
        </button>
      </p>
    </form>
  );
}
