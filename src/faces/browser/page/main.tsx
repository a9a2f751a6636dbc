/** Starts the page. */
import { render } from "preact";
import { App } from "./view/app.tsx";
import { connect } from "./connection.ts";
import { keepWords } from "./keeping.ts";
import { createStore } from "./store.ts";

const store = createStore();
keepWords(store, localStorage);
const connection = connect(store);
const root = document.getElementById("page")!;
root.replaceChildren();
render(<App store={store} connection={connection} />, root);
