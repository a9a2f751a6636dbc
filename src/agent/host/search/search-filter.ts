/** What both search drivers share: which paths count, and how hits are ordered and written. */
import { lstat } from "node:fs/promises";
import { basename, relative } from "node:path";
import { isInside } from "../../../core/decide/access.ts";
import { parseGlob } from "../../../core/decide/glob.ts";
import type { GlobResult, GrepQuery, GrepResult } from "../../ports/ports.ts";

/** More hits than this are not sorted, only cut. */
export const mostCollected = 20_000;
const longestLine = 500;

export interface Hit {
  readonly path: string;
  readonly line: number;
  readonly isMatch: boolean;
  readonly text: string;
}

/** Deny rules hide; a glob without a slash holds for names in every folder, with one from the root; `!` turns it round. */
export function pathFilter(
  glob: string | undefined,
  { root, hidden, isHidden }: Pick<GrepQuery, "root" | "hidden" | "isHidden">,
): (path: string) => boolean {
  const denied = hidden.map((glob) => parseGlob(glob.normalize("NFC")));
  const isNegated = glob?.startsWith("!") === true;
  const wanted = glob === undefined ? null : parseGlob(anchored(isNegated ? glob.slice(1) : glob));
  return (path) => {
    if (!isInside(path, root) || denied.some((pattern) => pattern.test(path.normalize("NFC")))) return false;
    const inside = path === root ? basename(path) : relative(root, path);
    if (wanted !== null && wanted.test(`/${inside}`) === isNegated) return false;
    return isHidden?.(path) !== true;
  };
}

export async function newestFirst(paths: readonly string[], limit: number): Promise<GlobResult> {
  const times = await Promise.all(paths.map(async (path) => ({ path, time: await changedAt(path) })));
  const sorted = times.toSorted((a, b) => b.time - a.time || (a.path < b.path ? -1 : 1)).map(({ path }) => path);
  return { paths: sorted.slice(0, limit), truncated: sorted.length > limit };
}

/** Hits come file by file; the files are put in order, their hits stay in theirs. */
export function contentLines(hits: readonly Hit[], query: GrepQuery): GrepResult {
  const hasContext = (query.before ?? 0) > 0 || (query.after ?? 0) > 0;
  const sorted = hits.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
  const lines: string[] = [];
  sorted.forEach((hit, at) => {
    const last = sorted[at - 1];
    if (hasContext && last !== undefined && (last.path !== hit.path || last.line + 1 < hit.line)) lines.push("--");
    const mark = hit.isMatch ? ":" : "-";
    const number = query.lineNumbers === false ? "" : `${hit.line}${mark}`;
    lines.push(`${shownPath(hit.path, query.base)}${mark}${number}${shortened(hit.text)}`);
  });
  return { lines: lines.slice(0, query.limit), truncated: lines.length > query.limit, problem: null };
}

export interface CountedFile {
  readonly path: string;
  readonly count: number;
}

export function countLines(counts: readonly CountedFile[], query: GrepQuery): GrepResult {
  const sorted = counts.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const lines = sorted.map(({ path, count }) => `${shownPath(path, query.base)}:${count}`);
  return { lines: lines.slice(0, query.limit), truncated: lines.length > query.limit, problem: null };
}

export async function fileLines(files: readonly { readonly path: string }[], query: GrepQuery): Promise<GrepResult> {
  const paths = files.map(({ path }) => path);
  const { paths: sorted, truncated } = await newestFirst(paths, query.limit);
  return { lines: sorted.map((path) => shownPath(path, query.base)), truncated, problem: null };
}

export function shownPath(path: string, base: string | undefined): string {
  return base !== undefined && path !== base && isInside(path, base) ? relative(base, path) : path;
}

function anchored(glob: string): string {
  if (glob.startsWith("/")) return glob;
  const plain = glob.replace(/^(\.\/)+/, "");
  return plain.includes("/") ? `/${plain}` : `/**/${plain}`;
}

function shortened(text: string): string {
  return text.length > longestLine ? `${text.slice(0, longestLine)}…` : text;
}

async function changedAt(path: string): Promise<number> {
  return (await lstat(path).catch(() => null))?.mtimeMs ?? 0;
}
