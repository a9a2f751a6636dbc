/** Tools that change one file: only what the session has seen is replaced, and what would fail is known before anybody is asked. */
import { hashBytes } from "../host/files/atomic-write.ts";
import { textOf } from "../host/files/utf8.ts";
import { FileError } from "../host/files/file-error.ts";
import type { RunContext } from "../ports/host.ts";
import type { ToolOutput, WriteOptions } from "../ports/ports.ts";
import { refused } from "./output.ts";
import { judgedPathOf } from "./paths.ts";
import { unsavedText, wholeLimit } from "./read.ts";
import type { Tool } from "./tool.ts";

export interface FileChange {
  /** All of the new text. */
  readonly text: string;
  /** Of what it replaces; null for a new file. */
  readonly hash: string | null;
  /** What the model hears then. */
  readonly output: ToolOutput;
}

/** `prepare` gives the change, or why there is none. */
export function changingFile<Input>(
  prepare: (asked: Input, context: RunContext) => Promise<FileChange | ToolOutput>,
): Pick<Tool<Input>, "check" | "run"> {
  return {
    async check(asked, context) {
      const change = await prepare(asked, context);
      return "content" in change ? change : null;
    },
    async run(asked, context) {
      const change = await prepare(asked, context);
      return "content" in change ? change : replaceText(change, context);
    },
  };
}

export interface CurrentText {
  /** Null where there is no file; its text is then empty. */
  readonly hash: string | null;
  /** Null where it is not UTF-8 text. */
  readonly text: string | null;
}

/** What the judged file holds now, if the session has seen exactly that. An empty file need not have been read. */
export async function currentText(context: RunContext): Promise<CurrentText | ToolOutput> {
  const { access, files, prompts, reads } = context;
  const path = judgedPathOf(access);
  const stat = await files.stat(path);
  if (stat === null) return { hash: null, text: "" };
  if (stat.kind === "directory") return refused(prompts("tools/files/folder", { path }));
  if (stat.kind === "other") return refused(prompts("tools/files/no-regular-file", { path }));
  if (stat.size > wholeLimit) return refused(prompts("tools/files/too-large", { path, size: String(stat.size) }));
  const bytes = await files.readBytes(path, { limit: wholeLimit + 1 });
  const hash = hashBytes(bytes);
  const text = textOf(bytes);
  if ((await unsavedText(path, text, context)) !== null) return refused(prompts("tools/files/unsaved", { path }));
  const seen = reads.get(path);
  if (bytes.length > 0 && seen === undefined) return refused(prompts("tools/files/unread", { path }));
  if (bytes.length > 0 && seen?.hash !== hash) return refused(prompts("tools/files/changed", { path }));
  return { hash, text };
}

/** Writes if the file still is what it was; what stands there then counts as read. */
async function replaceText({ text, hash, output }: FileChange, context: RunContext): Promise<ToolOutput> {
  const path = judgedPathOf(context.access);
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
