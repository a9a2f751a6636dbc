/** Scores files by the words of the task: in their content, in the names they define, in their paths. */
import { posix } from "node:path";
import { remember } from "./keyed.ts";
import { bareName, folderOf } from "./paths.ts";
import type { Survey } from "./survey.ts";
import type { Task } from "../rank/task.ts";
import { blankColumns, type Column, type Columns } from "../rank/weights.ts";
import { termsOfName } from "./words.ts";

const measured = ["content", "defined", "definedNames", "fused", "path", "base", "cover"] as const;

interface Term {
  readonly text: string;
  readonly weight: number;
  readonly isName: boolean;
  readonly counts: Uint8Array;
  readonly defines: Uint8Array;
  readonly inBase: Uint8Array;
  readonly inFolder: Uint8Array;
}

export interface Matches {
  /** Index term → its weight in the task times its rarity here. */
  readonly worths: ReadonlyMap<string, number>;
  readonly columns: Columns<(typeof measured)[number] | "mention">;
}

export function matchText(task: Task, survey: Survey): Matches {
  const { paths, extracts } = survey;
  const terms = findTerms(task, survey);
  const lengths = Float64Array.from(extracts, ({ length }) => length);
  const definedLengths = Float64Array.from(extracts, ({ defined }) => defined.length);
  const size = paths.length;
  const columns = { ...blankColumns(size, measured), mention: mentionsOf(task, paths) };
  const contentNorm = normsOf(lengths, 0.4);
  const definedNorm = normsOf(definedLengths, 0.5);
  for (const term of terms) {
    const contentIdf = term.weight * rarity(present(term.counts), size);
    const definedIdf = term.weight * rarity(present(term.defines), size);
    const pathIdf = term.weight * rarity(present(term.inBase, term.inFolder), size);
    const fusedIdf = term.weight * rarity(present(term.counts, term.inBase, term.inFolder), size);
    for (let file = 0; file < size; file += 1) {
      const count = term.counts[file]!;
      const defines = term.defines[file]!;
      const base = term.inBase[file]!;
      const folder = term.inFolder[file]!;
      if (count + base + folder === 0) continue;
      columns.content[file]! += contentIdf * saturate(count, 1.2 * contentNorm[file]!);
      columns.defined[file]! += definedIdf * saturate(defines, definedNorm[file]!);
      if (term.isName && defines > 0) columns.definedNames[file]! += definedIdf;
      columns.path[file]! += pathIdf * saturate(2 * base + folder, 1);
      if (base > 0) columns.base[file]! += pathIdf;
      const mixed = count / contentNorm[file]! + (3 * defines) / definedNorm[file]! + 6 * base + 2 * folder;
      columns.fused[file]! += fusedIdf * saturate(mixed, 1.5);
    }
  }
  coverNames(task, paths, columns.cover);
  const worths = new Map(terms.map(({ text, weight, counts }) => [text, weight * rarity(present(counts), size)]));
  return { worths, columns };
}

function findTerms(task: Task, { paths, extracts, words }: Survey): readonly Term[] {
  const slots = new Int32Array(words.length).fill(-1);
  const size = paths.length;
  const terms: Term[] = [...task.terms].map(([text, weight]) => ({
    text,
    weight,
    isName: task.names.has(text),
    counts: new Uint8Array(size),
    defines: new Uint8Array(size),
    inBase: new Uint8Array(size),
    inFolder: new Uint8Array(size),
  }));
  const slotOf = new Map(terms.map(({ text }, slot) => [text, slot]));
  for (const [id, word] of words.entries()) slots[id] = slotOf.get(word) ?? -1;
  for (const [file, extract] of extracts.entries()) {
    for (let at = 0; at < extract.terms.length; at += 1) {
      const slot = slots[extract.terms[at]!]!;
      if (slot >= 0) terms[slot]!.counts[file] = extract.counts[at]!;
    }
    for (const id of extract.defined) if (slots[id]! >= 0) terms[slots[id]!]!.defines[file] = 1;
  }
  const termsOf = remember(termsOfName);
  const folderTerms = remember((folder: string) => folder.split("/").flatMap(termsOf));
  for (const [file, path] of paths.entries()) {
    const name = posix.basename(path);
    for (const term of termsOf(name)) mark(slotOf.get(term), file, "inBase");
    for (const piece of name.split(".")) for (const term of termsOf(piece)) mark(slotOf.get(term), file, "inBase");
    for (const term of folderTerms(folderOf(path))) mark(slotOf.get(term), file, "inFolder");
  }
  return terms;

  function mark(slot: number | undefined, file: number, field: "inBase" | "inFolder"): void {
    if (slot !== undefined) terms[slot]![field][file] = 1;
  }
}

/** How much of a file's own name the task says, each part by its rarity among names. */
function coverNames(task: Task, paths: readonly string[], cover: Column): void {
  const partsOf = remember((name: string) => [...new Set(termsOfName(name))]);
  const parts = paths.map((path) => partsOf(bareName(path)));
  const spread = new Map<string, number>();
  for (const names of parts) for (const name of names) spread.set(name, (spread.get(name) ?? 0) + 1);
  for (const [file, names] of parts.entries()) {
    let all = 0;
    let said = 0;
    for (const name of names) {
      const worth = rarity(spread.get(name)!, paths.length);
      all += worth;
      said += worth * Math.min(1, task.terms.get(name) ?? 0);
    }
    cover[file] = all === 0 ? 0 : said / all;
  }
}

function mentionsOf(task: Task, paths: readonly string[]): Column {
  const mentions = new Float64Array(paths.length);
  if (task.paths.length === 0) return mentions;
  for (const [file, path] of paths.entries()) {
    const whole = `/${path.toLowerCase()}`;
    for (const said of task.paths) {
      if (whole.endsWith(`/${said}`)) mentions[file] = Math.max(mentions[file]!, said.includes("/") ? 1 : 0.8);
      else if (said.includes("/") && whole.includes(`/${said}/`)) mentions[file] = Math.max(mentions[file]!, 0.3);
      else if (said.includes("/") && whole.replace(/\.\w+$/, "").endsWith(`/${said}`)) mentions[file] = 0.8;
    }
  }
  return mentions;
}

function normsOf(lengths: Float64Array, share: number): Float64Array {
  const filled = lengths.filter((length) => length > 0);
  const mean = filled.reduce((sum, length) => sum + length, 0) / (filled.length || 1) || 1;
  return lengths.map((length) => 1 - share + (share * length) / mean);
}

export function saturate(count: number, half: number): number {
  return count === 0 ? 0 : (count * 2.2) / (count + half);
}

export function rarity(having: number, all: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5));
}

function present(...fields: readonly Uint8Array[]): number {
  let count = 0;
  const [first, ...rest] = fields;
  for (let file = 0; file < first!.length; file += 1) {
    if (first![file]! > 0 || rest.some((field) => field[file]! > 0)) count += 1;
  }
  return count;
}
