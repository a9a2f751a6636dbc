/** Searches file contents. */
import * as z from "zod";
import type { GrepQuery } from "../ports/ports.ts";
import { defineTool, type Tool } from "./tool.ts";
import { found, refused } from "./output.ts";
import { claimRead, judgedPathOf, missingFile } from "./paths.ts";

const lines = z.int().min(0).max(1000).optional();
const input = z.strictObject({
  pattern: z.string().min(1),
  path: z.string().min(1).optional().describe("File or folder"),
  glob: z.string().min(1).optional().describe("Only files like `*.ts`"),
  type: z
    .string()
    .regex(/^\w[\w.+-]*$/)
    .optional()
    .describe("File type: ts, py, rust …"),
  output_mode: z.enum(["files_with_matches", "content", "count"]).optional(),
  "-i": z.boolean().optional().describe("Ignore case"),
  "-n": z.boolean().optional().describe("Line numbers (default true)"),
  "-A": lines.describe("Lines after"),
  "-B": lines.describe("Lines before"),
  "-C": lines.describe("Lines around"),
  multiline: z.boolean().optional().describe("Match across lines"),
  head_limit: z.int().min(0).optional().describe("Most results (default 250)"),
});

type Input = z.infer<typeof input>;

export const grepTool: Tool = defineTool<Input>({
  name: "Grep",
  claims: ["read"],
  show: ({ text, path }) => ({ about: aboutSearch(text("pattern"), text("glob") || path("path")), result: "matches" }),
  input,
  describe: (prompts) => prompts("tools/grep"),
  claim: ({ path = "." }, context) => claimRead("Grep", path, context),
  async run(asked, context) {
    const root = judgedPathOf(context.access);
    if ((await context.files.stat(root)) === null) return refused(await missingFile(root, context));
    const isHidden = await context.refused.isHidden();
    const query = { ...queryOf(asked), root, hidden: context.hidden, isHidden, base: context.directory };
    const result = await context.search.grep(query, context.signal);
    if (result.problem !== null) {
      return refused(context.prompts("tools/grep/problem", { problem: result.problem }));
    }
    const lines = withinLimit(result.lines);
    const isCut = result.truncated || lines.length < result.lines.length;
    return found({ lines, isCut, pattern: asked.pattern, path: root }, context.prompts);
  },
});

const defaultResults = 250;
const mostResults = 2000;
const textLimit = 40_000;

function queryOf(asked: Input): Omit<GrepQuery, "root" | "hidden"> {
  const { pattern, glob, type, output_mode: mode = "files_with_matches", multiline } = asked;
  const limit = asked.head_limit === 0 ? mostResults : Math.min(asked.head_limit ?? defaultResults, mostResults);
  return {
    pattern,
    mode,
    limit,
    before: asked["-B"] ?? asked["-C"] ?? 0,
    after: asked["-A"] ?? asked["-C"] ?? 0,
    ignoreCase: asked["-i"] ?? false,
    lineNumbers: asked["-n"] ?? true,
    multiline: multiline ?? false,
    ...(glob === undefined ? {} : { glob }),
    ...(type === undefined ? {} : { type }),
  };
}

function withinLimit(lines: readonly string[]): readonly string[] {
  let size = 0;
  const until = lines.findIndex((line) => (size += line.length + 1) > textLimit);
  return until < 0 ? lines : lines.slice(0, Math.max(1, until));
}

function aboutSearch(pattern: string, where: string): string {
  return where === "" ? `"${pattern}"` : `"${pattern}" in ${where}`;
}
