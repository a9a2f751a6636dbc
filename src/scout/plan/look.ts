/** The first look at a repository: which tool calls tell most about the best candidates. */
import { join, posix } from "node:path";
import { kindOf } from "../look/kinds.ts";
import { shortFormOf } from "../rank/names.ts";
import type { Ranking } from "../rank/rank.ts";
import { tellingWords } from "./telling.ts";
import { stem } from "../look/words.ts";

export interface WantedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export const definitionHead =
  "\\b(?:function|class|interface|type|const|def|fn|func|struct|enum|trait|module)\\s+\\w*(?:";
export const importHead = "\\b(?:from|import|require|use|include|mod)\\b.*\\b(?:";

const mostWords = 6;
const mostNames = 6;
const mostLines = 1000;

export function firstLook(task: string, ranking: Ranking, paths: readonly string[]): readonly WantedCall[] {
  const sources = ranking.files.filter(({ path }) => kindOf(path) === "source").map(({ path }) => path);
  const best = paths.filter((path) => kindOf(path) === "source").concat(sources.slice(0, 2));
  const names = [...new Set(best.map(shortFormOf))].slice(0, mostNames);
  const words = tellingWords(task)
    .map((word) => stem(word.toLowerCase()))
    .filter((word) => word.length > 2);
  const looks: WantedCall[] = [];
  if (words.length > 0)
    looks.push(grep(`${definitionHead}${words.slice(0, mostWords).map(literal).join("|")})\\w*`, ranking));
  if (names.length > 0) looks.push(grep(`${importHead}${names.map(literal).join("|")})\\b`, ranking));
  looks.push(
    ...names
      .slice(0, 3)
      .map((name) => ({ tool: "Glob", input: { pattern: `**/*${globLiteral(name)}*`, path: ranking.root } })),
  );
  return [...looks, ...paths.map((path) => readOf(path, ranking))];
}

export function readOf(path: string, { root }: Pick<Ranking, "root">): WantedCall {
  return { tool: "Read", input: { file_path: join(root, path), limit: mostLines } };
}

/** Looks for a file that a person named and that the ranking does not know. */
export function findOf(name: string, { root }: Pick<Ranking, "root">): WantedCall {
  return {
    tool: "Glob",
    input: { pattern: `**/${globLiteral(posix.normalize(name).replace(/^(?:\.\.?\/)+/, ""))}`, path: root },
  };
}

function grep(pattern: string, { root }: Ranking): WantedCall {
  const isDefinition = pattern.startsWith(definitionHead);
  return {
    tool: "Grep",
    input: { pattern, path: root, output_mode: "content", head_limit: 400, ...(isDefinition ? { "-i": true } : {}) },
  };
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function globLiteral(text: string): string {
  return text.replace(/[*?[\]{}!\\]/g, "?");
}
