/** Draws what stands among words: links, pictures, notes, the signs of details; whatever they say is seen. */
import { makeVisible } from "../../../../core/wire/visible.ts";
import type { Token } from "markdown-it";
import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { noteName } from "./marks.ts";
import { showText, type DrawingStyle } from "./paint.tsx";
import type { Node } from "./parse.ts";

/** A plan is approved by its words, and those of a picture are all seen; shown itself is only what the project has. */
export function drawImage({ token }: Node, { paint, pictures }: DrawingStyle): VNode {
  const source = String(token.attrGet("src") ?? "");
  const path = pictures === true ? localPath(source) : null;
  return (
    <span class="image">
      {path !== null && <Picture key={path} path={path} />}
      image: {token.content !== "" && paint(token.content, token)} {aside(source)}
      {titleOf(token)}
    </span>
  );
}

function Picture({ path }: { readonly path: string }): VNode | null {
  const [isThere, setThere] = useState(true);
  if (!isThere) return null;
  const address = `api/picture?path=${encodeURIComponent(path)}`;
  return <img src={address} alt="" loading="lazy" decoding="async" onError={() => setThere(false)} />;
}

/** Null for whatever is not a plain path. */
function localPath(source: string): string | null {
  if (/^(?:[a-z][a-z0-9+.-]*:|[/\\#?])/i.test(source)) return null;
  try {
    return decodeURIComponent(source);
  } catch {
    return null;
  }
}

/** Where a link leads, and the title that a mouse would uncover, stand beside its words. */
export function drawLink({ token, children }: Node, words: ComponentChildren): ComponentChildren {
  const address = String(token.attrGet("href") ?? "");
  const link = safeLink(address);
  if (link === null) {
    return (
      <span class="no-link">
        {words}
        {textOf(children) === address ? null : [" ", aside(address)]}
        {titleOf(token)}
      </span>
    );
  }
  const said = textOf(children);
  if (link.isInside) {
    const isPlain = link.href === `#${encodeURI(slugOf(said))}`;
    return [<a href={link.href}>{words}</a>, isPlain ? null : [" ", aside(link.href)], titleOf(token)];
  }
  return (
    <a href={link.href} target="_blank" rel="noopener noreferrer" title={makeVisible(link.href)}>
      {words}
      {said !== link.href && <span class="address">{showText(link.href)}</span>}
      {titleOf(token)}
    </a>
  );
}

interface SafeLink {
  /** Shown whole beside the words, unless it is them, so that they cannot lie about it (B19.3). */
  readonly href: string;
  /** A place in the plan itself. */
  readonly isInside: boolean;
}

/** Only pages of the web, and places in the plan itself; `null`: the link is shown as words. */
export function safeLink(href: string): SafeLink | null {
  if (href.startsWith("#")) return { href, isInside: true };
  if (!/^https?:\/\//i.test(href) || !URL.canParse(href)) return null;
  const { protocol, username, password } = new URL(href);
  if (protocol !== "https:" && protocol !== "http:") return null;
  if (username !== "" || password !== "") return null;
  return { href, isInside: false };
}

/** As those who write links to headings make them of their words. */
export function slugOf(words: string): string {
  return words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

/** Details are drawn open, between two signs; notes lead to where they are said, and back. */
export function drawMark(token: Token, { anchors, colours }: DrawingStyle): ComponentChildren {
  if (token.type === "fold") {
    const isEnd = token.content.startsWith("</");
    return (
      <span class="sign" title={token.content}>
        {isEnd ? "▴" : "▾ "}
      </span>
    );
  }
  const name = noteName(token);
  if (token.type === "note_ref") {
    return (
      <sup>
        <a href={`#^${name}`}>{showText(name)}</a>
      </sup>
    );
  }
  return (
    <span class="note">
      <span class="note-name" id={anchors && colours ? undefined : `^${name}`}>
        {showText(name)}
      </span>
      {anchors && colours && (
        <a href={`#^^${name}`} aria-label={`Back to where note ${name} is referred to`}>
          ↩
        </a>
      )}
    </span>
  );
}

export function textOf(nodes: readonly Node[]): string {
  return nodes.map(({ token, children }) => token.content + textOf(children)).join("");
}

function titleOf(token: Token): ComponentChildren {
  const title = token.attrGet("title");
  return title === null ? null : [" ", aside(`“${String(title)}”`)];
}

function aside(words: string): VNode {
  return (
    <span class="aside" dir="ltr">
      {showText(words)}
    </span>
  );
}
