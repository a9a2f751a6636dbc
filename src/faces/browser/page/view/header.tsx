/** What the page is about: title, file, revision, size, cost; and the three ways to look at it. */
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { tokensOf } from "../../../../core/usage.ts";
import { makeVisible } from "../../../../core/wire/visible.ts";
import type { ReviewState } from "../../desks/wire.ts";
import { textOf, type View } from "../state.ts";
import type { PartProps } from "./props.ts";

export function Header({ state, server, dispatch }: PartProps): VNode {
  const { plan } = server;
  const agent = server.client?.title ?? server.request?.agent ?? null;
  const text = textOf(state);
  const isTitled = text.startsWith(`# ${plan.title}\n`);
  const size = useMemo(() => sizeOf(text), [text]);
  const tabs: readonly { readonly name: string; readonly key: string; readonly view: View }[] = [
    { name: "Read", key: "r", view: { kind: "read" } },
    { name: "Changes", key: "d", view: changesView(server) },
    ...(server.client?.edit === false ? [] : [{ name: "Edit", key: "e", view: { kind: "edit" } } as const]),
  ];
  return (
    <header class="top">
      <div class="about">
        <p class="eyebrow">
          <span class={`status ${plan.status}`}>{plan.status}</span>
          {state.shown?.revision !== null && <span>revision {state.shown?.revision}</span>}
          {agent !== null && <span>by {makeVisible(agent)}</span>}
          <span title={size.text}>{madeOf(server, text)}</span>
          <span class="lines" title={size.hint}>
            {size.text}
          </span>
          {size.isLong && <span class="hint">{size.hint}</span>}
          {tokens(server)}
        </p>
        <p class={isTitled ? "title once-scrolled" : "title"} dir="auto">
          {makeVisible(plan.title === "" ? "Untitled plan" : plan.title)}
        </p>
        <p class="where">
          <span class="path">{makeVisible(plan.path)}</span>
          <span>{makeVisible(plan.project)}</span>
          {plan.branch !== null && (
            <span>
              {makeVisible(plan.branch)}
              {plan.commit !== null && ` at ${makeVisible(plan.commit.slice(0, 8))}`}
            </span>
          )}
        </p>
      </div>
      <nav class="views" aria-label="Views">
        {tabs.map(({ name, key, view }) => (
          <button
            type="button"
            class="tab"
            aria-pressed={view.kind === state.view.kind}
            title={`${name} (${key})`}
            onClick={() => dispatch({ type: "view-chosen", view })}
          >
            {name}
          </button>
        ))}
        <button
          type="button"
          class="quiet"
          title="Keyboard shortcuts (?)"
          aria-label="Keyboard shortcuts"
          onClick={() => dispatch({ type: "opened", what: "shortcuts" })}
        >
          ?
        </button>
      </nav>
    </header>
  );
}

/** "6 steps · 6 files, 4 new · 2 checks · 3 min" */
export function madeOf({ outline, files }: Pick<ReviewState, "outline" | "files">, text: string): string {
  const fresh = files.filter(({ state }) => state === "new").length;
  const minutes = Math.ceil(wordsIn(text) / wordsInMinute);
  return [
    ...(outline === undefined || outline.steps === 0 ? [] : [counted(outline.steps, "step")]),
    ...(files.length === 0 ? [] : [`${counted(files.length, "file")}${fresh === 0 ? "" : `, ${fresh} new`}`]),
    ...(outline === undefined || outline.checks === 0 ? [] : [counted(outline.checks, "check")]),
    `${minutes} min`,
  ].join(" · ");
}

const wordsInMinute = 220;

/** Writing without blanks between its words has about three signs for two of them. */
function wordsIn(text: string): number {
  const signs = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  return (text.match(/\S+/g)?.length ?? 0) + (signs * 2) / 3;
}

function counted(count: number, thing: string): string {
  return `${grouped(count)} ${thing}${count === 1 ? "" : "s"}`;
}

/** From what the person saw last to now; without that, from the revision before (B3.1). */
export function changesView({ previous, revisions }: ReviewState): View {
  const before = revisions.at(-2);
  const from = previous !== null || before === undefined ? "previous" : String(before.number);
  return { kind: "compare", from, to: "now", style: "rendered" };
}

function tokens({ usage }: ReviewState): VNode | null {
  if (usage === null || usage.planning.requests === 0) return null;
  const all = tokensOf(usage.planning);
  if (all === 0) return null;
  const cost = usage.costUsd === null ? "" : ` · $${usage.costUsd.toFixed(2)}`;
  return <span title="Tokens used for planning so far">{`${grouped(all)} tokens${cost}`}</span>;
}

/** With what is known about long ones (R9.5). */
export function sizeOf(text: string) {
  const characters = text.length;
  const lines = text.split("\n").length - (text === "" || text.endsWith("\n") ? 1 : 0);
  return {
    text: `${grouped(lines)} ${lines === 1 ? "line" : "lines"}, ${grouped(characters)} characters`,
    hint: hintFor(characters),
    isLong: characters > 20_000,
  };
}

/** 12,345: without the browser's tables of languages, which take longer to load than a plan. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

function hintFor(characters: number): string {
  if (characters < 2000) return "Plans of this size are sent back in about 1 of 5 cases.";
  if (characters > 20_000) return "Long: plans of this size are sent back in about half of all cases.";
  return "The longer a plan, the more often it is sent back.";
}
