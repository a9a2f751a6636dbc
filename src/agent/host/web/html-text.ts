/** Text out of HTML in one pass: headings, links, lists, tables and code stay, the rest of the page's make-up goes. */
import { decodeEntities } from "./html-entities.ts";

export function htmlToText(html: string, base: string): string {
  const out = createOutput();
  let link: Link | undefined;
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    const end = open < 0 ? html.length : open;
    if (end > at) out.text(decodeEntities(html.slice(at, end)));
    if (open < 0) break;
    const tag = tagAt(html, open);
    at = tag.end;
    if (tag.name === "" || tag.name.startsWith("!")) {
      if (tag.name === "") out.text("<");
      continue;
    }
    if (dropped.has(tag.name) && !tag.isEnd) {
      at = afterElement(html, tag);
      continue;
    }
    if (tag.name === "a") {
      if (link !== undefined && tag.isEnd) closeLink(out, link);
      link = tag.isEnd ? undefined : { href: linkOf(tag.attributes, base), from: out.length() };
    } else mark(out, tag);
  }
  return out.result();
}

interface Link {
  readonly href: string | null;
  readonly from: number;
}

interface Tag {
  readonly name: string;
  readonly isEnd: boolean;
  readonly attributes: string;
  readonly end: number;
}

/** An empty name: this `<` begins no tag. */
function tagAt(html: string, open: number): Tag {
  if (html.startsWith("<!--", open)) {
    const close = html.indexOf("-->", open + 4);
    return { name: "!", isEnd: false, attributes: "", end: close < 0 ? html.length : close + 3 };
  }
  const isEnd = html[open + 1] === "/";
  const name = /^[a-zA-Z!?][^\s/>]*/.exec(html.slice(open + (isEnd ? 2 : 1), open + 40))?.[0].toLowerCase();
  if (name === undefined) return { name: "", isEnd: false, attributes: "", end: open + 1 };
  const close = endOfTag(html, open);
  return {
    name: name.replace(/^\?/, "!"),
    isEnd,
    attributes: html.slice(open + 1 + name.length, close),
    end: close + 1,
  };
}

/** A `>` inside quotes does not count. */
function endOfTag(html: string, open: number): number {
  let quote = "";
  for (let at = open; at < html.length && at < open + 2000; at += 1) {
    const char = html[at]!;
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === ">") return at;
    else if ((char === '"' || char === "'") && html[at - 1] === "=") quote = char;
  }
  const plain = html.indexOf(">", open);
  return plain < 0 ? html.length : plain;
}

const dropped = new Set(["script", "style", "noscript", "template", "svg", "iframe", "object", "select", "canvas"]);

function afterElement(html: string, { name, attributes, end }: Tag): number {
  if (attributes.endsWith("/")) return end;
  const close = new RegExp(`</${name}[\\s/>]`, "i");
  const found = html.slice(end).search(close);
  if (found < 0) return html.length;
  const after = html.indexOf(">", end + found);
  return after < 0 ? html.length : after + 1;
}

function linkOf(attributes: string, base: string): string | null {
  const match = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(attributes);
  const href = decodeEntities(match?.[1] ?? match?.[2] ?? match?.[3] ?? "").trim();
  if (href === "" || href.startsWith("#")) return null;
  const url = URL.canParse(href, base) ? new URL(href, base) : null;
  return url === null || !/^https?:$/.test(url.protocol) ? null : url.href;
}

function closeLink(out: Output, link: Link): void {
  if (link.href !== null) out.wrap(link.from, "[", `](${link.href})`);
}

const blocks = new Set(
  (
    "p div section article header footer main nav aside figure figcaption form fieldset blockquote dl dt dd ul ol table thead tbody " +
    "address details summary title body html"
  ).split(" "),
);

function mark(out: Output, { name, isEnd, attributes }: Tag): void {
  const heading = /^h([1-6])$/.exec(name);
  if (heading !== null) {
    out.breakLine(2);
    if (!isEnd) out.raw(`${"#".repeat(Number(heading[1]))} `);
  } else if (name === "li") {
    out.breakLine(1);
    if (!isEnd) out.raw("- ");
  } else if (name === "pre") {
    out.breakLine(isEnd ? 1 : 2);
    out.raw("```");
    out.verbatim(!isEnd);
    out.breakLine(isEnd ? 2 : 1);
  } else if (name === "code" && !out.isVerbatim()) out.raw("`");
  else if (name === "br" || name === "tr") out.breakLine(1);
  else if (name === "hr") out.breakLine(2);
  else if ((name === "td" || name === "th") && isEnd) out.raw(" | ");
  else if (name === "img" && !isEnd) {
    const alt = /\salt\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(attributes);
    out.text(decodeEntities(alt?.[1] ?? alt?.[2] ?? ""));
  } else if (blocks.has(name)) out.breakLine(name === "p" || name === "blockquote" ? 2 : 1);
}

type Output = ReturnType<typeof createOutput>;

function createOutput() {
  const parts: string[] = [];
  let isVerbatim = false;
  let isAtStart = true;
  let breaks = 2;
  const push = (text: string): void => {
    if (text === "") return;
    parts.push(text);
    isAtStart = /\s$/.test(text);
    breaks = 0;
  };
  return {
    text(text: string): void {
      if (isVerbatim) return push(text);
      const flowed = text.replace(/\s+/g, " ");
      push(isAtStart ? flowed.trimStart() : flowed);
    },
    raw: push,
    /** At least so many line ends between what was and what comes. */
    breakLine(lines: 1 | 2): void {
      const ends = Math.max(lines, breaks);
      push("\n".repeat(ends - breaks));
      breaks = ends;
    },
    verbatim(on: boolean): void {
      isVerbatim = on;
    },
    isVerbatim: (): boolean => isVerbatim,
    length: (): number => parts.length,
    /** Puts marks around what came since; nothing around nothing. */
    wrap(from: number, before: string, after: string): void {
      const inner = parts.splice(from).join("");
      push(inner.trim() === "" ? inner : `${before}${inner.trim()}${after}${/\s$/.test(inner) ? " " : ""}`);
    },
    result: (): string =>
      parts
        .join("")
        .split("\n")
        .map((line) => line.trimEnd())
        .join("\n")
        .replace(/\n{3,}/g, "\n\n")
        .trim(),
  };
}
