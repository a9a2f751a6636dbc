/** Everything that is not needed to read a plan, in one file that is loaded when the first of it is wanted. */
export { Cards } from "../comments/cards.tsx";
export { SuggestBox } from "../comments/suggest-box.tsx";
export { Compare } from "../diff/compare.tsx";
export { countChanges } from "../diff/lines.ts";
export { EditorPane } from "../editor/pane.tsx";
export { Shortcuts } from "./shortcuts.tsx";
