/** The Search port by ripgrep: no configuration of the person or the project, no preprocessor, everything bounded. */
import { stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import type { GrepQuery, GrepResult, Search } from "../../ports/ports.ts";
import { childLines, type ChildEnd, type ChildLines } from "../shell/child-lines.ts";
import { findProgram, isExecutable } from "../launch/find-program.ts";
import { searchPath } from "../launch/search-path.ts";
import {
  contentLines,
  countLines,
  fileLines,
  mostCollected,
  newestFirst,
  pathFilter,
  type CountedFile,
  type Hit,
} from "./search-filter.ts";

export interface RipgrepOptions {
  readonly program: string;
  readonly timeoutMs: number;
}

export function createRipgrepSearch(options: RipgrepOptions): Search {
  return {
    async glob(query, signal) {
      const { pattern, root, limit } = query;
      const isWanted = pathFilter(pattern, query);
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
    grep: (query, signal) => searches[query.mode](query, signal, options),
  };
}

/** The program that comes with us, else the one on the person's path, never one of the project; null where there is none. */
export async function findRipgrep(): Promise<string | null> {
  const ours = await bundledRipgrep();
  if (ours !== null) return ours;
  const { PATH: path, HOME: home } = process.env;
  return findProgram("rg", searchPath({ path, directories: [process.cwd()], home }));
}

export async function bundledRipgrep(): Promise<string | null> {
  const name = process.platform === "win32" ? "rg.exe" : "rg";
  try {
    const library = createRequire(import.meta.url).resolve("@vscode/ripgrep");
    const ours = createRequire(library).resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${name}`);
    return isExecutable(ours) ? ours : null;
  } catch {
    return null;
  }
}

/** How the answers of one mode are asked for, read and told. */
interface GrepForm<Found extends { readonly path: string }> {
  readonly args: (query: GrepQuery) => readonly string[];
  readonly separator: "\0" | "\n";
  /** Null for a piece that is no answer. */
  readonly read: (piece: string) => Found | null;
  readonly most: (query: GrepQuery) => number;
  readonly tell: (found: readonly Found[], query: GrepQuery) => GrepResult | Promise<GrepResult>;
}

type GrepSearch = (query: GrepQuery, signal: AbortSignal, options: RipgrepOptions) => Promise<GrepResult>;

function grepBy<Found extends { readonly path: string }>(form: GrepForm<Found>): GrepSearch {
  return async (query, signal, options) => {
    const isWanted = pathFilter(query.glob, query);
    const found: Found[] = [];
    const most = form.most(query);
    const end = await run(options, {
      args: [...form.args(query), ...patternArgs(query)],
      root: query.root,
      signal,
      separator: form.separator,
      onPiece: (piece) => {
        const one = form.read(piece);
        if (one !== null && isWanted(one.path)) found.push(one);
        return found.length < most;
      },
    });
    return concluded(end, found.length > 0, await form.tell(found, query));
  };
}

const searches: Readonly<Record<GrepQuery["mode"], GrepSearch>> = {
  files_with_matches: grepBy({
    args: () => ["--files-with-matches", "--null"],
    separator: "\0",
    read: (path) => ({ path }),
    most: () => mostCollected,
    tell: fileLines,
  }),
  count: grepBy({
    args: () => ["--count", "--null", "--with-filename"],
    separator: "\n",
    read: (line): CountedFile | null => {
      const at = line.indexOf("\0");
      return at > 0 ? { path: line.slice(0, at), count: Number(line.slice(at + 1)) } : null;
    },
    most: () => mostCollected,
    tell: countLines,
  }),
  content: grepBy({
    args: ({ before = 0, after = 0 }) => {
      const context = [`--before-context=${before}`, `--after-context=${after}`];
      return ["--line-number", "--null", "--with-filename", "--no-heading", ...context];
    },
    separator: "\n",
    read: (line): Hit | null => {
      const at = line.indexOf("\0");
      const parts = /^(\d+)([:-])(.*)$/s.exec(line.slice(at + 1));
      if (at < 0 || parts === null) return null;
      const text = parts[3]!.replace(/\r$/, "");
      return { path: line.slice(0, at), line: Number(parts[1]), isMatch: parts[2] === ":", text };
    },
    most: ({ limit }) => Math.max(mostHits, 2 * limit),
    tell: contentLines,
  }),
};

/** Beyond this the order of files is as they came. */
const mostHits = 5000;
const always =
  "--no-config --hidden --no-require-git --no-ignore-global --no-messages --color=never --glob=!.git".split(" ");

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
