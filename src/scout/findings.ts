/** What the calls of a session have shown: lines that were read, definitions that fit, who imports whom, tests. */
import { isAbsolute, relative, resolve, sep } from "node:path";
import { fieldOf, type Made } from "./conversation.ts";
import { graphOf } from "./graph.ts";
import { groupBy } from "./group.ts";
import { importsOf } from "./imports.ts";
import { definitionHead, importHead } from "./look.ts";
import { isTest, shortFormOf, testsByName } from "./names.ts";
import { symbolsOf } from "./symbols.ts";
import type { Fit } from "./telling.ts";

export interface Line {
  readonly line: number;
  readonly text: string;
}

export interface Definition extends Line {
  readonly name: string;
  readonly path: string;
  readonly fit: number;
}

export interface Findings {
  /** Path → what was read of it. */
  readonly texts: ReadonlyMap<string, readonly Line[]>;
  /** Asked for and not given, or empty. */
  readonly unread: ReadonlySet<string>;
  readonly definitions: readonly Definition[];
  /** Path → where others import it. */
  readonly importers: ReadonlyMap<string, readonly (Line & { readonly path: string })[]>;
  /** Every path that a search gave. */
  readonly seen: readonly string[];
}

export interface Place {
  readonly root: string;
  /** Where the tools work: their short paths begin there. */
  readonly directory: string;
}

export function gatherFindings(calls: readonly Made[], place: Place, fit: Fit): Findings {
  const texts = new Map<string, readonly Line[]>();
  const unread = new Set<string>();
  const seen = new Set<string>();
  const found: Definition[] = [];
  const imports: (Line & { path: string })[] = [];
  for (const call of calls) {
    const { tool, result, isError } = call;
    const asked = fieldOf(call, tool === "Read" ? "file_path" : "pattern");
    if (tool === "Read") {
      const path = toPath(asked, place);
      const lines = isError ? [] : linesOf(result);
      if (path === null) continue;
      if (lines.length === 0) unread.add(path);
      else texts.set(path, lines);
    }
    if (isError) continue;
    if (tool === "Glob") for (const path of result.split("\n")) addPath(path, place, seen);
    if (tool !== "Grep") continue;
    const hits = hitsOf(result, place);
    for (const { path } of hits) seen.add(path);
    if (asked.startsWith(importHead)) imports.push(...hits);
    if (asked.startsWith(definitionHead)) found.push(...hits.flatMap((hit) => definedIn(hit.path, [hit], fit)));
  }
  for (const [path, lines] of texts) found.push(...definedIn(path, lines, fit));
  const known = [...new Set([...texts.keys(), ...seen, ...imports.map(({ path }) => path)])];
  return { texts, unread, seen: [...seen], definitions: bestOf(found), importers: importersOf(imports, known) };
}

/** Tests of a source: those that bear its name, then those that import it. */
export function testsOf(
  source: string,
  { seen, importers, texts }: Findings,
  more: readonly string[],
): readonly string[] {
  const paths = [...new Set([...texts.keys(), ...seen, ...more])];
  const byName = paths.filter((path) => testsByName(path, source));
  const byImport = (importers.get(source) ?? []).map(({ path }) => path).filter(isTest);
  return [...new Set([...byName, ...byImport])];
}

/** The test in these lines that sounds most like the task. */
export function caseIn(lines: readonly Line[], fit: Fit): (Line & { readonly title: string }) | null {
  const cases = lines.flatMap(({ line, text }) => {
    const title =
      /\b(?:test|it|describe)(?:\.\w+(?:\([^)]*\))?)?\(\s*(["'`])(.{3,160}?)\1/.exec(text)?.[2] ??
      /^\s*(?:async )?(?:def|func|fn) +(test\w*|Test\w+)/.exec(text)?.[1] ??
      /\bvoid +(\w*[tT]est\w*|should\w+) *\(/.exec(text)?.[1];
    return title === undefined
      ? []
      : [{ line, text, title: title.length > 70 ? `${title.slice(0, 69).trimEnd()}…` : title }];
  });
  return cases.toSorted((left, right) => fit(right.title) - fit(left.title) || left.line - right.line)[0] ?? null;
}

function linesOf(result: string): Line[] {
  return result.split("\n").flatMap((raw) => {
    const match = /^(\d+)\t(.*)$/.exec(raw);
    return match === null ? [] : [{ line: Number(match[1]), text: match[2]! }];
  });
}

function hitsOf(result: string, place: Place): (Line & { path: string })[] {
  return result.split("\n").flatMap((raw) => {
    const match = /^(.+?):(\d+):(.*)$/.exec(raw);
    const path = match === null ? null : toPath(match[1]!, place);
    return path === null ? [] : [{ path, line: Number(match![2]), text: match![3]! }];
  });
}

function definedIn(path: string, lines: readonly Line[], fit: Fit): Definition[] {
  return lines.flatMap(({ line, text }) => {
    if (text.length > 400) return [];
    return symbolsOf(path, text)
      .map((name) => ({ name, path, line, text: text.trim(), fit: fit(name) }))
      .filter((definition) => definition.fit > 0);
  });
}

/** Each name once in a file, the best first. */
function bestOf(found: readonly Definition[]): readonly Definition[] {
  const byName = new Map<string, Definition>();
  for (const one of found) {
    const key = `${one.path}\0${one.name}`;
    if (!byName.has(key)) byName.set(key, one);
  }
  return [...byName.values()].toSorted(
    (left, right) =>
      right.fit - left.fit || (left.path < right.path ? -1 : left.path > right.path ? 1 : left.line - right.line),
  );
}

function importersOf(hits: readonly (Line & { path: string })[], known: readonly string[]): Findings["importers"] {
  const importers = new Map<string, (Line & { path: string })[]>();
  const byPath = groupBy(hits, ({ path }) => path);
  const text = (path: string): string => (byPath.get(path) ?? []).map((hit) => hit.text).join("\n");
  const { uses } = graphOf(
    known,
    known.map((path) => (byPath.has(path) ? importsOf(path, text(path)) : [])),
  );
  for (const [at, path] of known.entries()) {
    for (const used of uses[at]!.map((index) => known[index]!)) {
      const line = byPath.get(path)!.find((hit) => hit.text.includes(shortFormOf(used)));
      if (line !== undefined) importers.set(used, [...(importers.get(used) ?? []), line]);
    }
  }
  return importers;
}

function addPath(shown: string, place: Place, paths: Set<string>): void {
  if (shown.trim() === "" || /^(?:Nothing found for|Only the first) /.test(shown)) return;
  const path = toPath(shown, place);
  if (path !== null) paths.add(path);
}

/** Relative to the root; null for what lies outside. */
function toPath(shown: string, { root, directory }: Place): string | null {
  const path = relative(root, isAbsolute(shown) ? shown : resolve(directory, shown));
  return path === "" || path.startsWith("..") || isAbsolute(path) ? null : path.split(sep).join("/");
}
