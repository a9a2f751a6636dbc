/** The source of some lines, opened in their place: what is written there is suggested instead (B19.2). */
import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { linesText } from "../places.ts";
import type { Composer } from "../state.ts";
import type { PageHappening } from "../update.ts";
import { elementOfLine, goToLine } from "../view/jump.ts";
import type { Dispatch } from "../view/props.ts";

interface SuggestProps {
  readonly composer: Composer;
  readonly dispatch: Dispatch;
}

export function SuggestBox({ composer, dispatch }: SuggestProps): VNode {
  const form = useRef<HTMLFormElement>(null);
  const { place, suggestion, text } = composer;
  useLayoutEffect(() => {
    const box = form.current!;
    const block = elementOfLine(place.from)?.closest<HTMLElement>("figure, li, p, tr, [data-from]") ?? null;
    const plan = document.getElementById("plan")!;
    if (block !== null) {
      box.style.top = `${block.getBoundingClientRect().top - plan.getBoundingClientRect().top - 12}px`;
      box.style.minHeight = `${block.offsetHeight + 24}px`;
    }
    box.querySelector("textarea")?.focus({ preventScroll: true });
    box.scrollIntoView({ block: "nearest" });
  }, [composer.id]);
  const end = (how: PageHappening): void => {
    dispatch(how);
    goToLine(place.from);
  };
  const onKey = (event: KeyboardEvent): void => {
    const isDone = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if (!isDone && (event.key !== "Escape" || event.isComposing)) return;
    end({ type: "composer-kept" });
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <form
      ref={form}
      class="suggest"
      aria-label={`Suggest other words for ${linesText(place)}`}
      onSubmit={(event) => {
        event.preventDefault();
        end({ type: "composer-kept" });
      }}
      onKeyDown={onKey}
    >
      <textarea
        class="source"
        dir="auto"
        aria-label="These lines should read"
        rows={Math.min(20, (suggestion ?? "").split("\n").length + 1)}
        value={suggestion ?? ""}
        onInput={(event) => dispatch({ type: "composer-changed", suggestion: event.currentTarget.value })}
      />
      <textarea
        dir="auto"
        rows={1}
        aria-label="Why (optional)"
        placeholder="Why (optional)"
        value={text}
        onInput={(event) => dispatch({ type: "composer-changed", text: event.currentTarget.value })}
      />
      <p class="row">
        <button type="submit" class="primary" title="Ctrl+Enter">
          Suggest this
        </button>
        <button type="button" onClick={() => end({ type: "removal-suggested", place, id: composer.id })}>
          Remove these lines
        </button>
        <button type="button" class="quiet" onClick={() => end({ type: "composer-closed" })}>
          Cancel
        </button>
      </p>
    </form>
  );
}
