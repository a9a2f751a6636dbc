/** A table of a plan; a huge one shows its first rows, the rest on request. */
import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { anchor, type DrawingStyle } from "./drawing.ts";
import type { Node } from "./parse.ts";

const cellsAtFirst = 3000;

interface TableProps {
  readonly node: Node;
  readonly drawing: DrawingStyle;
  readonly draw: (node: Node, drawing: DrawingStyle) => ComponentChildren;
}

export function Table({ node, drawing, draw }: TableProps): VNode {
  const [whole, setWhole] = useState(false);
  const head = rowsOf(node, "thead_open");
  const body = rowsOf(node, "tbody_open");
  const columns = head[0]?.children.length ?? 1;
  const shown = whole ? body : body.slice(0, Math.max(10, Math.ceil(cellsAtFirst / columns)));
  const drawRow = (row: Node, Cell: "th" | "td"): VNode => (
    <tr key={row.from} {...anchor(row, drawing)}>
      {row.children.map((cell) => (
        <Cell dir="auto" class={alignment(cell)}>
          {cell.children.map((child) => draw(child, drawing))}
        </Cell>
      ))}
    </tr>
  );
  return (
    <div class="table" role="region" aria-label="Table" tabIndex={0}>
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
