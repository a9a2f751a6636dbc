/** A code block, each line a place of its own; coloured when the highlighter has come. */
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ColouredLine } from "./colours.ts";
import { makeVisible } from "../../../../core/wire/visible.ts";
import { anchor, showText, type DrawingStyle } from "./paint.tsx";
import { isUnseen, type Node } from "./parse.ts";

export function CodeBlock({ node, drawing }: { readonly node: Node; readonly drawing: DrawingStyle }): VNode {
  const { token } = node;
  const code = token.content.replace(/\n$/, "");
  const told = token.type === "fence" ? token.info.trim() : isUnseen(node) ? "only in the source" : "";
  const name = token.type === "fence" ? (told.split(/\s+/)[0] ?? "") : "";
  const figure = useRef<HTMLElement>(null);
  const colours = useNear(
    figure,
    drawing.colours && name !== "" && code.length <= mostColoured ? code : null,
    async () => {
      const { colourLines } = await import("./colours.ts");
      return colourLines(code, name);
    },
  );
  const first = token.type === "fence" ? node.from + 1 : node.from;
  return (
    <figure class={isUnseen(node) ? "code swallowed" : told === name ? "code" : "code told"} dir="ltr" ref={figure}>
      <figcaption>
        <span>{showText(told)}</span>
        {drawing.colours && (
          <button type="button" class="quiet copy" onClick={(event) => void copy(code, event.currentTarget)}>
            Copy
          </button>
        )}
      </figcaption>
      {drawing.colours && name === "mermaid" && <Diagram code={code} />}
      <pre tabIndex={0} aria-label={told === "" ? "Code" : `Code, ${told}`} role="group">
        <code>
          {linesWithStarts(code).map(({ line, start }, index) => (
            <span class="line" {...anchor({ from: first + index, to: first + index }, drawing)}>
              {colours?.[index] === undefined ? drawing.paint(line, token, start) : drawColours(colours[index])}
              {"\n"}
            </span>
          ))}
        </code>
      </pre>
    </figure>
  );
}

function linesWithStarts(code: string): readonly { readonly line: string; readonly start: number }[] {
  let next = 0;
  return code.split("\n").map((line) => {
    const start = next;
    next += line.length + 1;
    return { line, start };
  });
}

function drawColours(line: ColouredLine): ComponentChildren {
  return line.map(({ text, scope }) => (scope === "" ? showText(text) : <span class={scope}>{showText(text)}</span>));
}

/** Comes when the block is near the window, since a long plan has hundreds; null until then, and where there is none. */
function useNear<Found>(
  block: { readonly current: HTMLElement | null },
  source: string | null,
  find: () => Promise<Found | null>,
): Found | null {
  const [found, setFound] = useState<{ readonly source: string; readonly value: Found } | null>(null);
  useEffect(() => {
    if (source === null || block.current === null) return;
    let isStale = false;
    const watcher = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        watcher.disconnect();
        void find().then((value) => !isStale && value !== null && setFound({ source, value }));
      },
      { rootMargin: "600px" },
    );
    watcher.observe(block.current);
    return () => {
      isStale = true;
      watcher.disconnect();
    };
  }, [source]);
  return found !== null && found.source === source ? found.value : null;
}

const mostColoured = 60_000;

/** What the source says, drawn; the source stays below it. */
function Diagram({ code }: { readonly code: string }): VNode {
  const box = useRef<HTMLDivElement>(null);
  const drawn = useNear(box, code, async () => (await import("../diagram/drawing.ts")).drawingOf(code));
  return (
    <div class="diagram" ref={box}>
      {drawn !== null && (
        <svg
          viewBox={`0 0 ${drawn.width} ${drawn.height}`}
          width={drawn.width}
          role="img"
          aria-label="Drawn from the source below"
        >
          {drawn.shapes.map((shape) =>
            shape.kind === "path" ? (
              <path d={shape.d} class={shape.look} />
            ) : (
              <text x={shape.x} y={shape.y} class={shape.isSmall ? "small" : undefined}>
                {makeVisible(shape.text)}
              </text>
            ),
          )}
        </svg>
      )}
    </div>
  );
}

async function copy(code: string, button: HTMLElement): Promise<void> {
  const isCopied = await navigator.clipboard.writeText(code).then(
    () => true,
    () => false,
  );
  button.textContent = isCopied ? "Copied" : "Could not copy";
  setTimeout(() => (button.textContent = "Copy"), 2000);
}
