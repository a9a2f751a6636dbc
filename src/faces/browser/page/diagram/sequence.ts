/** Mermaid's sequence diagrams, as far as plans use them: who says what to whom, notes, and what is repeated or a choice. */
import type { DrawnDiagram, Shape } from "./shapes.ts";
import { plainWords } from "./flowchart.ts";
import { arrowHead, boxPath, wordsAt, widthOf } from "./pieces.ts";

export interface Sequence {
  readonly people: readonly { readonly id: string; readonly text: string }[];
  readonly steps: readonly SequenceStep[];
}

type SequenceStep =
  | {
      readonly kind: "says";
      readonly from: string;
      readonly to: string;
      readonly text: string;
      readonly isDotted: boolean;
    }
  | { readonly kind: "note"; readonly over: readonly string[]; readonly text: string }
  | { readonly kind: "opens"; readonly text: string }
  | { readonly kind: "divides"; readonly text: string }
  | { readonly kind: "closes" };

/** Null where a line is not understood. */
export function sequenceIn(lines: readonly string[]): Sequence | null {
  const people = new Map<string, string>();
  const meet = (id: string): string => {
    if (!people.has(id)) people.set(id, id);
    return id;
  };
  const steps: SequenceStep[] = [];
  let open = 0;
  for (const line of lines) {
    if (/^(?:autonumber|(?:de)?activate\s|title\b)/.test(line)) continue;
    const [, id, name] = /^(?:participant|actor)\s+([^\s]+)(?:\s+as\s+(.+))?$/.exec(line) ?? [];
    if (id !== undefined) {
      people.set(id, plainWords(name ?? id));
      continue;
    }
    const step = stepIn(line, meet);
    if (step === null) return null;
    open += step.kind === "opens" ? 1 : step.kind === "closes" ? -1 : 0;
    if (open < 0) return null;
    steps.push(step);
  }
  if (open !== 0 || people.size === 0 || people.size > mostPeople) return null;
  return { people: [...people].map(([id, text]) => ({ id, text })), steps };
}

const mostPeople = 14;

function stepIn(line: string, meet: (id: string) => string): SequenceStep | null {
  const said = /^([^\s:<>-]+)\s*(<?-{1,2}(?:>>|>|x|\)))[+-]?\s*([^\s:]+)\s*:\s*(.*)$/.exec(line);
  if (said !== null) {
    const [, from = "", mark = "", to = "", text = ""] = said;
    return { kind: "says", from: meet(from), to: meet(to), text: plainWords(text), isDotted: mark.includes("--") };
  }
  const note = /^note\s+(?:over|left of|right of)\s+([^:]+):\s*(.*)$/i.exec(line);
  if (note !== null) {
    const over = note[1]!.split(",").map((id) => meet(id.trim()));
    return { kind: "note", over, text: plainWords(note[2]!) };
  }
  const frame = /^(loop|alt|opt|par|critical|break)\b\s*(.*)$/.exec(line);
  if (frame !== null) return { kind: "opens", text: `${frame[1]} ${frame[2]}`.trim() };
  const other = /^(?:else|and|option)\b\s*(.*)$/.exec(line);
  if (other !== null) return { kind: "divides", text: other[1]! };
  return line === "end" ? { kind: "closes" } : null;
}

const head = 40;
const step = 44;

export function drawSequence({ people, steps }: Sequence): DrawnDiagram {
  const apart = Math.max(
    130,
    ...people.map(({ text }) => widthOf(text) + 50),
    ...steps.flatMap((each) => ("text" in each && each.kind === "says" ? [widthOf(each.text) * 0.85 + 30] : [])),
  );
  const space = Math.min(apart, 320);
  const places = new Map(people.map(({ id }, index) => [id, space / 2 + 12 + index * space]));
  const self = steps.flatMap((each) =>
    each.kind === "says" && each.from === each.to ? [places.get(each.from)! + 52 + widthOf(each.text)] : [],
  );
  const width = Math.max(people.length * space + 24, ...self);
  const height = head + 24 + steps.length * step + 24;
  const frames: number[] = [];
  const drawn = steps.flatMap((each, index) => {
    const y = head + 24 + index * step + step / 2;
    if (each.kind === "opens") frames.push(y);
    return drawStep(each, {
      y,
      width,
      places,
      start: each.kind === "closes" ? frames.pop()! : y,
      depth: frames.length,
    });
  });
  const lives = people.flatMap(({ id, text }): readonly Shape[] => {
    const x = places.get(id)!;
    const box = { x, y: head / 2 + 8, width: Math.min(space - 16, widthOf(text) + 30), height: head - 8 };
    return [
      { kind: "path", d: `M${x} ${head + 4} V${height - 8}`, look: "dotted" },
      { kind: "path", d: boxPath(box, 4), look: "box" },
      ...wordsAt(text, box),
    ];
  });
  return { width, height, shapes: [...lives, ...drawn] };
}

interface StepPlace {
  readonly y: number;
  readonly width: number;
  readonly places: ReadonlyMap<string, number>;
  /** Where the frame began that ends here. */
  readonly start: number;
  readonly depth: number;
}

function drawStep(each: SequenceStep, { y, width, places, start, depth }: StepPlace): readonly Shape[] {
  const edge = 6 + depth * 6;
  switch (each.kind) {
    case "says":
      return drawSaying(each, places, y);
    case "note": {
      const xs = each.over.map((id) => places.get(id)!);
      const x = (Math.min(...xs) + Math.max(...xs)) / 2;
      const box = {
        x,
        y,
        width: Math.max(widthOf(each.text) + 20, Math.max(...xs) - Math.min(...xs) + 60),
        height: 28,
      };
      return [{ kind: "path", d: boxPath(box, 2), look: "note" }, ...wordsAt(each.text, box, true)];
    }
    case "opens":
      return wordsAt(each.text, { x: 16 + edge + widthOf(each.text) / 2, y: y - 4 }, true);
    case "divides":
      return [
        { kind: "path", d: `M${edge} ${y - 14} H${width - edge}`, look: "dotted" },
        ...wordsAt(each.text, { x: 16 + edge + widthOf(each.text) / 2, y: y + 2 }, true),
      ];
    case "closes": {
      const box = { x: width / 2, y: (start - 18 + y) / 2, width: width - 2 * edge, height: y - start + 18 };
      return [{ kind: "path", d: boxPath(box, 4), look: "frame" }];
    }
  }
}

function drawSaying(
  { from, to, text, isDotted }: Extract<SequenceStep, { kind: "says" }>,
  places: ReadonlyMap<string, number>,
  y: number,
): readonly Shape[] {
  const look = isDotted ? "dotted" : "line";
  const [start, end] = [places.get(from)!, places.get(to)!];
  if (start === end) {
    const d = `M${start} ${y - 6} H${start + 34} V${y + 8} H${start + 4}`;
    return [
      { kind: "path", d, look },
      { kind: "path", d: arrowHead({ x: start + 20, y: y + 8 }, { x: start + 2, y: y + 8 }), look: "head" },
      ...wordsAt(text, { x: start + 44 + widthOf(text) / 2, y }, true),
    ];
  }
  return [
    { kind: "path", d: `M${start} ${y + 6} H${end}`, look },
    { kind: "path", d: arrowHead({ x: start, y: y + 6 }, { x: end, y: y + 6 }), look: "head" },
    ...wordsAt(text, { x: (start + end) / 2, y: y - 6 }, true),
  ];
}
