/** The page of all plans that wait. It listens in a hidden tab too: its title and its sign tell how many there are. */
import type { WaitingState } from "../../server/waiting-wire.ts";
import { countOf, drawRow, newsOf, titleOf } from "./rows.ts";

function openList(): void {
  let shown: WaitingState | null = null;
  let events: EventSource | null = null;
  const retry = { timer: 0, waits: 500 };

  const fetchState = async (): Promise<void> => {
    const response = await fetch("api/state");
    if (response.status === 401) return say(unknownPage);
    if (!response.ok) throw new Error("no state");
    const state = (await response.json()) as WaitingState;
    if (shown !== null && state.version < shown.version) return;
    shown = state;
    retry.waits = 500;
    draw(shown);
  };

  /** The program may be started again at the same place: it is asked ever more slowly. */
  const lose = (): void => {
    events?.close();
    events = null;
    say("The program does not answer; groundplan review --waiting starts it.");
    clearTimeout(retry.timer);
    retry.timer = window.setTimeout(listen, retry.waits);
    retry.waits = Math.min(retry.waits * 1.6, slowest);
  };

  const listen = (): void => {
    events?.close();
    events = new EventSource("api/events");
    events.addEventListener("changed", () => void fetchState().catch(lose));
    events.addEventListener("gone", lose);
    events.addEventListener("error", lose);
  };

  listen();
  /** Ages alone: nothing is asked for. */
  setInterval(() => shown !== null && !document.hidden && draw(shown), ageMs);
  document.addEventListener("visibilitychange", () => document.hidden || void fetchState().catch(lose));
}

const slowest = 30_000;
const ageMs = 30_000;
const unknownPage = "This page is no longer known to the program: run groundplan review --waiting for a new link.";

function draw(state: WaitingState): void {
  const now = Date.now();
  const rows = (isLive: boolean): HTMLLIElement[] =>
    state.plans.filter(({ live }) => live === isLive).map((plan) => drawRow(plan, now));
  const later = rows(false);
  put("plans", rows(true));
  put("rest", later);
  element("later").hidden = later.length === 0;
  const count = countOf(state);
  say(newsOf(count, later.length));
  document.title = titleOf(count);
  const sign = document.querySelector("link[rel=icon]")!;
  const address = `api/sign.svg?n=${count}`;
  if (sign.getAttribute("href") !== address) sign.setAttribute("href", address);
}

/** What has the focus keeps it. */
function put(id: string, rows: readonly HTMLLIElement[]): void {
  const list = element(id);
  const focused = list.contains(document.activeElement) ? document.activeElement!.getAttribute("href") : null;
  list.replaceChildren(...rows);
  const again = [...list.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused);
  again?.focus();
}

function say(words: string): void {
  if (element("news").textContent !== words) element("news").textContent = words;
}

function element(id: string): HTMLElement {
  return document.getElementById(id)!;
}

openList();
