/** The difference as lines of Markdown, with line numbers. */
import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { makeVisible } from "../../../../core/visible.ts";
import { showText, type Span } from "../markdown/paint.tsx";
import { diffLines, foldLines, type DiffLine } from "./lines.ts";

export function SourceDiff({ before, after }: { readonly before: string; readonly after: string }): VNode {
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
          fold.kind === "fold" ? <Folded key={index} lines={fold.lines} /> : <Lines key={index} lines={fold.lines} />,
        )}
      </table>
    </div>
  );
}

function Folded({ lines }: { readonly lines: readonly DiffLine[] }): VNode {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <Lines lines={lines} />;
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

function Lines({ lines }: { readonly lines: readonly DiffLine[] }): VNode {
  return (
    <tbody>
      {lines.map((line) => (
        <tr class={line.kind}>
          <td class="number">{line.old ?? ""}</td>
          <td class="number">{line.new ?? ""}</td>
          <td>
            <span class="sign">{signs[line.kind]}</span>
            {marked(line)}
          </td>
        </tr>
      ))}
    </tbody>
  );
}

const signs = { same: " ", add: "+", del: "−" } as const;

function marked({ text, spans, kind }: DiffLine) {
  const Mark = kind === "del" ? "del" : "ins";
  let at = 0;
  const parts = spans.flatMap(({ start, end }: Span) => {
    const before = text.slice(at, start);
    at = end;
    return [showText(before), <Mark>{showText(text.slice(start, end))}</Mark>];
  });
  return [...parts, showText(text.slice(at))];
}
