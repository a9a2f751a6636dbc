/** Draws a plan's blocks as elements; no HTML of the plan ever reaches the document. */
import { makeVisible } from "../../../../core/wire/visible.ts";
import type { Token } from "markdown-it";
import type { ComponentChildren, VNode } from "preact";
import { CodeBlock } from "./code-block.tsx";
import { anchor, type DrawingStyle } from "./drawing.ts";
import { showText, type Paint } from "./paint.tsx";
import { inlineNodes, taskOf, type Node } from "./parse.ts";
import { safeLink } from "./safe-link.ts";
import { Table } from "./table.tsx";

/** One flat list: nested ones would each be a part of their own to compare. */
export function drawNodes(nodes: readonly Node[], drawing: DrawingStyle): ComponentChildren[] {
  return nodes.flatMap((node) => drawNode(node, drawing));
}

export function drawNode(node: Node, drawing: DrawingStyle): ComponentChildren {
  const { token, children } = node;
  const within = () => drawNodes(children, drawing);
  switch (token.type) {
    case "inline":
      return drawInline(inlineNodes(token), drawing);
    case "heading_open": {
      const Heading = headings[Number(token.tag.slice(1)) - 1] ?? "h6";
      return (
        <Heading dir="auto" id={drawing.anchors ? headingId(node) : undefined} {...anchor(node, drawing)}>
          {within()}
        </Heading>
      );
    }
    case "paragraph_open":
      return token.hidden ? (
        within()
      ) : (
        <p dir="auto" {...anchor(node, drawing)}>
          {within()}
        </p>
      );
    case "bullet_list_open":
      return <ul class={node.children.some((item) => taskOf(item) !== null) ? "tasks" : undefined}>{within()}</ul>;
    case "ordered_list_open":
      return <ol start={node.start ?? Number(token.attrGet("start") ?? 1)}>{within()}</ol>;
    case "list_item_open":
      return drawItem(node, drawing);
    case "blockquote_open":
      return <blockquote>{within()}</blockquote>;
    case "table_open":
      return <Table node={node} drawing={drawing} draw={drawNode} />;
    case "hr":
      return <hr />;
    case "fence":
    case "code_block":
      return <CodeBlock node={node} drawing={drawing} />;
    default:
      return children.length > 0 ? within() : drawing.paint(token.content, token);
  }
}

function headingId(node: Node): string {
  return `line-${node.from}`;
}

function drawItem(node: Node, drawing: DrawingStyle): VNode {
  const nested = node.children.find(({ token }) => token.type.endsWith("_list_open"));
  const own = { from: node.from, to: nested === undefined ? node.to : Math.max(node.from, nested.from - 1) };
  const done = taskOf(node);
  return (
    <li dir="auto" class={done === null ? undefined : "task"} {...anchor(own, drawing)}>
      {done !== null && <input type="checkbox" checked={done} disabled aria-label={done ? "done" : "to do"} />}
      {drawNodes(node.children, drawing)}
    </li>
  );
}

function drawInline(nodes: readonly Node[], drawing: DrawingStyle): ComponentChildren {
  return nodes.flatMap((node) => drawSpan(node, drawing));
}

function drawSpan(node: Node, drawing: DrawingStyle): ComponentChildren {
  const { token, children } = node;
  const { paint } = drawing;
  const within = () => drawInline(children, drawing);
  switch (token.type) {
    case "softbreak":
      return paint("\n", token);
    case "hardbreak":
      return [<br />, paint("\n", token)];
    case "code_inline":
      return <code>{paint(token.content, token)}</code>;
    case "strong_open":
      return <strong>{within()}</strong>;
    case "em_open":
      return <em>{within()}</em>;
    case "s_open":
      return <s>{within()}</s>;
    case "link_open":
      return drawLink(node, within());
    case "image":
      return drawImage(node, paint);
    default:
      return paint(token.content, token);
  }
}

/** Pictures are not loaded: a plan is approved by its words, and those of a picture are all seen. */
function drawImage({ token }: Node, paint: Paint): VNode {
  const source = String(token.attrGet("src") ?? "");
  return (
    <span class="image">
      image: {token.content !== "" && paint(token.content, token)} {aside(source)}
      {titleOf(token)}
    </span>
  );
}

/** Where a link leads, and the title that a mouse would uncover, stand beside its words. */
function drawLink({ token, children }: Node, words: ComponentChildren): ComponentChildren {
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
  if (link.host === "") {
    return [<a href={link.href}>{words}</a>, link.href.length > longestPlace ? aside(link.href) : null, titleOf(token)];
  }
  return (
    <a href={link.href} target="_blank" rel="noopener noreferrer" title={makeVisible(link.href)}>
      {words}
      <span class="host">{link.host}</span>
      {titleOf(token)}
    </a>
  );
}

const longestPlace = 60;

function textOf(nodes: readonly Node[]): string {
  return nodes.map(({ token, children }) => token.content + textOf(children)).join("");
}

function titleOf(token: Token): ComponentChildren {
  const title = token.attrGet("title");
  return title === null ? null : [" ", aside(`“${String(title)}”`)];
}

function aside(words: string): VNode {
  return <span class="aside">{showText(words)}</span>;
}

const headings = ["h1", "h2", "h3", "h4", "h5", "h6"] as const;
