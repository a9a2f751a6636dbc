/** Plan files that no session is known of: the library tells of them what the file itself says (B5.3). */
import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { basename } from "node:path";
import { isInside } from "../../core/decide/access.ts";
import { hashText, isBlank } from "../../core/plan/hash.ts";
import { titleOf } from "../../core/plan/outline.ts";
import type { PlanEntry } from "./entry.ts";
import type { ImportedPlan } from "./imported.ts";
import { entriesIn } from "../host/files/entries.ts";
import { textAt } from "../host/files/read-regular.ts";
import { realOf } from "../host/launch/search-path.ts";
import { plansFolder } from "./places.ts";

export interface LooseFilesOptions {
  readonly configHome: string;
  readonly project: string;
  /** A further folder to look in; null for none. */
  readonly plansDirectory: string | null;
  readonly plans: ReadonlyMap<string, PlanEntry>;
  /** Files that running sessions hold although nothing is told of them yet. */
  readonly claimed: ReadonlySet<string>;
  /** Those that were taken in from other agents, by our file. */
  readonly imported: ReadonlyMap<string, ImportedPlan>;
}

/** New ones, and those that changed since they were told of. */
export function looseFiles(options: LooseFilesOptions): readonly PlanEntry[] {
  const { configHome, project, plansDirectory, plans, claimed } = options;
  const known = new Map([...plans.values()].map((plan) => [plan.file, plan]));
  /** Sessions know their plans by canonical paths. */
  const standard = realOf(plansFolder(configHome));
  const folders = new Set([...known.keys()].map((file) => file.slice(0, file.lastIndexOf("/"))));
  if (plansDirectory !== null) folders.add(plansDirectory);
  folders.delete(standard);
  const named = [...folders].flatMap((folder) => plansIn(folder).filter((file) => isOurName(basename(file))));
  const unknown = [...plansIn(standard), ...named].filter(
    (file) => (known.get(file)?.session ?? null) === null && !claimed.has(file) && isNews(file, known.get(file)),
  );
  return unknown.flatMap((file) => looseEntry(file, project, options.imported.get(file)) ?? []);
}

/** A plan that is known by its file alone: nobody can say who decided what on it. */
export function entryOfFile(
  file: string,
  { text, project, at }: { readonly text: string; readonly project: string; readonly at: number },
): PlanEntry {
  return {
    id: createHash("sha256").update(file, "utf8").digest("hex").slice(0, 16),
    file,
    title: titleOf(text),
    status: "draft",
    session: null,
    project: isInside(file, project) ? project : null,
    origin: { branch: null, commit: null },
    revisions: [],
    decisions: [],
    evidence: null,
    lineage: { previous: null, forkedFrom: null, carriedOutIn: null },
    at,
  };
}

/** At once, since there may be thousands of them. */
function isNews(file: string, known: PlanEntry | undefined): boolean {
  if (known === undefined) return true;
  const facts = lstatSync(file, { throwIfNoEntry: false });
  return facts !== undefined && facts.mtimeMs > known.at;
}

function looseEntry(file: string, project: string, imported: ImportedPlan | undefined): PlanEntry | null {
  const text = readPlanFile(file);
  const facts = lstatSync(file, { throwIfNoEntry: false });
  if (text === null || isBlank(text) || facts === undefined) return null;
  const entry = entryOfFile(file, { text, project, at: facts.mtimeMs });
  if (imported === undefined) return entry;
  const { source, title } = imported;
  return { ...entry, source, project: imported.project, title: hashText(text) === imported.hash ? title : entry.title };
}

/** Null where there is none that may be read: a regular file of bounded size, not through a link at its end (R3.6). At once, since a search reads thousands. */
export function readPlanFile(path: string): string | null {
  return textAt(path, { limit: largest, direct: true });
}

const largest = 16 * 1024 * 1024;

/** In a folder of the project other files may lie beside the plans. */
export function isOurName(name: string): boolean {
  return /^(\p{L}+-\p{L}+ing-\p{L}+(-[0-9a-z]{8})?|\d{4}-\d\d-\d\d-.+)\.md$/u.test(name);
}

function plansIn(folder: string): readonly string[] {
  return entriesIn(folder)
    .filter((entry) => entry.isFile() && entry.name.endsWith(".md") && !entry.name.startsWith("."))
    .map(({ name }) => `${folder}/${name}`);
}
