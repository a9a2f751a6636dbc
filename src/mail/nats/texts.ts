/** Texts that are too long for one message: cut into pieces, kept beside, and put together again. */
import { createHash } from "node:crypto";
import * as z from "zod";
import type { Storage } from "./storage.ts";

/** What travels in the message: the text itself, or where its pieces are. */
export const carriedShape = z.union([
  z.object({ text: z.string() }),
  z.object({
    pieces: z.object({
      key: z.string().regex(/^[0-9a-f]{32}$/),
      count: z.int().min(1).max(9_999),
      hash: z.string(),
    }),
  }),
]);

type Carried = Readonly<z.infer<typeof carriedShape>>;

/** Safe to repeat: the same owner and text give the same pieces. */
export async function carry(storage: Storage, owner: string, text: string): Promise<Carried> {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= storage.longest) return { text };
  const hash = createHash("sha256").update(bytes).digest("hex");
  const key = createHash("sha256").update(`${owner} ${hash} ${storage.longest}`, "utf8").digest("hex").slice(0, 32);
  const count = Math.ceil(bytes.length / storage.longest);
  for (let index = 0; index < count; index += 1) {
    const piece = bytes.subarray(index * storage.longest, (index + 1) * storage.longest);
    await storage.plans.put(pieceKey(key, index), piece);
  }
  return { pieces: { key, count, hash } };
}

/** Null when a piece is missing or another than was sent. */
export async function unpack(storage: Storage, carried: Carried): Promise<string | null> {
  if ("text" in carried) return carried.text;
  const { key, count, hash } = carried.pieces;
  const parts: Uint8Array[] = [];
  for (let index = 0; index < count; index += 1) {
    const entry = await storage.plans.get(pieceKey(key, index));
    if (entry === null || entry.operation !== "PUT") return null;
    parts.push(entry.value);
  }
  const bytes = Buffer.concat(parts);
  return createHash("sha256").update(bytes).digest("hex") === hash ? bytes.toString("utf8") : null;
}

/** Once nobody needs them any more. */
export async function discard(storage: Storage, carried: Carried): Promise<void> {
  if ("text" in carried) return;
  const { streamInfo, bucket } = await storage.plans.status();
  await storage.manager.streams.purge(streamInfo.config.name, {
    filter: `$KV.${bucket}.piece.${carried.pieces.key}.*`,
  });
}

function pieceKey(key: string, index: number): string {
  return `piece.${key}.${index}`;
}
