/** The body of a request: JSON of one shape, bounded before it is read, never buffered beyond the limit. */
import type { IncomingMessage } from "node:http";
import type * as z from "zod";
import type { RefusedReply } from "./replies.ts";

const limit = 2 * 1024 * 1024;

export async function readBody<Value>(
  request: IncomingMessage,
  shape: z.ZodType<Value>,
): Promise<{ readonly value: Value } | RefusedReply> {
  if (!/^application\/json\s*(;\s*charset=utf-8\s*)?$/i.test(request.headers["content-type"] ?? "")) {
    return refusal(415, "unsupported-type", "Only application/json in UTF-8 is understood.");
  }
  if (isTooLong(request)) return tooLarge;
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      length += (chunk as Buffer).length;
      if (length > limit) return tooLarge;
      chunks.push(chunk as Buffer);
    }
  } catch {
    return { ...refusal(400, "cut-off", "The request ended early."), ...closing };
  }
  return parse(Buffer.concat(chunks), shape);
}

/** By what it says of itself, before anything is read. */
export function isTooLong({ headers }: IncomingMessage): boolean {
  return Number(headers["content-length"] ?? 0) > limit;
}

/** Fields that are absent stay absent; a complaint names the field. */
function parse<Value>(bytes: Buffer, shape: z.ZodType<Value>): { readonly value: Value } | RefusedReply {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return refusal(400, "not-utf8", "This is not UTF-8.");
  }
  try {
    value = JSON.parse(text);
  } catch {
    return refusal(400, "not-json", "This is not JSON.");
  }
  const parsed = shape.safeParse(value);
  if (parsed.success) return { value: parsed.data };
  const { path, message } = parsed.error.issues[0]!;
  const where = path.length === 0 ? "" : `${path.join(".")}: `;
  return refusal(400, "malformed", `Malformed: ${where}${message}`);
}

function refusal(status: number, problem: string, message: string): RefusedReply {
  return { status, problem, message };
}

const closing = { headers: { connection: "close" } };
const tooLarge = { ...refusal(413, "too-large", "This is more than 2 MB; no plan is that long."), ...closing };
