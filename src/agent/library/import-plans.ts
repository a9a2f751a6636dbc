/** Takes plans that other agents left on disk into the library: copies, named after their agent, each once (B11.6). */
import { lstat } from "node:fs/promises";
import { basename, join } from "node:path";
import { isInside } from "../../core/decide/access.ts";
import { hashText, isBlank } from "../../core/plan/hash.ts";
import { titleOf } from "../../core/plan/outline.ts";
import { makePrivateFolder } from "../host/config-home.ts";
import { entriesIn } from "../host/files/entries.ts";
import { canonicalPath } from "../host/files/canonical.ts";
import { readRegular } from "../host/files/read-regular.ts";
import { writeNew } from "../host/files/replace-file.ts";
import { textOf } from "../host/files/utf8.ts";
import { openImported, type ImportedPlan } from "./imported.ts";
import { readPlanFile } from "./loose-files.ts";
import { plansFolder } from "./places.ts";

/** A folder in which an agent leaves its plans. */
export interface PlanFolder {
  /** The agent's name. */
  readonly source: string;
  readonly folder: string;
  /** How the names of plans end. */
  readonly ending: string;
  /** Null where it holds plans of any project. */
  readonly project: string | null;
}

export interface ImportRequest {
  readonly configHome: string;
  readonly places: readonly PlanFolder[];
  /** Nothing is written. */
  readonly dryRun: boolean;
}

export type LeftWhy = "known" | "empty" | "too large" | "not text" | "a link or no file" | "unreadable" | "too many";

export interface ImportResult {
  readonly taken: readonly ImportedPlan[];
  readonly left: readonly { readonly from: string; readonly source: string; readonly why: LeftWhy }[];
}

/** A plan that changed there since is taken again, beside the copy that was taken before. */
export async function importPlans({ configHome, places, dryRun }: ImportRequest): Promise<ImportResult> {
  const store = openImported(configHome);
  const known = (await store.read()).values;
  const taken: ImportedPlan[] = [];
  const left: ImportResult["left"][number][] = [];
  for (const place of places) {
    for (const from of await plansIn(place)) {
      const { source, project } = place;
      const text = taken.length < most ? await planText(from) : ({ why: "too many" } as const);
      const before = known.get(from);
      const isKnown = typeof text === "string" && before?.hash === hashText(text);
      if (typeof text !== "string" || isKnown) {
        left.push({ from, source, why: typeof text === "string" ? "known" : text.why });
        continue;
      }
      const file = dryRun ? "" : await copy(text, { from, place, configHome });
      taken.push({ from, file, source, title: titleIn(text), project, hash: hashText(text), at: Date.now() });
    }
  }
  if (!dryRun) await store.append(taken);
  return { taken, left };
}

/** Of one run; the next one goes on. */
const most = 1000;
const largest = 2 * 1024 * 1024;

/** By name; neither the folder nor what lies in it is followed through a link, and a project's never leads out of it. */
async function plansIn({ folder, ending, project }: PlanFolder): Promise<readonly string[]> {
  const found = await lstat(folder).catch(() => null);
  if (found?.isDirectory() !== true) return [];
  const real = await canonicalPath(folder, folder);
  if (project !== null && !isInside(real, project)) return [];
  const names = entriesIn(real).flatMap(({ name }) => (name.endsWith(ending) && !name.startsWith(".") ? [name] : []));
  return names.toSorted().map((name) => join(real, name));
}

async function planText(path: string): Promise<string | { readonly why: LeftWhy }> {
  const facts = await lstat(path).catch(() => null);
  if (facts?.isFile() !== true) return { why: "a link or no file" };
  if (facts.size > largest) return { why: "too large" };
  const bytes = await readRegular(path, { direct: true, limit: largest }).catch(() => null);
  if (bytes === null) return { why: "unreadable" };
  const text = textOf(bytes);
  if (text === null) return { why: "not text" };
  return isBlank(text) ? { why: "empty" } : text;
}

/** Under a name that nothing has yet; what is there is never written over. */
async function copy(
  text: string,
  { from, place, configHome }: { readonly from: string; readonly place: PlanFolder; readonly configHome: string },
): Promise<string> {
  const folder = plansFolder(configHome);
  await makePrivateFolder(folder);
  const real = await canonicalPath(folder, folder);
  const name = basename(from, place.ending)
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, "-")
    .replaceAll(/^[.-]+/g, "")
    .slice(0, 80);
  for (let number = 1; ; number += 1) {
    const file = join(real, `${place.source}-${name === "" ? "plan" : name}${number === 1 ? "" : `-${number}`}.md`);
    if (readPlanFile(file) === text) return file;
    const isFree = await writeNew(file, text).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === "EEXIST") return false;
        throw error;
      },
    );
    if (isFree) return file;
  }
}

/** Front matter is no text of the plan: where it names the plan, that is its title. */
export function titleIn(text: string): string {
  const [whole = "", front = ""] = /^\uFEFF?---\r?\n([\s\S]{0,65536}?)\r?\n---\r?\n/.exec(text) ?? [];
  const heading = titleOf(text.slice(whole.length));
  const [, named = ""] = /^(?:name|title):[ \t]*(.+?)[ \t]*$/m.exec(front) ?? [];
  const name = named.replace(/^(["'])(.*)\1$/, "$2").trim();
  return name === "" ? heading : name;
}
