/** Where plan files may lie and what they are called; pure over paths that the host has already resolved (R3.1, R3.2, R3.6). */
import { posix, win32 } from "node:path";

export interface PlansDirectoryFacts {
  /** The setting `plansDirectory`, as written. */
  readonly setting: string | null;
  readonly projectRoot: string;
  readonly configHome: string;
  readonly platform: "posix" | "win32";
}

/** The port: symlinks and case resolved, also for the existing part of a path whose end does not exist. */
export type Resolve = (path: string) => string;

export type PlansDirectory =
  | { readonly path: string; readonly refused: null }
  | { readonly path: string; readonly refused: "outside-project" | "empty" };

/** A setting that leads out of the project is refused, and the default is used. */
export function plansDirectory(facts: PlansDirectoryFacts, resolve: Resolve): PlansDirectory {
  const path = facts.platform === "win32" ? win32 : posix;
  const standard = path.join(facts.configHome, "plans");
  if (facts.setting === null) return { path: standard, refused: null };
  if (facts.setting.trim() === "" || facts.setting.includes("\0")) return { path: standard, refused: "empty" };
  const root = resolve(facts.projectRoot);
  const wanted = path.resolve(facts.projectRoot, facts.setting);
  const isLexicallyInside = isBelow(wanted, path.resolve(facts.projectRoot), path.sep);
  const real = resolve(wanted);
  const isReallyInside = isBelow(real, root, path.sep);
  return isLexicallyInside && isReallyInside
    ? { path: real, refused: null }
    : { path: standard, refused: "outside-project" };
}

/** `null` for an agent id that could leave the folder or collide with another name. */
export function planFileName(slug: string, agentId?: string): string | null {
  if (!isSafeName(slug)) return null;
  if (agentId === undefined) return `${slug}.md`;
  return isSafeAgentId(agentId) ? `${slug}-agent-${agentId}.md` : null;
}

/** Whether a file is the plan of that slug: an absolute path in its plainest form, ending in the plan's name. */
export function isPlanPath(file: string, slug: string, agentId?: string): boolean {
  const path = file.includes("\\") ? win32 : posix;
  const name = planFileName(slug, agentId);
  return name !== null && path.isAbsolute(file) && path.join(path.dirname(file), name) === file;
}

function isSafeAgentId(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(id);
}

export interface FileFacts {
  readonly isRegular: boolean;
  readonly links: number;
  /** The path with every symlink of it resolved. */
  readonly realPath: string;
}

export type PlanFileProblem = "not-in-folder" | "symlink" | "not-a-file" | "several-links";

/** R3.6: a regular file directly in the folder, reached through no symlink, with one name; `facts` is null when it does not exist. */
export function planFileProblem(file: string, realDirectory: string, facts: FileFacts | null): PlanFileProblem | null {
  const path = realDirectory.includes("\\") ? win32 : posix;
  if (path.dirname(file) !== realDirectory || path.basename(file) === "..") return "not-in-folder";
  if (facts === null) return null;
  if (facts.realPath !== file) return "symlink";
  if (!facts.isRegular) return "not-a-file";
  return facts.links > 1 ? "several-links" : null;
}

function isBelow(path: string, root: string, separator: string): boolean {
  return path !== root && path.startsWith(root.endsWith(separator) ? root : root + separator);
}

/** Any letters, digits and marks, hyphens between them; no device name of Windows. */
function isSafeName(name: string): boolean {
  const isPlain = /^[\p{L}\p{N}\p{M}]+(?:-[\p{L}\p{N}\p{M}]+)*$/u.test(name);
  return isPlain && name.length <= 120 && !/^(con|prn|aux|nul|com\d|lpt\d)$/i.test(name);
}
