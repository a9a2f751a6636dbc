/** The Search port by ripgrep: no configuration of the person or the project, no preprocessor, everything bounded. */
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import type { GrepQuery, GrepResult, Search } from "../ports.ts";
import { childLines, type ChildEnd, type ChildLines } from "./child-lines.ts";
import {
  contentLines,
  countLines,
  fileLines,
  mostCollected,
  newestFirst,
  pathFilter,
  type Hit,
} from "./search-filter.ts";

export interface RipgrepOptions {
  readonly program: string;
  readonly timeoutMs: number;
}

export function createRipgrepSearch(options: RipgrepOptions): Search {
  return {
    async glob({ pattern, root, limit, hidden }, signal) {
      const isWanted = pathFilter(root, pattern, hidden);
      const paths: string[] = [];
      const end = await run(options, {
        args: ["--files", "--null"],
        root,
        signal,
        separator: "\0",
        onPiece: (path) => {
          if (isWanted(path)) paths.push(path);
          return paths.length < mostCollected;
        },
      });
      const found = await newestFirst(paths, limit);
      return { ...found, truncated: found.truncated || end.ended !== "whole" };
    },
    grep: (query, signal) => searches[query.mode](query, options, signal),
  };
}

/** The program that comes with us, else the one on the person's path; null where there is none. */
export async function findRipgrep(): Promise<string | null> {
  const ours = await import("@vscode/ripgrep").then(
    ({ rgPath }) => rgPath,
    () => null,
  );
  if (ours !== null && (await isProgram(ours))) return ours;
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    const candidate = join(folder, "rg");
    if (isAbsolute(folder) && (await isProgram(candidate))) return candidate;
  }
  return null;
}

type GrepSearch = (query: GrepQuery, options: RipgrepOptions, signal: AbortSignal) => Promise<GrepResult>;

const searches: Readonly<Record<GrepQuery["mode"], GrepSearch>> = {
  async files_with_matches(query, options, signal) {
    const isWanted = pathFilter(query.root, query.glob, query.hidden);
    const paths: string[] = [];
    const args = ["--files-with-matches", "--null", ...patternArgs(query)];
    const end = await run(options, {
      args,
      root: query.root,
      signal,
      separator: "\0",
      onPiece: (path) => {
        if (isWanted(path)) paths.push(path);
        return paths.length < mostCollected;
      },
    });
    return concluded(end, paths.length > 0, await fileLines(paths, query));
  },
  async count(query, options, signal) {
    const isWanted = pathFilter(query.root, query.glob, query.hidden);
    const counts: [string, number][] = [];
    const args = ["--count", "--null", "--with-filename", ...patternArgs(query)];
    const end = await run(options, {
      args,
      root: query.root,
      signal,
      separator: "\n",
      onPiece: (line) => {
        const at = line.indexOf("\0");
        const path = line.slice(0, at);
        if (at > 0 && isWanted(path)) counts.push([path, Number(line.slice(at + 1))]);
        return counts.length < mostCollected;
      },
    });
    return concluded(end, counts.length > 0, countLines(counts, query));
  },
  async content(query, options, signal) {
    const isWanted = pathFilter(query.root, query.glob, query.hidden);
    const hits: Hit[] = [];
    const context = [`--before-context=${query.before ?? 0}`, `--after-context=${query.after ?? 0}`];
    const args = ["--line-number", "--null", "--with-filename", "--no-heading", ...context, ...patternArgs(query)];
    const end = await run(options, {
      args,
      root: query.root,
      signal,
      separator: "\n",
      onPiece: (line) => {
        const at = line.indexOf("\0");
        const path = line.slice(0, at);
        const parts = /^(\d+)([:-])(.*)$/s.exec(line.slice(at + 1));
        if (at < 0 || parts === null || !isWanted(path)) return true;
        hits.push({ path, line: Number(parts[1]), isMatch: parts[2] === ":", text: parts[3]!.replace(/\r$/, "") });
        return hits.length < Math.max(mostHits, 2 * query.limit);
      },
    });
    return concluded(end, hits.length > 0, contentLines(hits, query));
  },
};

/** Beyond this the order of files is as they came. */
const mostHits = 5000;
const always = [
  "--no-config",
  "--hidden",
  "--no-require-git",
  "--no-ignore-global",
  "--no-messages",
  "--color=never",
  "--glob=!.git",
];

function patternArgs({ pattern, type, glob, ignoreCase, multiline }: GrepQuery): readonly string[] {
  const isName = glob !== undefined && type === undefined && !/[/!:]/.test(glob);
  return [
    ...(type === undefined ? [] : [`--type=${type}`]),
    ...(isName ? [`--type-add=wanted:${glob}`, "--type=wanted"] : []),
    ...(ignoreCase === true ? ["--ignore-case"] : []),
    ...(multiline === true ? ["--multiline", "--multiline-dotall"] : []),
    `--regexp=${pattern}`,
  ];
}

type Run = Pick<ChildLines, "args" | "separator" | "signal" | "onPiece"> & { readonly root: string };

async function run({ program, timeoutMs }: RipgrepOptions, { args, root, ...rest }: Run): Promise<ChildEnd> {
  const isFolder = (await stat(root).catch(() => null))?.isDirectory() === true;
  const directory = isFolder ? root : dirname(root);
  return childLines({ program, args: [...always, ...args, "--", root], directory, timeoutMs, ...rest });
}

/** Exit code 2 without a hit is a pattern or a type that it does not understand. */
function concluded(end: ChildEnd, hasHits: boolean, result: GrepResult): GrepResult {
  if (result.problem !== null) return result;
  if (!hasHits && end.ended === "late") return { problem: "the search took too long" };
  if (!hasHits && end.code === 2 && end.stderr.trim() !== "") {
    return { problem: end.stderr.trim().replace(/^rg: /, "").slice(0, 500) };
  }
  return { ...result, truncated: result.truncated || end.ended !== "whole" };
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
