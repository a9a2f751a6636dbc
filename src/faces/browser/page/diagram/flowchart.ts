/** Mermaid's flowcharts, as far as plans use them: boxes, diamonds, arrows with words. */

export interface Flowchart {
  readonly direction: string;
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
}

export interface FlowNode {
  readonly id: string;
  readonly text: string;
  readonly shape: "box" | "round" | "diamond";
}

export interface FlowEdge {
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly isDotted: boolean;
  readonly hasHead: boolean;
}

/** Null where a line is not understood. */
export function flowchartIn(lines: readonly string[], direction: string): Flowchart | null {
  const nodes = new Map<string, FlowNode>();
  const edges: FlowEdge[] = [];
  for (const line of lines.flatMap((each) => each.split(";")).map((each) => each.trim())) {
    if (line === "" || /^(?:classDef|class|style|linkStyle)\s/.test(line)) continue;
    const found = statementIn(line, nodes);
    if (found === null) return null;
    edges.push(...found);
  }
  if (nodes.size === 0 || nodes.size > mostNodes || edges.length > mostEdges) return null;
  return { direction, nodes: [...nodes.values()], edges };
}

const mostNodes = 80;
const mostEdges = 160;

/** `A & B -->|words| C --> D`; null where it is something else. */
function statementIn(line: string, nodes: Map<string, FlowNode>): readonly FlowEdge[] | null {
  const edges: FlowEdge[] = [];
  let left = groupAt(line, nodes);
  if (left === null) return null;
  while (left.rest !== "") {
    const arrow = arrowAt(left.rest);
    const right: Group | null = arrow === null ? null : groupAt(arrow.rest, nodes);
    if (arrow === null || right === null) return null;
    for (const from of left.ids) for (const to of right.ids) edges.push({ from, to, ...arrow.edge });
    left = right;
  }
  return edges;
}

interface Group {
  readonly ids: readonly string[];
  readonly rest: string;
}

function groupAt(line: string, nodes: Map<string, FlowNode>): Group | null {
  const ids: string[] = [];
  let rest = line;
  for (;;) {
    const [whole = "", id = "", body = ""] = nodePattern.exec(rest) ?? [];
    if (id === "") return null;
    const known = nodes.get(id);
    const named = body === "" ? (known ?? { id, text: id, shape: "box" as const }) : nodeOf(id, body);
    nodes.set(id, named);
    ids.push(id);
    rest = rest.slice(whole.length).trim();
    if (!rest.startsWith("&")) return { ids, rest };
    rest = rest.slice(1).trim();
  }
}

const quotedOr = (open: string, close: string): string => `${open}(?:"[^"]*"|[^"${close}]*)${close}`;
const bodies = [
  `\\(\\[.*?\\]\\)`,
  `\\[\\(.*?\\)\\]`,
  `\\[\\[.*?\\]\\]`,
  `\\(\\(.*?\\)\\)`,
  `\\{\\{.*?\\}\\}`,
  quotedOr("\\[", "\\]"),
  quotedOr("\\(", "\\)"),
  quotedOr("\\{", "\\}"),
];
const nodePattern = new RegExp(`^([\\p{L}\\p{N}_]+(?:-[\\p{L}\\p{N}_]+)*)(${bodies.join("|")})?(?::::[\\w-]+)?`, "u");

function nodeOf(id: string, body: string): FlowNode {
  const shape = body.startsWith("{") ? "diamond" : body.startsWith("(") || body.startsWith("[(") ? "round" : "box";
  return { id, text: plainWords(body.replace(/^[[({]+|[\])}]+$/g, "")), shape };
}

export function plainWords(text: string): string {
  return text
    .trim()
    .replace(/^"(.*)"$/s, "$1")
    .replace(/<br\s*\/?>/gi, "\n");
}

function arrowAt(text: string): { readonly edge: Omit<FlowEdge, "from" | "to">; readonly rest: string } | null {
  const between = /^(--|==|-\.)\s+([^|>]+?)\s+(-->|---|==>|===|\.->|-\.->|\.-)\s*/.exec(text);
  const plain = /^(<?(?:-{2,}|={2,}|-\.+-)[>xo]?)\s*(?:\|([^|]*)\|)?\s*/.exec(text);
  const [whole, mark, words] =
    between === null ? [plain?.[0], plain?.[1], plain?.[2]] : [between[0], between[3], between[2]];
  if (whole === undefined || mark === undefined) return null;
  const edge = { text: plainWords(words ?? ""), isDotted: mark.includes("."), hasHead: /[>xo]$/.test(mark) };
  return { edge, rest: text.slice(whole.length).trim() };
}
