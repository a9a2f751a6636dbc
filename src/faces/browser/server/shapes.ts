/** What the page may send, field by field. */
import * as z from "zod";
import { commentShape, verdictWords } from "../../../core/wire/verdict-shape.ts";
import type { CommentsBody, VerdictBody } from "../desks/wire.ts";

const words = z.string().max(100_000);
const line = z.number().int().min(1).max(10_000_000);
const name = z.string().min(1).max(200);

const comment = z
  .strictObject({
    ...commentShape.shape,
    id: name,
    from: line,
    to: line,
    quote: words,
    text: words,
    followUps: z.array(words).max(500).optional(),
    suggestion: words.optional(),
    was: words.optional(),
    now: words.optional(),
  })
  .refine(({ text, suggestion }) => suggestion !== undefined || text.trim() !== "", "a comment needs words")
  .refine(({ from, to }) => from <= to, "from must not be after to");

const said = {
  hash: z.string().regex(/^[0-9a-f]{64}$/, "64 lower-case hex digits"),
  feedback: words.optional(),
  comments: z.array(comment).max(500).optional(),
  resolved: z.array(name).max(500).optional(),
  plan: z
    .string()
    .refine((text) => !/\p{Cs}/u.test(text), "half of a character")
    .optional(),
};

export const commentsShape: z.ZodType<CommentsBody> = z.strictObject(said);

export const verdictShape: z.ZodType<VerdictBody> = z.strictObject({
  ...said,
  requestId: name,
  kind: z.enum(["approve", "revise", "save", "abandon"]),
  mode: verdictWords.mode,
  fresh: verdictWords.fresh,
  notes: words.optional(),
});
