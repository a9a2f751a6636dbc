/** From a path as the model wrote it to the one that is judged, and the subjects that rules are matched against. */
import { basename, dirname } from "node:path";
import { placeOf, type Access, type Place, type Subject } from "../../core/decide/access.ts";
import { parseGlob } from "../../core/decide/glob.ts";
import { distanceOf } from "../../core/nearest.ts";
import { lexicalPath } from "../host/files/canonical.ts";
import type { LookContext, RunContext } from "../ports/host.ts";
import type { Claim } from "../ports/ports.ts";
import type { Own } from "../ports/refused.ts";
import { editRule, readRule } from "./rule-names.ts";
import { shownPath } from "../host/search/search-filter.ts";

export interface JudgedPath {
  /** As it was asked for, made absolute. */
  readonly lexical: string;
  readonly canonical: string;
  /** Names under which rules refuse this very file: it may be a second name of it (B1.14). */
  readonly refused: readonly string[];
  /** Where reading it reads what is ours alone (B1.5). */
  readonly own: Own | null;
}

export async function judgePath(path: string, { files, directory, refused }: LookContext): Promise<JudgedPath> {
  const canonical = await files.canonical(path, directory);
  const [names, own] = await Promise.all([refused.namesOf(canonical), refused.ownAt(canonical)]);
  return { lexical: lexicalPath(path, directory), canonical, refused: names, own };
}

/** A deny rule on either spelling holds; an allow rule counts only where both are covered. */
export function pathSubjects(rules: readonly string[], judged: JudgedPath): readonly Subject[] {
  const { lexical, canonical, refused, own } = judged;
  const paths = lexical === canonical ? [canonical] : [canonical, lexical];
  const isRead = rules.includes(readRule);
  const others = isRead ? refused.filter((path) => !paths.includes(path)) : [];
  const ours = isRead && own?.reach === "inside" ? { own: own.rule } : {};
  return [
    ...rules.flatMap((rule) => paths.map((path) => Object.assign({ rule, path }, ours))),
    ...others.map((path) => ({ rule: readRule, path })),
  ];
}

export async function claimRead(tool: string, path: string, context: LookContext): Promise<Claim> {
  const judged = await judgePath(path, context);
  const rules = [...new Set([tool, readRule])];
  return { access: { kind: "read", paths: [judged.canonical] }, subjects: pathSubjects(rules, judged) };
}

export async function claimWrite(tool: string, named: string, context: LookContext): Promise<Claim> {
  const judged = await judgePath(named, context);
  const rules = [...new Set([tool, editRule])];
  const { canonical: path } = judged;
  const kept = (await context.isKept(path)) ? ({ kept: true } as const) : {};
  const access = { kind: "write", path, place: await placeAt(path, context), ...kept } as const;
  return { access, subjects: pathSubjects(rules, judged) };
}

/** Our own home is guarded wherever it lies: settings, kept answers and the compiled program are in it; and so are the library's plans. */
export async function placeAt(canonical: string, { refused, roots, isKept }: LookContext): Promise<Place> {
  if ((await refused.ownAt(canonical)) !== null || (await isKept(canonical))) return "guarded";
  return placeOf(canonical, roots);
}

/** The judged path of a call that was allowed; anything else is a mistake of ours. */
export function judgedPathOf(access: Access): string {
  if (access.kind === "write") return access.path;
  const path = access.kind === "read" ? access.paths[0] : undefined;
  if (path === undefined) throw new Error(`A ${access.kind} access names no path.`);
  return path;
}

export async function missingFile(path: string, context: RunContext): Promise<string> {
  if (path === context.planFile) return context.prompts("tools/files/empty", { path });
  const near = await nearNames(path, context);
  if (near.length > 0) return context.prompts("tools/files/missing-near", { path, near: near.join(", ") });
  return context.prompts("tools/files/missing", { path, directory: context.directory });
}

/** Names in the same folder that a slip of the pen would explain; never one that a rule hides. */
async function nearNames(path: string, context: RunContext): Promise<readonly string[]> {
  const folder = dirname(path);
  const names = (await context.files.list?.(folder).catch(() => [])) ?? [];
  const wanted = basename(path).toLowerCase();
  const hidden = context.hidden.map((glob) => parseGlob(glob));
  const isHidden = await context.refused.isHidden();
  return names
    .map((name) => ({ name, distance: distance(wanted, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.max(2, wanted.length / 3))
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ name }) => `${folder === "/" ? "" : folder}/${name}`)
    .filter((candidate) => !hidden.some((glob) => glob.test(candidate)) && !isHidden(candidate))
    .slice(0, 3)
    .map((candidate) => shownPath(candidate, context.directory));
}

/** Letters to change; the same name with another ending is near too. */
function distance(wanted: string, name: string): number {
  const [stem, other] = [wanted, name].map((text) => text.replace(/\.[^.]+$/, ""));
  if (stem === other) return 0;
  return Math.abs(wanted.length - name.length) > 8 ? Infinity : distanceOf(wanted, name);
}
