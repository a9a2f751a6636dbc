/** Where the boxes of a flowchart stand: in ranks along its direction, each beside those that lead to it. */
import type { DrawnDiagram, Shape } from "./shapes.ts";
import type { FlowEdge, FlowNode, Flowchart } from "./flowchart.ts";
import { arrowHead, boxPath, diamondPath, wordsAt, widthOf } from "./pieces.ts";

interface Placed extends FlowNode {
  readonly width: number;
  readonly height: number;
  readonly x: number;
  readonly y: number;
}

export function drawFlowchart({ direction, nodes, edges }: Flowchart): DrawnDiagram {
  const isAcross = direction === "LR" || direction === "RL";
  const ranks = ordered(ranksOf(nodes, edges), edges);
  const rows = direction === "BT" || direction === "RL" ? ranks.toReversed() : ranks;
  const placed = place(rows, isAcross);
  const ways = edges.map(({ from, to }) =>
    wayAround(placed.get(from)!, placed.get(to)!, [...placed.values()], isAcross),
  );
  const side = Math.max(0, ...ways.map((way) => way ?? 0));
  const right = Math.max(...[...placed.values()].map((node) => node.x + node.width / 2)) + margin;
  const bottom = Math.max(...[...placed.values()].map((node) => node.y + node.height / 2)) + margin;
  const width = isAcross ? right : Math.max(right, side);
  const height = isAcross ? Math.max(bottom, side) : bottom;
  const lines = edges.flatMap((edge) => drawEdge(edge, placed, isAcross));
  return { width, height, shapes: [...lines, ...[...placed.values()].flatMap(drawNode)] };
}

const margin = 12;
const gap = 28;
const rankGap = 54;

/** By the longest way from a beginning; an edge that leads back counts for nothing. */
function ranksOf(nodes: readonly FlowNode[], edges: readonly FlowEdge[]): readonly (readonly FlowNode[])[] {
  const rank = new Map<string, number>();
  const onWay = new Set<string>();
  const visit = (id: string): number => {
    const known = rank.get(id);
    if (known !== undefined) return known;
    onWay.add(id);
    const before = edges.filter(({ from, to }) => to === id && from !== id && !onWay.has(from));
    const own = Math.max(0, ...before.map(({ from }) => visit(from) + 1));
    onWay.delete(id);
    rank.set(id, own);
    return own;
  };
  for (const { id } of nodes.toReversed()) visit(id);
  const rows: FlowNode[][] = [];
  for (const node of nodes) (rows[rank.get(node.id)!] ??= []).push(node);
  return rows.filter((row) => row !== undefined);
}

/** Each in the middle of those that lead to it. */
function ordered(rows: readonly (readonly FlowNode[])[], edges: readonly FlowEdge[]): readonly (readonly FlowNode[])[] {
  const at = new Map<string, number>();
  const wish = (node: FlowNode, index: number): number => {
    const before = edges.flatMap(({ from, to }) => (to === node.id && at.has(from) ? [at.get(from)!] : []));
    return before.length === 0 ? index : before.reduce((sum, each) => sum + each, 0) / before.length;
  };
  return rows.map((row) => {
    const wished = row.map((node, index) => ({ node, wish: wish(node, index) }));
    const sorted = wished.toSorted((one, other) => one.wish - other.wish).map(({ node }) => node);
    for (const [index, { id }] of sorted.entries()) at.set(id, index);
    return sorted;
  });
}

function place(rows: readonly (readonly FlowNode[])[], isAcross: boolean): ReadonlyMap<string, Placed> {
  const sized = rows.map((row) => row.map((node) => ({ ...node, ...sizeOf(node) })));
  const along = (node: Pick<Placed, "width" | "height">): number => (isAcross ? node.height : node.width);
  const deep = (node: Pick<Placed, "width" | "height">): number => (isAcross ? node.width : node.height);
  const lengths = sized.map((row) => row.reduce((sum, node) => sum + along(node) + gap, -gap));
  const longest = Math.max(...lengths);
  const placed = new Map<string, Placed>();
  let depth = margin;
  for (const [index, row] of sized.entries()) {
    const most = Math.max(...row.map(deep));
    let start = margin + (longest - lengths[index]!) / 2;
    for (const node of row) {
      const [across, down] = [start + along(node) / 2, depth + most / 2];
      placed.set(node.id, { ...node, x: isAcross ? down : across, y: isAcross ? across : down });
      start += along(node) + gap;
    }
    depth += most + rankGap;
  }
  return placed;
}

function sizeOf({ text, shape }: FlowNode): Pick<Placed, "width" | "height"> {
  const lines = text.split("\n");
  const [width, height] = [Math.max(40, ...lines.map(widthOf)) + 24, lines.length * 18 + 18];
  return shape === "diamond" ? { width: width * 1.35, height: height * 1.6 } : { width, height };
}

function drawNode(node: Placed): readonly Shape[] {
  const d = node.shape === "diamond" ? diamondPath(node) : boxPath(node, node.shape === "round" ? 16 : 4);
  return [{ kind: "path", d, look: "box" }, ...wordsAt(node.text, node)];
}

function drawEdge(edge: FlowEdge, placed: ReadonlyMap<string, Placed>, isAcross: boolean): readonly Shape[] {
  const [from, to] = [placed.get(edge.from)!, placed.get(edge.to)!];
  const around = wayAround(from, to, [...placed.values()], isAcross);
  const [start, end] = around === null ? forwardEnds(from, to, isAcross) : sideEnds(from, to, isAcross);
  const half = isAcross ? { x: (end.x - start.x) / 2, y: 0 } : { x: 0, y: (end.y - start.y) / 2 };
  const [one, other] =
    around === null
      ? [
          { x: start.x + half.x, y: start.y + half.y },
          { x: end.x - half.x, y: end.y - half.y },
        ]
      : [start, end].map(({ x, y }) => (isAcross ? { x, y: around } : { x: around, y }));
  const d = `M${start.x} ${start.y} C${one!.x} ${one!.y} ${other!.x} ${other!.y} ${end.x} ${end.y}`;
  const line: Shape = { kind: "path", d, look: edge.isDotted ? "dotted" : "line" };
  const head: readonly Shape[] = edge.hasHead ? [{ kind: "path", d: arrowHead(other!, end), look: "head" }] : [];
  const middle = {
    x: (start.x + 3 * one!.x + 3 * other!.x + end.x) / 8,
    y: (start.y + 3 * one!.y + 3 * other!.y + end.y) / 8,
  };
  return [line, ...head, ...(edge.text === "" ? [] : wordsAt(edge.text, middle, true))];
}

/** How far a line must bend to the side: where it leads back, or others stand in its way. Null where it goes straight. */
function wayAround(from: Placed, to: Placed, nodes: readonly Placed[], isAcross: boolean): number | null {
  const depth = ({ x, y }: Point): number => (isAcross ? x : y);
  const outer = (node: Placed): number => (isAcross ? node.y + node.height / 2 : node.x + node.width / 2);
  const [low, high] = [Math.min(depth(from), depth(to)), Math.max(depth(from), depth(to))];
  const between = nodes.filter((node) => depth(node) > low + 1 && depth(node) < high - 1);
  if (depth(to) > depth(from) && between.length === 0) return null;
  return (
    (Math.max(...[from, to, ...between].map(outer)) - Math.min(outer(from), outer(to))) / 0.75 +
    Math.min(outer(from), outer(to)) +
    36
  );
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function forwardEnds(from: Placed, to: Placed, isAcross: boolean): readonly [Point, Point] {
  return isAcross
    ? [
        { x: from.x + from.width / 2, y: from.y },
        { x: to.x - to.width / 2, y: to.y },
      ]
    : [
        { x: from.x, y: from.y + from.height / 2 },
        { x: to.x, y: to.y - to.height / 2 },
      ];
}

function sideEnds(from: Placed, to: Placed, isAcross: boolean): readonly [Point, Point] {
  return isAcross
    ? [
        { x: from.x, y: from.y + from.height / 2 },
        { x: to.x + (from === to ? 14 : 0), y: to.y + to.height / 2 },
      ]
    : [
        { x: from.x + from.width / 2, y: from.y },
        { x: to.x + to.width / 2, y: to.y + (from === to ? 10 : 0) },
      ];
}
