/** The identity of a plan's text: SHA-256 of its UTF-8 bytes, 64 lower-case hex digits. */
import { createHash } from "node:crypto";

export function hashText(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** A plan exists when it holds a non-blank character. */
export function isBlank(text: string | null): boolean {
  return text === null || !/[^\s\p{Default_Ignorable_Code_Point}\p{Cc}]/u.test(text);
}
