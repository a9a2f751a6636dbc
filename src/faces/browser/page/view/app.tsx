/** The page: what it is about, the plan, the words beside it, and the decision. */
import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { armAfterReading } from "../arming.ts";
import type { PageConnection } from "../connection.ts";
import { threadsOf, type Thread } from "../comments/threads.ts";
import { parsePlan } from "../markdown/parse.ts";
import { textOf, type PageState } from "../state.ts";
import type { Store } from "../store.ts";
import { Banners } from "./banners.tsx";
import { Decision } from "./decision.tsx";
import { Header } from "./header.tsx";
import { listenToKeys } from "./page-keys.ts";
import { usePlace } from "./place.ts";
import { News } from "./news.tsx";
import { Lazy } from "./lazy.tsx";
import { Side } from "./side.tsx";
import { Work } from "./work.tsx";

export function App({ store, connection }: { readonly store: Store; readonly connection: PageConnection }): VNode {
  const state = usePage(store);
  useEffect(() => listenToKeys(store), [store]);
  const { dispatch } = store;
  const text = textOf(state);
  const blocks = useMemo(() => parsePlan(text), [text]);
  const { shown } = state;
  const threads = useThreads(state);
  usePlace(state);
  useEffect(watchScroll, []);
  useEffect(() => armAfterReading(shown, dispatch), [shown?.requestId, shown?.hash, shown?.armed]);
  const isAsked = state.server !== null && state.server.request !== null;
  const title = state.server?.plan.title ?? "";
  useEffect(() => {
    document.querySelector<HTMLLinkElement>('link[rel="icon"]')!.href = `api/sign.svg?n=${isAsked ? 1 : 0}`;
    document.title = `${isAsked ? "● " : ""}${title === "" ? "Plan" : title} · Groundplan review`;
  }, [title, isAsked]);
  if (state.server === null || state.shown === null) {
    return (
      <p class="opening" role="status">
        {state.problem ?? (state.link === "lost" ? "Waiting for the program…" : "Opening the plan…")}
      </p>
    );
  }
  return (
    <>
      <a class="skip" href="#plan">
        Skip to the plan
      </a>
      <Header state={state} server={state.shown.facts} dispatch={dispatch} />
      <Banners state={state} server={state.shown.facts} dispatch={dispatch} threads={threads} />
      <div class={`columns ${state.view.kind}`}>
        <Side blocks={blocks} server={state.shown.facts} isReading={state.view.kind === "read"} />
        <Work state={state} server={state.shown.facts} dispatch={dispatch} blocks={blocks} threads={threads} />
      </div>
      <div class="bottom">
        <News state={state} server={state.server} dispatch={dispatch} />
        <Decision state={state} server={state.server} dispatch={dispatch} connection={connection} />
      </div>
      {state.open === "shortcuts" && (
        <Lazy load={() => import("./later.ts")}>{({ Shortcuts }) => <Shortcuts dispatch={dispatch} />}</Lazy>
      )}
    </>
  );
}

function useThreads(state: PageState): readonly Thread[] {
  const { drafts, replies, resolved } = state.words;
  const text = textOf(state);
  const facts = state.shown?.facts;
  return useMemo(
    () => (facts === undefined ? [] : threadsOf(facts, { drafts, replies, resolved }, text)),
    [facts, drafts, replies, resolved, text],
  );
}

function usePage(store: Store): PageState {
  const [state, setState] = useState(store.current());
  useEffect(() => {
    setState(store.current());
    return store.subscribe(setState);
  }, [store]);
  return state;
}

/** Once the title is out of sight, the head shows it. */
function watchScroll(): () => void {
  markScrolled();
  addEventListener("scroll", markScrolled, { passive: true });
  return () => removeEventListener("scroll", markScrolled);
}

function markScrolled(): void {
  document.body.classList.toggle("scrolled", scrollY > 120);
}
