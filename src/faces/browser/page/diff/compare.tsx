/** The difference between any two texts, with the comments beside it. */
import type { VNode } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { CommentButton } from "../comments/comment-button.tsx";
import { highlightQuotes } from "../comments/highlight.ts";
import { SuggestBox } from "../comments/suggest-box.tsx";
import { placeThreads, type Thread } from "../comments/threads.ts";
import { textOf, type View } from "../state.ts";
import type { PartProps } from "../view/props.ts";
import { sidesOf, type Side } from "./sides.ts";
import { countChanges } from "./lines.ts";
import { RenderedDiff } from "./rendered-diff.tsx";
import { SourceDiff } from "./source-diff.tsx";

type CompareView = Extract<View, { kind: "compare" }>;

interface CompareProps extends PartProps {
  readonly view: CompareView;
  readonly threads: readonly Thread[];
}

export function Compare({ state, server, dispatch, view, threads }: CompareProps): VNode {
  const sides = useMemo(() => sidesOf(server, state), [server, state.shown, state.words]);
  const from = sides.find(({ key }) => key === view.from) ?? sides[0]!;
  const to = sides.find(({ key }) => key === view.to) ?? sides.at(-1)!;
  const isCurrent = to.text === textOf(state);
  const main = useRef<HTMLElement>(null);
  const { composer } = state.words;
  useLayoutEffect(() => showFirstChange(main.current!), [from.text, to.text, view.style]);
  useLayoutEffect(() => {
    if (!isCurrent || main.current === null) return;
    placeThreads(main.current, threads);
    highlightQuotes(main.current, threads, state.active);
  });
  return (
    <main id="plan" class="compare" tabIndex={-1} aria-label="Changes" ref={main}>
      <Toolbar view={view} sides={sides} chosen={{ from, to }} dispatch={dispatch} />
      {from.text === to.text ? (
        <p class="nothing">
          {sides.length === 1 ? "This is the first text of the plan: nothing to compare with yet." : "No difference."}
        </p>
      ) : view.style === "rendered" ? (
        <RenderedDiff before={from.text} after={to.text} anchors={isCurrent} />
      ) : (
        <SourceDiff before={from.text} after={to.text} anchors={isCurrent} />
      )}
      {isCurrent && <CommentButton state={state} dispatch={dispatch} />}
      {isCurrent && composer !== null && composer.suggestion !== null && (
        <SuggestBox composer={composer} dispatch={dispatch} />
      )}
    </main>
  );
}

/** Only where it is out of sight. */
function showFirstChange(main: HTMLElement): void {
  const change = main.querySelector<HTMLElement>(changes);
  if (change !== null && change.getBoundingClientRect().top > window.innerHeight * 0.7)
    change.scrollIntoView({ block: "center" });
}

const changes = ".rendered-diff .change, .source-diff :is(.add, .del)";

interface ToolbarProps extends Pick<PartProps, "dispatch"> {
  readonly view: CompareView;
  readonly sides: readonly Side[];
  readonly chosen: { readonly from: Side; readonly to: Side };
}

function Toolbar({ view, sides, chosen: { from, to }, dispatch }: ToolbarProps): VNode {
  const counts = useMemo(() => countChanges(from.text, to.text), [from.text, to.text]);
  const choose = (part: Partial<CompareView>): void => dispatch({ type: "view-chosen", view: { ...view, ...part } });
  return (
    <div class="toolbar">
      <Choose name="From" sides={sides} chosen={from} onChoose={(key) => choose({ from: key })} />
      <Choose name="to" sides={sides} chosen={to} onChoose={(key) => choose({ to: key })} />
      <span class="counts" role="img" aria-label={`${counts.added} lines added, ${counts.removed} removed`}>
        <ins>+{counts.added}</ins> <del>−{counts.removed}</del>
      </span>
      <span class="styles" role="group" aria-label="Show as">
        {(["rendered", "source"] as const).map((style) => (
          <button type="button" class="tab" aria-pressed={view.style === style} onClick={() => choose({ style })}>
            {style === "rendered" ? "Rendered" : "Source"}
          </button>
        ))}
      </span>
    </div>
  );
}

interface ChooseProps {
  readonly name: string;
  readonly sides: readonly Side[];
  readonly chosen: Side;
  readonly onChoose: (key: string) => void;
}

function Choose({ name, sides, chosen, onChoose }: ChooseProps): VNode {
  return (
    <label>
      {name}{" "}
      <select value={chosen.key} onChange={(event) => onChoose(event.currentTarget.value)}>
        {sides.map(({ key, name: label }) => (
          <option value={key} selected={key === chosen.key}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
