/** Draws a plan's blocks as elements; no HTML of the plan ever reaches the document. */
import { makeVisible } from "../../../../core/visible.ts";
import { Fragment, type ComponentChildren, type VNode } from "preact";
import { CodeBlock } from "./code-block.tsx";
import { anchor, type Drawing } from "./drawing.ts";
import type { Paint } from "./paint.tsx";
import { inlineNodes, taskOf, type Node } from "./parse.ts";
import { safeLink } from "./safe-link.ts";
import { Table } from "./table.tsx";

export function drawNode(node: Node, drawing: Drawing): ComponentChildren {
  const { token, children } = node;
  const within = () => children.map((child) => drawNode(child, drawing));
  switch (token.type) {
    case "inline":
      return drawInline(inlineNodes(token), drawing);
    case "heading_open": {
      const Heading = headings[Number(token.tag.slice(1)) - 1] ?? "h6";
      return (
        <Heading id={drawing.anchors ? headingId(node) : undefined} {...anchor(node, drawing)}>
          {within()}
        </Heading>
      );
    }
    case "paragraph_open":
      return token.hidden ? within() : <p {...anchor(node, drawing)}>{within()}</p>;
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

export function headingId(node: Node): string {
  return `line-${node.from}`;
}

function drawItem(node: Node, drawing: Drawing): VNode {
  const nested = node.children.find(({ token }) => token.type.endsWith("_list_open"));
  const own = { from: node.from, to: nested === undefined ? node.to : Math.max(node.from, nested.from - 1) };
  const done = taskOf(node);
  return (
    <li class={done === null ? undefined : "task"} {...anchor(own, drawing)}>
      {done !== null && <input type="checkbox" checked={done} disabled aria-label={done ? "done" : "to do"} />}
      {node.children.map((child) => drawNode(child, drawing))}
    </li>
  );
}

function drawInline(nodes: readonly Node[], drawing: Drawing): ComponentChildren {
  return nodes.map((node, index) => <Fragment key={index}>{drawSpan(node, drawing)}</Fragment>);
}

function drawSpan(node: Node, drawing: Drawing): ComponentChildren {
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
      return drawLink(String(token.attrGet("href") ?? ""), within());
    case "image":
      return drawImage(node, paint);
    default:
      return paint(token.content, token);
  }
}

/** Pictures are not loaded: a plan is approved by its words. */
function drawImage({ token }: Node, paint: Paint): VNode {
  const source = makeVisible(String(token.attrGet("src") ?? ""));
  return (
    <span class="image" title={source}>
      image: {token.content === "" ? source : paint(token.content, token)}
    </span>
  );
}

function drawLink(href: string, words: ComponentChildren): ComponentChildren {
  const link = safeLink(href);
  if (link === null) return <span class="no-link">{words}</span>;
  if (link.host === "") return <a href={link.href}>{words}</a>;
  return (
    <a href={link.href} target="_blank" rel="noopener noreferrer" title={makeVisible(link.href)}>
      {words}
      <span class="host">{link.host}</span>
    </a>
  );
}

const headings = ["h1", "h2", "h3", "h4", "h5", "h6"] as const;
