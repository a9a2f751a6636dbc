/** A person's words on a plan that is not under review: its comments stay open, and the model hears them quoted (B3.2). */
import type { Comment } from "../../core/verdict.ts";
import { renderPlanWords } from "../../prompts/render/feedback.ts";
import type { Prompts } from "../../prompts/index.ts";
import type { SessionHandle } from "../ports/handle.ts";

export interface PlanWords {
  readonly file: string;
  readonly feedback?: string;
  readonly comments?: readonly Comment[];
  readonly resolved?: readonly string[];
}

/** Where nothing is left to say, nothing is said. */
export async function sayPlanWords(handle: SessionHandle, prompts: Prompts, words: PlanWords): Promise<void> {
  const { file, feedback = "", comments = [], resolved = [] } = words;
  if (comments.length + resolved.length > 0) await handle.send({ type: "plan-commented", file, comments, resolved });
  if (comments.length === 0 && feedback.trim() === "") return;
  await handle.send({ type: "user-said", text: renderPlanWords(prompts, { file, feedback, comments }) });
}
