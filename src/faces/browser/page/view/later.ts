/** Everything that is not needed to read a plan and to say something of it, in one file that is loaded when the first of it is wanted. */
export { Compare } from "../diff/compare.tsx";
export { countChanges } from "../diff/lines.ts";
export { EditorPane } from "../editor/pane.tsx";
export { Shortcuts } from "./shortcuts.tsx";
