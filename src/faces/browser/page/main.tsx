/** Starts the page. */
import { render } from "preact";
import { App } from "./view/app.tsx";
import { connect } from "./connection.ts";
import { keepWords } from "./keeping.ts";
import { createStore } from "./store.ts";

const store = createStore();
keepWords(store, localStorage);
armAfterReading();
const connection = connect(store);
const root = document.getElementById("page")!;
root.replaceChildren();
render(<App store={store} connection={connection} />, root);

/** A text that has just appeared cannot be answered by a click or key that was meant for something else (B2.4). */
function armAfterReading(): void {
  let waitsFor: string | null = null;
  store.subscribe(({ shown }) => {
    if (shown === null || shown.armed || shown.hash === waitsFor) return;
    const { hash } = shown;
    waitsFor = hash;
    setTimeout(() => {
      waitsFor = null;
      store.dispatch({ type: "armed", hash });
    }, 400);
  });
}
