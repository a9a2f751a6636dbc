/** Lines by which another program drives a session on stdin (`--input-format stream-json`). */
import * as z from "zod";
import { modes } from "../../core/mode.ts";
import { commentShape, verdictWords } from "../../core/wire/verdict-shape.ts";

const line = z.discriminatedUnion("type", [
  z.object({ type: z.literal("user"), text: z.string() }),
  z.object({
    type: z.literal("permission"),
    id: z.string(),
    allow: z.boolean(),
    reason: z.string().optional(),
    /** With a yes: what `offers` named, for the session or always. With a no: end the turn. */
    for: z.enum(["once", "session", "always"]).optional(),
    stop: z.boolean().optional(),
  }),
  z.object({ type: z.literal("question"), id: z.string(), answers: z.record(z.string(), z.string()).nullable() }),
  z.object({
    type: z.literal("verdict"),
    id: z.string(),
    hash: z.string(),
    kind: z.enum(["approve", "approve-fresh", "revise", "save", "abandon", "dismiss"]),
    ...verdictWords,
    comments: z.array(z.strictObject(commentShape.shape)).optional(),
  }),
  z.object({ type: z.literal("mode"), mode: z.enum(modes) }),
  z.object({ type: z.literal("interrupt"), agent: z.string().optional() }),
]);

export type InputLine = z.infer<typeof line>;

export function parseInputLine(text: string): InputLine | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""), (_, part: unknown) =>
      typeof part === "string" ? whole(part) : part,
    );
  } catch {
    return { problem: "this line is not JSON" };
  }
  const parsed = line.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  return { problem: path.length === 0 ? message : `${path.join(".")}: ${message}` };
}

/** Half a character is no text: no provider takes it. */
function whole(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, "\uFFFD");
}
