/** What a file holds now, if the session has seen exactly that: the ground on which it may be changed. */
import { hashBytes } from "../host/files/atomic-write.ts";
import { textOf } from "../host/files/utf8.ts";
import { FileError } from "../host/files/file-error.ts";
import type { RunContext } from "../ports/host.ts";
import type { ToolOutput, WriteOptions } from "../ports/ports.ts";
import { refused } from "./output.ts";
import { wholeLimit } from "./read.ts";

export type Current =
  | { readonly kind: "missing" }
  /** `text` is null where it is not UTF-8 text. */
  | { readonly kind: "text"; readonly text: string | null; readonly hash: string }
  | { readonly kind: "refused"; readonly output: ToolOutput };

/** An empty file need not have been read: there was nothing to see. */
export async function currentText(path: string, context: RunContext): Promise<Current> {
  const { files, prompts, reads } = context;
  const stat = await files.stat(path);
  if (stat === null) return { kind: "missing" };
  if (stat.kind === "directory") return refuse(prompts("tools/files/folder", { path }));
  if (stat.kind === "other") return refuse(prompts("tools/files/no-regular-file", { path }));
  if (stat.size > wholeLimit) return refuse(prompts("tools/files/too-large", { path, size: String(stat.size) }));
  const bytes = await files.readBytes(path, { limit: wholeLimit + 1 });
  const hash = hashBytes(bytes);
  const seen = reads.get(path);
  if (bytes.length > 0 && seen === undefined) return refuse(prompts("tools/files/unread", { path }));
  if (bytes.length > 0 && seen?.hash !== hash) return refuse(prompts("tools/files/changed", { path }));
  return { kind: "text", text: textOf(bytes), hash };
}

function refuse(text: string): Current {
  return { kind: "refused", output: refused(text) };
}

/** Writes if the file still is what it was; what stands there then counts as read. */
export async function replaceText(path: string, text: string, change: Change): Promise<ToolOutput> {
  const { context, hash, output } = change;
  const isPlan = path === context.planFile;
  const options: WriteOptions = { expectedHash: hash, ...(isPlan ? { refuseHardLinks: true, mode: 0o600 } : {}) };
  try {
    await context.files.writeText(path, text, options);
  } catch (error) {
    const isRace = error instanceof FileError && (error.code === "changed" || error.code === "exists");
    if (!isRace) throw error;
    return refused(context.prompts("tools/files/changed", { path }));
  }
  const mtimeMs = (await context.files.stat(path))?.mtimeMs ?? 0;
  context.reads.set(path, { hash: hashBytes(new TextEncoder().encode(text)), mtimeMs, text });
  return { ...output, changed: [path] };
}

interface Change {
  readonly context: RunContext;
  /** Of what is replaced; null for a new file. */
  readonly hash: string | null;
  readonly output: ToolOutput;
}
