/** The Search port without any program: slower, for machines where there is no ripgrep. */
import { createContext, Script, type Context } from "node:vm";
import type { GrepQuery, GrepResult, Search } from "../../ports/ports.ts";
import { extensionsOf } from "../files/file-types.ts";
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
import { walkFiles } from "../files/walk.ts";
import { readRegular } from "../files/read-regular.ts";

export function createPlainSearch({ timeoutMs }: { readonly timeoutMs: number }): Search {
  return {
    async glob(query, signal) {
      const { pattern, root, limit } = query;
      const isWanted = pathFilter(pattern, query);
      const until = Date.now() + timeoutMs;
      const paths: string[] = [];
      let isWhole = true;
      for await (const path of walkFiles(root, signal)) {
        if (isWanted(path)) paths.push(path);
        isWhole = paths.length < mostCollected && Date.now() < until;
        if (!isWhole) break;
      }
      const found = await newestFirst(paths, limit);
      return { ...found, truncated: found.truncated || !isWhole };
    },
    async grep(query, signal) {
      const finder = createFinder(query, timeoutMs);
      return typeof finder === "string" ? { problem: finder } : search(query, finder, signal);
    },
  };
}

const mostHits = 5000;
const largestFile = 16 * 1024 * 1024;

/** Of each text the lines, from zero, where the pattern matches; null when there is no time left. */
type Finder = (texts: readonly string[]) => readonly (readonly number[])[] | null;

async function search(query: GrepQuery, find: Finder, signal: AbortSignal): Promise<GrepResult> {
  const extensions = query.type === undefined ? null : extensionsOf(query.type);
  if (extensions === undefined) return { problem: `unrecognized file type: ${query.type}` };
  const found: CountedFile[] = [];
  const hits: Hit[] = [];
  const isFull = (): boolean => found.length >= mostCollected || hits.length >= Math.max(mostHits, 2 * query.limit);
  let isWhole = true;
  for await (const batch of batches(query, extensions, signal)) {
    const lines = find(batch.map(({ text }) => text));
    batch.forEach(({ path, text }, at) => {
      const matches = lines?.[at] ?? [];
      if (matches.length === 0) return;
      found.push({ path, count: matches.length });
      if (query.mode === "content") hits.push(...withContext(path, text.split("\n"), { lines: matches, query }));
    });
    isWhole = lines !== null && !isFull();
    if (!isWhole) break;
  }
  if (!isWhole && found.length === 0) return { problem: "the search took too long" };
  const result = await written(query, found, hits);
  return result.problem === null ? { ...result, truncated: result.truncated || !isWhole } : result;
}

interface FileText {
  readonly path: string;
  readonly text: string;
}

const batchFiles = 64;
const batchSize = 4 * 1024 * 1024;

/** Files are read side by side and searched together: each run in the other context costs something. */
async function* batches(
  query: GrepQuery,
  extensions: RegExp | null,
  signal: AbortSignal,
): AsyncGenerator<readonly FileText[]> {
  const isWanted = pathFilter(query.glob, query);
  let batch: FileText[] = [];
  let size = 0;
  let reading: Promise<FileText | null>[] = [];
  const settle = async (): Promise<void> => {
    for (const file of await Promise.all(reading)) {
      if (file === null) continue;
      batch.push(file);
      size += file.text.length;
    }
    reading = [];
  };
  for await (const path of walkFiles(query.root, signal)) {
    if (!isWanted(path) || (extensions !== null && !extensions.test(path))) continue;
    reading.push(textOf(path));
    if (reading.length < batchFiles) continue;
    await settle();
    if (size < batchSize) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  await settle();
  if (batch.length > 0) yield batch;
}

async function written(query: GrepQuery, found: readonly CountedFile[], hits: readonly Hit[]): Promise<GrepResult> {
  switch (query.mode) {
    case "content":
      return contentLines(hits, query);
    case "count":
      return countLines(found, query);
    case "files_with_matches":
      return fileLines(found, query);
  }
}

function withContext(
  path: string,
  texts: readonly string[],
  { lines, query }: { readonly lines: readonly number[]; readonly query: GrepQuery },
): readonly Hit[] {
  const matches = new Set(lines);
  const shown = new Set<number>();
  const last = texts.at(-1) === "" ? texts.length - 2 : texts.length - 1;
  for (const at of lines) {
    const until = Math.min(last, at + (query.after ?? 0));
    for (let line = Math.max(0, at - (query.before ?? 0)); line <= until; line += 1) shown.add(line);
  }
  return [...shown].map((at) => ({
    path,
    line: at + 1,
    isMatch: matches.has(at),
    text: texts[at]!.replace(/\r$/, ""),
  }));
}

/** Binary, huge or unreadable: null. */
async function textOf(path: string): Promise<FileText | null> {
  const bytes = await readRegular(path, { limit: largestFile }).catch(() => null);
  if (bytes === null || bytes.includes(0)) return null;
  return { path, text: bytes.toString("utf8").replace(/^\uFEFF/, "") };
}

/** The pattern runs where it can be stopped: one that backtracks for ever must not hold the session. */
function createFinder({ pattern, ignoreCase, multiline }: GrepQuery, timeoutMs: number): Finder | string {
  const inline = /^\(\?([ims]+)\)/.exec(pattern);
  const flags = new Set(`${inline?.[1] ?? ""}${ignoreCase === true ? "i" : ""}${multiline === true ? "gms" : ""}`);
  const source = inline === null ? pattern : pattern.slice(inline[0].length);
  try {
    RegExp(source, [...flags].join(""));
  } catch (error) {
    return `regex parse error: ${error instanceof Error ? error.message : String(error)}`;
  }
  const context: Context = createContext({ source, flags: [...flags].join("") });
  const script = multiline === true ? spanScript : lineScript;
  const until = Date.now() + timeoutMs;
  return (texts) => {
    context["texts"] = texts;
    const timeout = until - Date.now();
    if (timeout <= 0) return null;
    try {
      return script.runInContext(context, { timeout }) as readonly (readonly number[])[];
    } catch {
      return null;
    }
  };
}

const lineScript = new Script(`{
  const pattern = new RegExp(source, flags);
  texts.map((text) => {
    const found = [], lines = text.split("\\n");
    if (lines.at(-1) === "") lines.pop();
    lines.forEach((line, at) => { if (pattern.test(line.endsWith("\\r") ? line.slice(0, -1) : line)) found.push(at); });
    return found;
  });
}`);

const spanScript = new Script(`{
  const pattern = new RegExp(source, flags);
  texts.map((text) => {
    const found = new Set(); let at = 0, from = 0;
    for (const match of text.matchAll(pattern)) {
      for (; from < match.index; from++) if (text[from] === "\\n") at++;
      found.add(at);
      const end = match.index + match[0].length;
      for (let next = from, line = at; next < end - 1; next++) if (text[next] === "\\n") found.add(++line);
    }
    return [...found];
  });
}`);
