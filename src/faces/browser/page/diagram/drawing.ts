/** A diagram as lines and words, made of its Mermaid source; loaded when there is one. The source stays beside it: that is what is approved. */
import { flowchartIn } from "./flowchart.ts";
import { drawFlowchart } from "./flow-layout.ts";
import { drawSequence, sequenceIn } from "./sequence.ts";
import type { DrawnDiagram } from "./shapes.ts";

/** Null for what is not understood whole: half of a diagram would mislead. */
export function drawingOf(source: string): DrawnDiagram | null {
  const lines = source
    .split("\n")
    .map((line) => line.replace(/%%.*$/, "").replaceAll(/\s+/g, " ").trim())
    .filter((line) => line !== "");
  const [first = "", ...rest] = lines;
  if (lines.length > mostLines) return null;
  const flow = /^(?:flowchart|graph)(?:\s+(TD|TB|BT|LR|RL))?\s*;?$/.exec(first);
  if (flow !== null) {
    const chart = flowchartIn(rest, flow[1] ?? "TD");
    return chart === null ? null : drawFlowchart(chart);
  }
  const sequence = first === "sequenceDiagram" ? sequenceIn(rest) : null;
  return sequence === null ? null : drawSequence(sequence);
}

const mostLines = 300;
