/** Lines by which another program drives a session on stdin (`--input-format stream-json`). */
import * as z from "zod";

const comment = z.strictObject({
  id: z.string(),
  kind: z.enum(["change", "question", "note"]),
  from: z.number(),
  to: z.number(),
  quote: z.string(),
  text: z.string(),
});

const workingMode = z.enum(["default", "acceptEdits", "auto", "bypassPermissions"]);

const line = z.discriminatedUnion("type", [
  z.object({ type: z.literal("user"), text: z.string() }),
  z.object({ type: z.literal("permission"), id: z.string(), allow: z.boolean(), reason: z.string().optional() }),
  z.object({ type: z.literal("question"), id: z.string(), answers: z.record(z.string(), z.string()).nullable() }),
  z.object({
    type: z.literal("verdict"),
    id: z.string(),
    hash: z.string(),
    kind: z.enum(["approve", "revise", "save", "abandon", "dismiss"]),
    mode: workingMode.optional(),
    feedback: z.string().optional(),
    comments: z.array(comment).optional(),
    plan: z.string().optional(),
    fresh: z.boolean().optional(),
  }),
  z.object({ type: z.literal("mode"), mode: z.enum(["default", "acceptEdits", "plan", "auto", "bypassPermissions"]) }),
  z.object({ type: z.literal("interrupt"), agent: z.string().optional() }),
]);

export type InputLine = z.infer<typeof line>;

export function parseInputLine(text: string): InputLine | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: "this line is not JSON" };
  }
  const parsed = line.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  return { problem: path.length === 0 ? message : `${path.join(".")}: ${message}` };
}
