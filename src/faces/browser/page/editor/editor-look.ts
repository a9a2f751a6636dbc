/** How the source looks: the page's own colours, which follow dark and light by themselves, on Markdown from the bare parser. */
import { defineLanguageFacet, HighlightStyle, Language, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { GFM, parser } from "@lezer/markdown";

/** No nested languages: a third of the size. */
export function markdownLanguage(): Extension {
  const facet = defineLanguageFacet({ commentTokens: { block: { open: "<!--", close: "-->" } } });
  return [new Language(facet, parser.configure([GFM]), [], "markdown"), syntaxHighlighting(style)];
}

const style = HighlightStyle.define([
  {
    tag: [tags.heading1, tags.heading2, tags.heading3, tags.heading4, tags.heading5, tags.heading6],
    fontWeight: "650",
    color: "var(--ink)",
  },
  { tag: tags.strong, fontWeight: "650" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: [tags.monospace, tags.labelName], color: "var(--code-string)" },
  { tag: [tags.link, tags.url], color: "var(--accent)" },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.meta], color: "var(--faint)" },
  { tag: tags.quote, color: "var(--soft)" },
  { tag: tags.atom, color: "var(--code-keyword)" },
]);

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
