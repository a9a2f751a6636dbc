/** Markdown for the editor, from the bare parser: no nested languages, a third of the size. */
import { defineLanguageFacet, HighlightStyle, Language, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { tags } from "@lezer/highlight";
import { GFM, parser } from "@lezer/markdown";

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
