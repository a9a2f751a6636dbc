/** Reads a file: text by lines, images, notebooks. */
import { basename } from "node:path";
import * as z from "zod";
import { hashBytes } from "../host/files/atomic-write.ts";
import { rangeOfFile, rangeOfText, type LineRange } from "../host/files/line-range.ts";
import { headSize, sniff } from "../host/files/sniff.ts";
import type { RunContext } from "../ports/host.ts";
import type { ToolOutput } from "../ports/ports.ts";
import { defineTool, type Tool } from "./tool.ts";
import { claimRead, judgedPathOf, missingFile } from "./paths.ts";
import { refused, told } from "./output.ts";

const input = z.strictObject({
  file_path: z.string().min(1),
  offset: z.int().min(0).optional().describe("First line"),
  limit: z.int().min(1).optional().describe("Number of lines"),
});

type Input = z.infer<typeof input>;

export const readTool: Tool = defineTool<Input>({
  name: "Read",
  claims: ["read"],
  show: ({ path, text }) => ({ about: path("file_path"), brief: basename(text("file_path")), result: "text" }),
  input,
  describe: (prompts) => prompts("tools/read"),
  claim: ({ file_path }, context) => claimRead("Read", file_path, context),
  async run(range, context) {
    const path = judgedPathOf(context.access);
    const stat = await context.files.stat(path);
    if (stat === null) {
      const said = await missingFile(path, context);
      return path === context.planFile ? told(said) : refused(said);
    }
    if (stat.kind === "directory") return refused(context.prompts("tools/files/folder", { path }));
    if (stat.kind === "other") return refused(context.prompts("tools/files/no-regular-file", { path }));
    const head = await context.files.readBytes(path, { limit: headSize });
    const content = sniff(head);
    if (content.kind === "binary") {
      return refused(context.prompts("tools/files/binary", { path, size: String(stat.size) }));
    }
    if (content.kind === "image") return readImage(path, { ...content, size: stat.size }, context);
    if (content.kind === "pdf") return refused(context.prompts("tools/read/pdf", { path, size: String(stat.size) }));
    if (stat.size > wholeLimit) return readHuge(path, range, context);
    return readWhole(path, range, { encoding: content.encoding, context });
  },
});

/** Up to here a file is read as a whole, and its hash kept for later edits. */
export const wholeLimit = 16 * 1024 * 1024;
const imageLimit = 3_750_000;
const defaultLines = 2000;
const lineLimit = 2000;
const textLimit = 100_000;

async function readWhole(
  path: string,
  range: Input,
  { encoding, context }: { readonly encoding: string; readonly context: RunContext },
): Promise<ToolOutput> {
  const bytes = await context.files.readBytes(path, { limit: wholeLimit + 1 });
  const text = new TextDecoder(encoding).decode(bytes);
  const unsaved = await unsavedText(path, text, context);
  if (unsaved !== null) {
    const shown = numbered(rangeOfText(unsaved, bounds(range)), path, { range, context });
    return {
      ...shown,
      content: [...shown.content, { type: "text", text: context.prompts("tools/read/unsaved", { path }) }],
    };
  }
  const mtimeMs = (await context.files.stat(path))?.mtimeMs ?? 0;
  context.reads.set(path, { hash: hashBytes(bytes), mtimeMs, text });
  const cells = path.endsWith(".ipynb") ? await notebookText(text) : null;
  if (cells !== null) return told(limitedText(cells, range, context));
  if (text === "") return told(context.prompts("tools/files/empty", { path }));
  return numbered(rangeOfText(text, bounds(range)), path, { range, context });
}

/** What the person's editor has instead, where that is not what the file holds. */
export async function unsavedText(path: string, text: string | null, context: RunContext): Promise<string | null> {
  if (context.openText === undefined || path === context.planFile) return null;
  const open = await context.openText(path, context.signal);
  return open === null || text === null || sameLines(open, text) ? null : open;
}

/** Editors keep line ends and a mark at the beginning to themselves. */
function sameLines(one: string, other: string): boolean {
  const [plain, otherPlain] = [one, other].map((text) => text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n"));
  return plain === otherPlain;
}

/** Null: not a notebook. What reads them is loaded with the first one. */
async function notebookText(text: string): Promise<string | null> {
  const { parseNotebook, renderNotebook } = await import("../host/files/notebook.ts");
  const notebook = parseNotebook(text);
  return notebook === null ? null : renderNotebook(notebook);
}

async function readHuge(path: string, range: Input, context: RunContext): Promise<ToolOutput> {
  const lines = await rangeOfFile(context.files, path, { ...bounds(range), signal: context.signal });
  return numbered(lines, path, { range, context });
}

async function readImage(
  path: string,
  { mediaType, size }: { readonly mediaType: string; readonly size: number },
  context: RunContext,
): Promise<ToolOutput> {
  if (size > imageLimit) {
    const slots = { path, size: String(size), limit: String(imageLimit) };
    return refused(context.prompts("tools/read/image-too-large", slots));
  }
  const bytes = await context.files.readBytes(path, { limit: imageLimit });
  return { content: [{ type: "image", mediaType, base64: Buffer.from(bytes).toString("base64") }] };
}

function bounds({ offset = 1, limit = defaultLines }: Input) {
  return { offset: Math.max(1, offset), limit, lineLimit, textLimit };
}

/** Text that is not the file's own lines: no numbers. */
function limitedText(text: string, range: Input, context: RunContext): string {
  const lines = rangeOfText(text, bounds(range));
  return [lines.lines.join("\n"), ...notes(lines, range, context)].join("\n\n");
}

function numbered(
  lines: LineRange,
  path: string,
  { range, context }: { readonly range: Input; readonly context: RunContext },
): ToolOutput {
  const { offset } = bounds(range);
  if (lines.lines.length === 0) {
    const slots = { path, lines: String(lines.total ?? 0), offset: String(offset) };
    return refused(context.prompts("tools/read/past-end", slots));
  }
  const text = lines.lines.map((line, at) => `${offset + at}\t${line}`).join("\n");
  return told([text, ...notes(lines, range, context)].join("\n\n"));
}

function notes(lines: LineRange, range: Input, { prompts }: RunContext): readonly string[] {
  const last = bounds(range).offset + lines.lines.length - 1;
  const next = String(last + 1);
  const more =
    lines.total === null
      ? prompts("tools/read/more", { next })
      : prompts("tools/read/more-of", { last: String(last), total: String(lines.total), next });
  const cut = prompts("tools/read/lines-cut", { limit: String(lineLimit) });
  return [...(lines.hasCutLines ? [cut] : []), ...(lines.hasMore ? [more] : [])];
}
