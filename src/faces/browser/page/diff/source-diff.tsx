/** The difference as lines of Markdown, with line numbers. */
import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { makeVisible } from "../../../../core/wire/visible.ts";
import { markSpans } from "../markdown/paint.tsx";
import type { DiffProps } from "./rendered-diff.tsx";
import { diffLines, foldLines, type DiffLine } from "./lines.ts";

export function SourceDiff({ before, after, anchors }: DiffProps): VNode {
  const folds = useMemo(() => foldLines(diffLines(makeVisible(before), makeVisible(after))), [before, after]);
  return (
    <div class="source-diff" role="region" tabIndex={0} aria-label="Difference by lines">
      <table>
        <thead class="unseen">
          <tr>
            <th>Old line</th>
            <th>New line</th>
            <th>Text</th>
          </tr>
        </thead>
        {folds.map((fold, index) =>
          fold.kind === "fold" ? (
            <Folded key={index} lines={fold.parts} anchors={anchors} />
          ) : (
            <Lines key={index} lines={fold.parts} anchors={anchors} />
          ),
        )}
      </table>
    </div>
  );
}

interface LinesProps {
  readonly lines: readonly DiffLine[];
  readonly anchors: boolean;
}

function Folded({ lines, anchors }: LinesProps): VNode {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <Lines lines={lines} anchors={anchors} />;
  return (
    <tbody>
      <tr>
        <td colSpan={3}>
          <button type="button" class="fold" onClick={() => setOpen(true)}>
            {lines.length} unchanged lines
          </button>
        </td>
      </tr>
    </tbody>
  );
}

function Lines({ lines, anchors }: LinesProps): VNode {
  return (
    <tbody>
      {lines.map((line) => (
        <tr class={line.kind} {...(anchors && line.new !== null ? place(line.new) : {})}>
          <td class="number">{line.old ?? ""}</td>
          <td class="number">{line.new ?? ""}</td>
          <td>
            <span class="sign">{signs[line.kind]}</span>
            {markSpans(line.text, line.spans, line.kind === "del" ? "del" : "ins")}
          </td>
        </tr>
      ))}
    </tbody>
  );
}

function place(line: number): object {
  return { "data-from": line, "data-to": line, tabIndex: -1 };
}

const signs = { same: " ", add: "+", del: "−" } as const;
