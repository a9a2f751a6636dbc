/** Text out of HTML in one pass: headings, links, lists, tables and code stay, the rest of the page's make-up goes. */
import { Tokenizer } from "htmlparser2";

/** By the tokens alone: what keeps a stack of open elements takes minutes for a page of a million of them. */
export function htmlToText(html: string, base: string): string {
  const out = createOutput();
  let link: { readonly href: string | null; readonly from: number } | undefined;
  let hidden = "";
  let tag: StartTag = { name: "", values: new Map() };
  let value = { name: "", text: "" };
  const named = (from: number, to: number): string => html.slice(from, to).toLowerCase();
  const say = (text: string): void => {
    if (hidden === "") out.text(text);
  };
  const opened = (): void => {
    if (hidden !== "") return;
    if (dropped.has(tag.name)) hidden = tag.name;
    else if (tag.name === "a") link = { href: linkOf(tag, base), from: out.length() };
    else mark(out, tag);
  };
  const tokenizer = new Tokenizer(
    { recognizeSelfClosing: true },
    {
      onopentagname: (from, to) => void (tag = { name: named(from, to), values: new Map() }),
      onattribname: (from, to) => void (value = { name: named(from, to), text: "" }),
      onattribdata: (from, to) => void (value.text += html.slice(from, to)),
      onattribentity: (code) => void (value.text += String.fromCodePoint(code)),
      onattribend: () => void tag.values.set(value.name, tag.values.get(value.name) ?? value.text),
      onopentagend: opened,
      onselfclosingtag: () => (dropped.has(tag.name) ? undefined : opened()),
      onclosetag(from, to) {
        const name = named(from, to);
        if (hidden !== "") hidden = name === hidden ? "" : hidden;
        else if (name !== "a") mark(out, { name });
        else {
          if (link !== undefined && link.href !== null) out.wrap(link.from, "[", `](${link.href})`);
          link = undefined;
        }
      },
      ontext: (from, to) => say(html.slice(from, to)),
      ontextentity: (code) => say(String.fromCodePoint(code)),
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onprocessinginstruction: nothing,
      onend: nothing,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return out.result();
}

function nothing(): void {}

interface StartTag {
  readonly name: string;
  readonly values: Map<string, string>;
}

const dropped = new Set(["script", "style", "noscript", "template", "svg", "iframe", "object", "select", "canvas"]);

function linkOf({ values }: StartTag, base: string): string | null {
  const href = values.get("href")?.trim() ?? "";
  if (href === "" || href.startsWith("#")) return null;
  const url = URL.canParse(href, base) ? new URL(href, base) : null;
  return url === null || !/^https?:$/.test(url.protocol) ? null : url.href;
}

const blocks = new Set(
  (
    "p div section article header footer main nav aside figure figcaption form fieldset blockquote dl dt dd ul ol table thead tbody " +
    "address details summary title body html"
  ).split(" "),
);

/** Without values it is the end of one. */
function mark(out: Output, { name, values }: Pick<StartTag, "name"> & Partial<StartTag>): void {
  const isEnd = values === undefined;
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
  else if (name === "img" && !isEnd) out.text(values.get("alt") ?? "");
  else if (blocks.has(name)) out.breakLine(name === "p" || name === "blockquote" ? 2 : 1);
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
      const flowed = text.replaceAll("\u00AD", "").replace(/\s+/g, " ");
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
