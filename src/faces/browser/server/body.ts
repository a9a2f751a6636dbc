/** The body of a request: JSON, bounded before it is read, never buffered beyond the limit. */
import type { IncomingMessage } from "node:http";

export type Body =
  | { readonly value: unknown }
  | { readonly problem: "too-large" | "not-json" | "not-utf8" | "unsupported-type" | "cut-off" };

const limit = 2 * 1024 * 1024;

export async function readJson(request: IncomingMessage): Promise<Body> {
  if (!/^application\/json\s*(;\s*charset=utf-8\s*)?$/i.test(request.headers["content-type"] ?? "")) {
    return { problem: "unsupported-type" };
  }
  if (isTooLong(request)) return { problem: "too-large" };
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      length += (chunk as Buffer).length;
      if (length > limit) return { problem: "too-large" };
      chunks.push(chunk as Buffer);
    }
  } catch {
    return { problem: "cut-off" };
  }
  return parse(Buffer.concat(chunks));
}

/** By what it says of itself, before anything is read. */
export function isTooLong({ headers }: IncomingMessage): boolean {
  return Number(headers["content-length"] ?? 0) > limit;
}

function parse(bytes: Buffer): Body {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return { problem: "not-utf8" };
  }
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { problem: "not-json" };
  }
}
