/** What kind of content a file's first bytes promise, whatever its name says. */

export type ContentKind =
  | { readonly kind: "text"; readonly encoding: "utf-8" | "utf-16le" | "utf-16be" }
  | { readonly kind: "image"; readonly mediaType: string }
  | { readonly kind: "pdf" }
  | { readonly kind: "binary" };

/** So many bytes are enough to tell. */
export const headSize = 8192;

export function sniff(head: Uint8Array): ContentKind {
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(16, head.length)).toString("latin1");
  const image = images.find(([pattern]) => pattern.test(start));
  if (image !== undefined) return { kind: "image", mediaType: image[1] };
  if (start.startsWith("%PDF-")) return { kind: "pdf" };
  if (start.startsWith("\xff\xfe")) return { kind: "text", encoding: "utf-16le" };
  if (start.startsWith("\xfe\xff")) return { kind: "text", encoding: "utf-16be" };
  const sample = head.subarray(0, headSize);
  if (sample.includes(0)) return { kind: "binary" };
  const odd = sample.filter(
    (byte) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 12 && byte !== 27,
  );
  return odd.length * 10 > sample.length ? { kind: "binary" } : { kind: "text", encoding: "utf-8" };
}

const images: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG\r\n\x1a\n/, "image/png"],
  [/^\xff\xd8\xff/, "image/jpeg"],
  [/^GIF8[79]a/, "image/gif"],
  [/^RIFF....WEBP/s, "image/webp"],
];
