/** What the model wrote in answer to the questions, shown with them. */
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { drawNode } from "../markdown/draw.tsx";
import { reading } from "../markdown/paint.tsx";
import { parsePlan } from "../markdown/parse.ts";
import { goToLine } from "../view/jump.ts";
import { isOpenQuestion, type Thread } from "./threads.ts";

export function Reply({ text, threads }: { readonly text: string; readonly threads: readonly Thread[] }): VNode {
  const blocks = useMemo(() => parsePlan(text), [text]);
  const questions = threads.filter(isOpenQuestion);
  return (
    <section class="reply" data-floor aria-label="The model's answer">
      <p class="place">
        <span class="kind">The model wrote</span>
        {questions.length > 0 && " in answer to "}
        {questions.map(({ comment }) => (
          <button type="button" class="link" onClick={() => goToLine(comment.from)}>
            line {comment.from}
          </button>
        ))}
      </p>
      <div class="words">{blocks.map((block) => drawNode(block, { ...reading, anchors: false }))}</div>
    </section>
  );
}
