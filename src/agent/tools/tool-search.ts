/** Finds tools that a request tells only by name, so that the next one describes them (R6.2, B14.2). */
import * as z from "zod";
import type { ToolDescription } from "../ports/model.ts";
import { defineTool, type Tool } from "./tool.ts";
import { refused, told } from "./output.ts";

export interface FindableTool extends Pick<ToolDescription, "name" | "description"> {
  readonly hint: string;
}

const input = z.strictObject({ query: z.string().min(1), max_results: z.int().min(1).max(20).default(5) });

export function createToolSearch(tools: readonly FindableTool[]): Tool {
  return defineTool<z.infer<typeof input>>({
    name: "ToolSearch",
    claims: ["note"],
    input,
    describe: (prompts) => prompts("tools/tool-search", { names: namesOf(tools) }),
    claim: () => ({ access: { kind: "note" }, subjects: [{ rule: "ToolSearch" }] }),
    async run({ query, max_results: most }, { prompts }) {
      const loaded = findTools(tools, query).slice(0, most);
      if (loaded.length === 0) return refused(prompts("tools/tool-search/none", { query }));
      return { ...told(prompts("tools/tool-search/found", { names: loaded.join(", ") })), loaded };
    },
  });
}

/** By name, or by how many of the words are in name, hint and description; the best ones first. */
export function findTools(tools: readonly FindableTool[], query: string): readonly string[] {
  const chosen = /^\s*select:(.*)$/is.exec(query)?.[1];
  if (chosen !== undefined) {
    const wanted = new Set(chosen.split(",").map((name) => name.trim().toLowerCase()));
    return tools.filter(({ name }) => wanted.has(name.toLowerCase())).map(({ name }) => name);
  }
  const words = wordsOf(query);
  const scored = tools
    .map((tool) => ({ name: tool.name, score: scoreOf(tool, words) }))
    .toSorted((one, other) => other.score - one.score);
  const best = scored[0]?.score ?? 0;
  return scored.filter(({ score }) => score > 0 && score * 2 >= best).map(({ name }) => name);
}

function scoreOf({ name, description, hint }: FindableTool, words: readonly string[]): number {
  const [inName, inHint, inText] = [name, hint, description].map((text) => new Set(wordsOf(text)));
  const points = words.map(
    (word) => (inName!.has(word) ? 4 : 0) + (inHint!.has(word) ? 2 : 0) + (inText!.has(word) ? 1 : 0),
  );
  return points.reduce((sum, point) => sum + point, 0);
}

/** `mcp__github__createIssue` is found by any of its words. */
function wordsOf(text: string): readonly string[] {
  const parted = text.replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
  return parted.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Names cost bytes as well: the rest is found by words. */
function namesOf(tools: readonly FindableTool[]): string {
  const shown: string[] = [];
  let length = 0;
  for (const { name } of tools) {
    length += name.length + 2;
    if (length > mostNames) break;
    shown.push(name);
  }
  const left = tools.length - shown.length;
  return `${shown.join(", ")}${left === 0 ? "" : ` and ${left} more`}`;
}

const mostNames = 4_000;
