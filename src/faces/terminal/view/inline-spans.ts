/** What stands within a line of Markdown: code, emphasis, links; a mark without its partner is text like any other. */
import type { StyledSpan } from "./spans.ts";
import type { Style, Theme } from "./theme.ts";

/** `around` is the style of the line that it stands in. */
export function inlineSpans(text: string, theme: Theme, around?: Style): readonly StyledSpan[] {
  const spans: StyledSpan[] = [];
  let at = 0;
  for (const match of text.matchAll(inline)) {
    const { code, tick, strong, soft, struck, label, url } = match.groups as Partial<Record<string, string>>;
    spans.push(...plainSpan(text.slice(at, match.index), around));
    at = match.index + match[0].length;
    if (code !== undefined)
      spans.push({ text: theme.name === "none" ? `${tick}${code}${tick}` : code, style: over(theme.code, around) });
    else if (strong !== undefined) spans.push(...inlineSpans(strong, theme, over(theme.bold, around)));
    else if (soft !== undefined) spans.push(...inlineSpans(soft, theme, over(theme.italic, around)));
    else if (struck !== undefined) spans.push(...inlineSpans(struck, theme, over(theme.struck, around)));
    else spans.push({ text: label!, style: over(theme.link, around) }, ...addressSpan(label!, url!, theme));
  }
  const rest = plainSpan(text.slice(at), around);
  return spans.length === 0 && rest.length === 0 ? [{ text: "" }] : [...spans, ...rest];
}

/** A line that a highlighter coloured, as spans; anything but colours in it makes it no longer equal to its code. */
export function spansOfStyled(line: string): readonly StyledSpan[] {
  const spans: StyledSpan[] = [];
  let codes = "";
  for (const part of line.split(/(\u001B\[[\d;]*m)/)) {
    if (part.startsWith("\u001B[")) codes = /^\u001B\[0?m$/.test(part) ? "" : codes + part;
    else if (part !== "") spans.push(codes === "" ? { text: part } : { text: part, style: coloured(codes) });
  }
  return spans;
}

const inline =
  /(?<tick>`+)(?<code>[^`](?:.*?[^`])?)\k<tick>(?!`)|\*\*(?<strong>\S(?:.*?\S)?)\*\*|(?<![\w*])\*(?<soft>[^\s*](?:[^*]*[^\s*])?)\*(?![\w*])|~~(?<struck>\S(?:.*?\S)?)~~|(?<!!)\[(?<label>[^[\]]+)\]\((?<url>[^()\s]+)\)/g;

function plainSpan(text: string, style: Style | undefined): readonly StyledSpan[] {
  if (text === "") return [];
  return [style === undefined ? { text } : { text, style }];
}

/** The address is always shown: a link may say one thing and lead to another. */
function addressSpan(label: string, url: string, theme: Theme): readonly StyledSpan[] {
  return label === url ? [] : [{ text: ` (${url})`, style: theme.dim }];
}

function over(inner: Style, outer: Style | undefined): Style {
  return outer === undefined ? inner : (text) => outer(inner(text));
}

function coloured(codes: string): Style {
  return (text) => `${codes}${text}\u001B[0m`;
}
