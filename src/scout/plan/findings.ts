/** What the calls of a session have shown: lines that were read, definitions that fit, who imports whom, tests. */
import { isAbsolute, relative, resolve, sep } from "node:path";
import { fieldOf, type Made } from "./conversation.ts";
import { outputOf } from "./errand.ts";
import { graphOf } from "../look/graph.ts";
import { groupBy } from "../look/keyed.ts";
import { importsOf } from "../look/imports.ts";
import { definitionHead, importHead } from "./look.ts";
import { clipped, hasCases, shortFormOf, testsByName } from "../rank/names.ts";
import type { RankedFile } from "../rank/rank.ts";
import { blocksOf, definedOn, spotsAmong, type Definition, type FoundLine, type Line, type Spot } from "./spots.ts";
import { fitOf, type Fit } from "./telling.ts";

export interface Findings {
  /** Path → what was read of it. */
  readonly texts: ReadonlyMap<string, readonly Line[]>;
  /** Asked for and not given, or empty. */
  readonly unread: ReadonlySet<string>;
  /** Definitions that fit the task, best first. */
  readonly spots: readonly Spot[];
  readonly fit: Fit;
  /** Where others import that path. */
  readonly importersOf: (path: string) => readonly FoundLine[];
  /** The search for imports was cut short: there may be more. */
  readonly hasMoreImporters: boolean;
  /** Every path that a search gave. */
  readonly seen: readonly string[];
}

export interface WorkPlace {
  readonly root: string;
  /** Where the tools work: their short paths begin there. */
  readonly directory: string;
}

export function gatherFindings(calls: readonly Made[], place: WorkPlace, task: string): Findings {
  const texts = new Map<string, readonly Line[]>();
  const unread = new Set<string>();
  const seen = new Set<string>();
  const found: Definition[] = [];
  let hasMoreImporters = false;
  const imports: FoundLine[] = [];
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
    if (tool === "Glob") addPaths(call, place, seen);
    if (tool !== "Grep") continue;
    const hits = hitsOf(findsIn(call), place);
    for (const { path } of hits) seen.add(path);
    if (asked.startsWith(importHead)) imports.push(...hits);
    if (asked.startsWith(importHead) && outputOf(call).found?.isCut === true) hasMoreImporters = true;
    if (asked.startsWith(definitionHead)) found.push(...hits.flatMap(blockOn));
  }
  const blocks = [...texts].flatMap(([path, lines]) => blocksOf(path, lines));
  const all = [...blocks, ...found.filter(({ path }) => !texts.has(path))];
  const fit = fitOf(
    task,
    all.map(({ text }) => text),
  );
  const known = [...new Set([...texts.keys(), ...seen, ...imports.map(({ path }) => path)])];
  return {
    texts,
    unread,
    hasMoreImporters,
    seen: [...seen],
    spots: spotsAmong(all, fit),
    fit,
    importersOf: lookUpImporters(imports, known),
  };
}

/** Every path that a search gave, without more. */
export function seenIn(calls: readonly Made[], place: WorkPlace): readonly string[] {
  const seen = new Set<string>();
  for (const call of calls) if (call.tool === "Glob" && !call.isError) addPaths(call, place, seen);
  return [...seen];
}

/** Tests of these sources: those that bear their names; where there are none, those that import them and fit best. */
export function testsOf(
  sources: readonly RankedFile[],
  { seen, importersOf, texts, fit }: Findings,
  more: readonly string[],
): readonly string[] {
  const paths = [...new Set([...texts.keys(), ...seen, ...more])];
  const byName = sources.flatMap((source) =>
    paths
      .filter((path) => testsByName(path, source.path))
      .toSorted((left, right) => nearness(right, source.path) - nearness(left, source.path))
      .slice(0, 1),
  );
  if (byName.length > 0) return [...new Set(byName)];
  const users = sources.flatMap((source) => importersOf(source.path).map(({ path }) => path)).filter(hasCases);
  return [...new Set(users)].toSorted((left, right) => fit(right) - fit(left));
}

/** The test in these lines that sounds most like the task. */
export function caseIn(lines: readonly Line[], fit: Fit): (Line & { readonly title: string }) | null {
  const cases = lines.flatMap(({ line, text }) => {
    const title =
      /\b(?:test|it|describe)(?:\.\w+(?:\([^)]*\))?)?\(\s*(["'`])(.{3,160}?)\1/.exec(text)?.[2] ??
      /^\s*(?:async )?(?:def|func|fn) +(test\w*|Test\w+)/.exec(text)?.[1] ??
      /\bvoid +(\w*[tT]est\w*|should\w+) *\(/.exec(text)?.[1];
    return title === undefined ? [] : [{ line, text, title: clipped(title, 70) }];
  });
  return cases.toSorted((left, right) => fit(right.title) - fit(left.title) || left.line - right.line)[0] ?? null;
}

/** How many steps two paths share; of equals the shorter. */
export function nearness(left: string, right: string): number {
  const there = new Set(right.split("/"));
  return left.split("/").filter((step) => there.has(step)).length - left.split("/").length / 10;
}

function linesOf(result: string): Line[] {
  return result.split("\n").flatMap((raw) => {
    const match = /^(\d+)\t(.*)$/.exec(raw);
    return match === null ? [] : [{ line: Number(match[1]), text: match[2]! }];
  });
}

/** The lines of a search's text that are finds. */
function findsIn(call: Made): readonly string[] {
  return call.result.split("\n").slice(0, outputOf(call).found?.count);
}

function hitsOf(finds: readonly string[], place: WorkPlace): FoundLine[] {
  return finds.flatMap((raw) => {
    const match = /^(.+?):(\d+):(.*)$/.exec(raw);
    const path = match === null ? null : toPath(match[1]!, place);
    return path === null ? [] : [{ path, line: Number(match![2]), text: match![3]! }];
  });
}

function blockOn(hit: FoundLine): readonly Definition[] {
  const name = definedOn(hit.path, hit.text);
  return name === null ? [] : [{ ...hit, name }];
}

function lookUpImporters(hits: readonly FoundLine[], known: readonly string[]): Findings["importersOf"] {
  const importers = new Map<string, FoundLine[]>();
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
  return (path) => importers.get(path) ?? [];
}

function addPaths(call: Made, place: WorkPlace, paths: Set<string>): void {
  for (const shown of findsIn(call)) {
    const path = toPath(shown, place);
    if (path !== null) paths.add(path);
  }
}

/** Relative to the root; null for what lies outside. */
function toPath(shown: string, { root, directory }: WorkPlace): string | null {
  const path = relative(root, isAbsolute(shown) ? shown : resolve(directory, shown));
  return path === "" || path.startsWith("..") || isAbsolute(path) ? null : path.split(sep).join("/");
}
