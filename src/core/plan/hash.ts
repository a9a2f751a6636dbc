/** The identity of a plan's text: SHA-256 of its UTF-8 bytes, 64 lower-case hex digits. */
import { createHash } from "node:crypto";

export { isBlank } from "./blank.ts";

export function hashText(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
