/** Lines by which another program drives a session on stdin (`--input-format stream-json`). */
import { StringDecoder } from "node:string_decoder";
import type { Readable } from "node:stream";
import * as z from "zod";
import { errorText } from "../../core/error-text.ts";
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

/**
 * Line by line; a line ends with LF alone, so that whatever JSON may hold is in it. Null stands for one that is too long to be kept. Ends
 * with the input, and with the signal.
 */
export async function* readLines(
  input: Readable,
  { signal, complain }: { readonly signal: AbortSignal; readonly complain: (line: string) => void },
): AsyncGenerator<string | null> {
  const decoder = new StringDecoder("utf8");
  let open: string[] = [];
  let length = 0;
  const stop = (): void => void input.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    if (signal.aborted) return;
    for await (const chunk of input) {
      const parts = decoder.write(Buffer.from(chunk as Buffer)).split("\n");
      for (const [at, part] of parts.entries()) {
        length += part.length;
        if (length <= longest) open.push(part);
        if (at === parts.length - 1) break;
        yield length > longest ? null : open.join("");
        open = [];
        length = 0;
      }
    }
    if (length > 0) yield length > longest ? null : open.join("") + decoder.end();
  } catch (error) {
    if (!signal.aborted) complain(`stdin cannot be read: ${errorText(error)}`);
  } finally {
    signal.removeEventListener("abort", stop);
    input.destroy();
  }
}

const longest = 16 * 1024 * 1024;
