/** Starts the page. */
import { render } from "preact";
import { App } from "./view/app.tsx";
import { connect } from "./connection.ts";
import { keepWords } from "./keeping.ts";
import { createStore } from "./store.ts";

/** By then the plan is read: the first difference, or edit, should not wait for its code. */
const laterMs = 1500;

const store = createStore();
keepWords(store, localStorage);
const connection = connect(store);
const root = document.getElementById("page")!;
root.replaceChildren();
setTimeout(() => void import("./view/later.ts").catch(() => undefined), laterMs);
render(<App store={store} connection={connection} />, root);
