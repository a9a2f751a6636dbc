/** Draws a plan's blocks as elements; no HTML of the plan ever reaches the document. */
import type { Token } from "markdown-it";
import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { CodeBlock } from "./code-block.tsx";
import { drawImage, drawLink, drawMark, textOf } from "./draw-words.tsx";
import { anchor, type DrawingStyle, type Paint } from "./paint.tsx";
import { inlineNodes, taskOf, type Node } from "./parse.ts";

/** One flat list: nested ones would each be a part of their own to compare. */
export function drawNodes(nodes: readonly Node[], drawing: DrawingStyle): ComponentChildren[] {
  return nodes.flatMap((node) => drawNode(node, drawing));
}

export function drawNode(node: Node, drawing: DrawingStyle): ComponentChildren {
  const { token, children } = node;
  const { paint } = drawing;
  const within = () => drawNodes(children, drawing);
  switch (token.type) {
    case "inline":
      return drawNodes(inlineNodes(token), drawing);
    case "heading_open":
      return drawHeading(node, drawing);
    case "paragraph_open":
      return token.hidden ? (
        within()
      ) : (
        <p dir="auto" {...anchor(node, drawing)}>
          {within()}
        </p>
      );
    case "bullet_list_open":
      return (
        <ul dir={directionOf(node)} class={children.some((item) => taskOf(item) !== null) ? "tasks" : undefined}>
          {within()}
        </ul>
      );
    case "ordered_list_open":
      return (
        <ol dir={directionOf(node)} start={node.start ?? Number(token.attrGet("start") ?? 1)}>
          {within()}
        </ol>
      );
    case "list_item_open":
      return drawItem(node, drawing);
    case "blockquote_open":
      return <blockquote dir={directionOf(node)}>{within()}</blockquote>;
    case "table_open":
      return <Table node={node} drawing={drawing} />;
    case "hr":
      return <hr />;
    case "fence":
    case "code_block":
      return <CodeBlock node={node} drawing={drawing} />;
    case "softbreak":
      return paint("\n", token);
    case "hardbreak":
      return [<br />, paint("\n", token)];
    case "code_inline":
      return <code dir="ltr">{drawing.colours ? breakable(token, paint) : paint(token.content, token)}</code>;
    case "strong_open":
      return <strong>{within()}</strong>;
    case "em_open":
      return <em>{within()}</em>;
    case "s_open":
      return <s>{within()}</s>;
    case "link_open":
      return drawLink(node, within());
    case "image":
      return drawImage(node, drawing);
    case "summary_open":
      return <strong>{within()}</strong>;
    case "fold":
    case "note":
    case "note_ref":
      return isPlain(drawing) ? paint(token.content, token) : drawMark(token, drawing);
    default:
      return children.length > 0 ? within() : paint(token.content, token);
  }
}

function drawHeading(node: Node, drawing: DrawingStyle): VNode {
  const Heading = headings[Number(node.token.tag.slice(1)) - 1] ?? "h6";
  const address = `line-${node.from}`;
  return (
    <Heading dir="auto" id={drawing.anchors ? address : undefined} {...anchor(node, drawing)}>
      {drawNodes(node.children, drawing)}
      {drawing.anchors && drawing.colours && (
        <a class="permalink" href={`#${address}`} tabIndex={-1} aria-hidden="true" title="Link to this heading" />
      )}
    </Heading>
  );
}

/** Where changed words are marked, marks are text as any other. */
function isPlain({ colours, whole }: DrawingStyle): boolean {
  return !colours && whole !== true;
}

/** Long paths break behind their slashes. */
function breakable(token: Token, paint: Paint): ComponentChildren {
  const parts = token.content.length < 24 ? [token.content] : token.content.split(/(?<=\/)/);
  return parts.flatMap((part, index) => (index === 0 ? [paint(part, token)] : [<wbr />, paint(part, token)]));
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

const cellsAtFirst = 3000;

/** A huge one shows its first rows, the rest on request. */
function Table({ node, drawing }: { readonly node: Node; readonly drawing: DrawingStyle }): VNode {
  const [whole, setWhole] = useState(drawing.whole === true);
  const head = rowsOf(node, "thead_open");
  const body = rowsOf(node, "tbody_open");
  const columns = head[0]?.children.length ?? 1;
  const shown = whole ? body : body.slice(0, Math.max(10, Math.ceil(cellsAtFirst / columns)));
  const drawRow = (row: Node, Cell: "th" | "td"): VNode => (
    <tr key={row.from} {...anchor(row, drawing)}>
      {row.children.map((cell) => (
        <Cell dir="auto" class={alignment(cell)}>
          {drawNodes(cell.children, drawing)}
        </Cell>
      ))}
    </tr>
  );
  return (
    <div class="table" role="region" aria-label="Table" tabIndex={0} dir={directionOf(node)}>
      <table>
        <thead>{head.map((row) => drawRow(row, "th"))}</thead>
        <tbody>{shown.map((row) => drawRow(row, "td"))}</tbody>
      </table>
      {shown.length < body.length && (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          Show {body.length - shown.length} more rows
        </button>
      )}
    </div>
  );
}

function rowsOf(table: Node, part: string): readonly Node[] {
  return table.children.find(({ token }) => token.type === part)?.children ?? [];
}

function alignment({ token }: Node): string | undefined {
  const style = String(token.attrGet("style") ?? "");
  if (style.includes("right")) return "right";
  return style.includes("center") ? "centre" : undefined;
}

/** By the first letter that has one; code has none. */
function directionOf(node: Node): "rtl" | "ltr" {
  const words = textOf([node]).replace(/`[^`]*`/g, "");
  const letter = /\p{L}/u.exec(words)?.[0] ?? "";
  return /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/.test(letter) ? "rtl" : "ltr";
}

const headings = ["h1", "h2", "h3", "h4", "h5", "h6"] as const;
