import { expect, test } from "vitest";
import { drawingOf } from "./drawing.ts";
import { flowchartIn } from "./flowchart.ts";
import { sequenceIn } from "./sequence.ts";

test("B3.6 a flowchart: boxes, choices, words on arrows, several at once", () => {
  const lines = [
    'A["Begin (now)"] --> B{Known?}',
    "B -->|yes| C([Serve])",
    "B -- no --> D & E -.-> C",
    "style A fill:#fff",
  ];
  expect(flowchartIn(lines, "TD")).toEqual({
    direction: "TD",
    nodes: [
      { id: "A", text: "Begin (now)", shape: "box" },
      { id: "B", text: "Known?", shape: "diamond" },
      { id: "C", text: "Serve", shape: "round" },
      { id: "D", text: "D", shape: "box" },
      { id: "E", text: "E", shape: "box" },
    ],
    edges: [
      edge("A", "B"),
      edge("B", "C", "yes"),
      edge("B", "D", "no"),
      edge("B", "E", "no"),
      { ...edge("D", "C"), isDotted: true },
      { ...edge("E", "C"), isDotted: true },
    ],
  });
});

test("B3.6 a sequence: who says what to whom, notes and frames", () => {
  const lines = [
    "participant B as Browser",
    "B->>S: GET /",
    "alt known",
    "S-->>B: 200",
    "else",
    "Note over B,S: log in",
    "end",
  ];
  expect(sequenceIn(lines)).toEqual({
    people: [
      { id: "B", text: "Browser" },
      { id: "S", text: "S" },
    ],
    steps: [
      { kind: "says", from: "B", to: "S", text: "GET /", isDotted: false },
      { kind: "opens", text: "alt known" },
      { kind: "says", from: "S", to: "B", text: "200", isDotted: true },
      { kind: "divides", text: "" },
      { kind: "note", over: ["B", "S"], text: "log in" },
      { kind: "closes" },
    ],
  });
});

test("B2.5 every word of a drawn diagram is in the drawing, which is as large as what is in it", () => {
  for (const direction of ["TD", "LR", "BT", "RL"]) {
    const source = `flowchart ${direction}\n A[one] --> B{two}\n B -->|three| C[four]\n B --> D[five]\n D --> C\n C --> A`;
    const drawn = drawingOf(source)!;
    const words = drawn.shapes.flatMap((shape) => (shape.kind === "words" ? [shape] : []));
    expect(words.map(({ text }) => text).toSorted()).toEqual(["five", "four", "one", "three", "two"]);
    expect(words.every(({ x, y }) => x > 0 && y > 0 && x < drawn.width && y < drawn.height)).toBe(true);
  }
});

test.each([
  ["an unknown kind", "pie\n a: 1"],
  ["a part that is not understood", "flowchart TD\n A --> B\n subgraph x\n C\n end"],
  ["half of a frame", "sequenceDiagram\n loop x\n A->>B: hi"],
  ["nothing", ""],
])("B2.5 %s is not drawn at all: its source is there, and half of it would mislead", (_, source) => {
  expect(drawingOf(source)).toBe(null);
});

test("a circle, a loop to itself and a crowd come to an end", () => {
  expect(drawingOf("graph LR\n A --> B --> C --> A\n A --> A")).not.toBe(null);
  const crowd = Array.from({ length: 200 }, (_, index) => `n${index} --> n${index + 1}`);
  expect(drawingOf(`graph TD\n${crowd.join("\n")}`)).toBe(null);
});

function edge(from: string, to: string, text = "") {
  return { from, to, text, isDotted: false, hasHead: true };
}
