/** A code block, each line a place of its own; coloured when the highlighter has come. */
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ColouredLine } from "./colours.ts";
import { anchor, showText, type DrawingStyle } from "./paint.tsx";
import { isUnseen, type Node } from "./parse.ts";

export function CodeBlock({ node, drawing }: { readonly node: Node; readonly drawing: DrawingStyle }): VNode {
  const { token } = node;
  const code = token.content.replace(/\n$/, "");
  const told = token.type === "fence" ? token.info.trim() : isUnseen(node) ? "only in the source" : "";
  const name = token.type === "fence" ? (told.split(/\s+/)[0] ?? "") : "";
  const { figure, lines: colours } = useColours(drawing.colours ? code : null, name);
  const first = token.type === "fence" ? node.from + 1 : node.from;
  return (
    <figure class={isUnseen(node) ? "code swallowed" : told === name ? "code" : "code told"} dir="ltr" ref={figure}>
      {told !== "" && <figcaption>{showText(told)}</figcaption>}
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

/** Colours come when the block is near the window: a long plan has hundreds. */
function useColours(code: string | null, name: string) {
  const figure = useRef<HTMLElement>(null);
  const [found, setFound] = useState<{ code: string; lines: readonly ColouredLine[] } | null>(null);
  useEffect(() => {
    if (code === null || name === "" || code.length > mostColoured) return;
    let isStale = false;
    const watcher = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        watcher.disconnect();
        void import("./colours.ts").then(async ({ colourLines }) => {
          const lines = await colourLines(code, name);
          if (!isStale && lines !== null) setFound({ code, lines });
        });
      },
      { rootMargin: "600px" },
    );
    watcher.observe(figure.current!);
    return () => {
      isStale = true;
      watcher.disconnect();
    };
  }, [code, name]);
  return { figure, lines: found !== null && found.code === code ? found.lines : null };
}

const mostColoured = 60_000;
