/** The editor's look, from the page's own colours: they follow dark and light by themselves. */
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

export function editorTheme(): Extension {
  return EditorView.theme({
    "&": { color: "var(--ink)", backgroundColor: "transparent", fontSize: "0.875rem", height: "100%" },
    "&.cm-focused": { outline: "none" },
    ".cm-content": { fontFamily: "var(--mono)", lineHeight: "1.6", padding: "1rem 0", caretColor: "var(--ink)" },
    ".cm-gutters": { backgroundColor: "transparent", color: "var(--faint)", border: "none", fontFamily: "var(--mono)" },
    ".cm-lineNumbers .cm-gutterElement": { padding: "0 0.75rem 0 0.5rem", minWidth: "2.5rem" },
    ".cm-activeLine": { backgroundColor: "var(--wash)" },
    ".cm-cursor": { borderLeftColor: "var(--ink)" },
    "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
      backgroundColor: "var(--selection)",
    },
    ".cm-specialChar": { color: "var(--bad)", fontWeight: "700" },
    ".cm-scroller": { overflow: "auto" },
  });
}
