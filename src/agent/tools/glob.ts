/** Finds files by a glob. */
import * as z from "zod";
import { shownPath } from "../host/search/search-filter.ts";
import { defineTool, type Tool } from "./tool.ts";
import { found, refused } from "./output.ts";
import { claimRead, judgedPathOf, missingFile } from "./paths.ts";

const input = z.strictObject({
  pattern: z.string().min(1),
  path: z.string().min(1).optional().describe("Folder; the working directory by default"),
});

export const globTool: Tool = defineTool<z.infer<typeof input>>({
  name: "Glob",
  claims: ["read"],
  show: ({ text }) => ({ about: text("pattern"), result: "matches" }),
  input,
  describe: (prompts) => prompts("tools/glob"),
  claim: ({ pattern, path }, context) => claimRead("Glob", splitPattern(pattern, path).folder, context),
  async run({ pattern, path }, context) {
    const root = judgedPathOf(context.access);
    if ((await context.files.stat(root)) === null) return refused(await missingFile(root, context));
    const { hidden } = context;
    const isHidden = await context.refused.isHidden();
    const query = { pattern: splitPattern(pattern, path).rest, root, limit: mostFiles, hidden, isHidden };
    const { paths, truncated } = await context.search.glob(query, context.signal);
    const lines = paths.map((path) => shownPath(path, context.directory));
    return found({ lines, isCut: truncated, pattern, path: root }, context.prompts);
  },
});

const mostFiles = 200;

/** The folders that a pattern names literally are where the search begins, and what is judged. */
function splitPattern(pattern: string, path = "."): { readonly folder: string; readonly rest: string } {
  const parts = pattern.replace(/\/+$/, "/**").split("/");
  const literal = parts.findIndex((part, at) => at === parts.length - 1 || /[*?[{]/.test(part));
  const before = parts.slice(0, literal).join("/");
  const rest = parts.slice(literal).join("/");
  if (literal === 0) return { folder: path, rest };
  const isFull = pattern.startsWith("/") || pattern.startsWith("~/");
  const folder = isFull ? before || "/" : `${path}/${before}`;
  return { folder, rest: `/${rest}` };
}
