/** Keeps the page's value: events in, listeners told. */
import { opening, type PageState } from "./state.ts";
import { update, type PageHappening } from "./update.ts";

export interface Store {
  readonly current: () => PageState;
  readonly dispatch: (event: PageHappening) => void;
  readonly subscribe: (listener: (state: PageState) => void) => () => void;
}

export function createStore(): Store {
  let state = opening;
  const listeners = new Set<(state: PageState) => void>();
  return {
    current: () => state,
    dispatch(event) {
      state = update(state, event);
      for (const listener of listeners) listener(state);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
