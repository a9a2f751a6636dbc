/** Verdicts and comments as other programs send them: in lines, letters and from pages; each adds only limits of its own. */
import * as z from "zod";
import { workingModes } from "../mode.ts";
import { commentKinds } from "../verdict.ts";

const text = z.string();

export const workingModeShape = z.enum(workingModes);
export const answererShape = z.object({ user: text, surface: text });

export const commentShape = z.object({
  id: text,
  kind: z.enum(commentKinds),
  from: z.number(),
  to: z.number(),
  quote: text,
  text,
  followUps: z.array(text).readonly().optional(),
  suggestion: text.optional(),
  was: text.optional(),
  now: text.optional(),
});

/** What may go along with a verdict, whatever its kind. */
export const verdictWords = {
  mode: workingModeShape.optional(),
  fresh: z.boolean().optional(),
  plan: text.optional(),
  notes: text.optional(),
  feedback: text.optional(),
  comments: z.array(commentShape).optional(),
  resolved: z.array(text).optional(),
};
