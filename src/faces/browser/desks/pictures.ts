/** Pictures that a plan shows: small files of the project with a picture in them, and nothing else of this machine. */
import { isAbsolute, sep } from "node:path";
import { matchRules } from "../../../core/decide/rules.ts";
import type { Session } from "../../../core/session.ts";
import { sniff } from "../../../agent/host/files/sniff.ts";
import type { Files } from "../../../agent/ports/ports.ts";
import { readRule } from "../../../agent/tools/rule-names.ts";

export interface PlanPicture {
  readonly type: string;
  readonly bytes: Uint8Array;
}

export interface PicturePlace {
  /** Nothing outside of it is shown, whatever links lead there. */
  readonly root: string;
  /** Where the plan's paths begin. */
  readonly folder: string;
  /** By the rules of the session: what is denied is shown to nobody whom a plan leads there. */
  readonly isDenied?: (place: string) => boolean;
}

export function ofProject({ roots, permissions }: Pick<Session, "roots" | "permissions">): PicturePlace {
  const isDenied = (path: string): boolean =>
    matchRules(permissions.rules, [{ rule: readRule, path }], roots).denied !== null;
  return { root: roots.project, folder: roots.project, isDenied };
}

/** Null where there is none, or it is not to be shown. What counts is where the path leads, and what the file holds. */
export async function pictureAt(
  files: Files,
  path: string,
  { root, folder, isDenied }: PicturePlace,
): Promise<PlanPicture | null> {
  if (path === "" || path.length > longestPath || path.includes("\0") || isAbsolute(path)) return null;
  try {
    const [place, top] = [await files.canonical(path, folder), await files.canonical(root, folder)];
    if (!place.startsWith(top.endsWith(sep) ? top : `${top}${sep}`)) return null;
    if (isDenied?.(place) === true) return null;
    const stat = await files.stat(place);
    if (stat?.kind !== "file" || stat.size > largest) return null;
    const bytes = await files.readBytes(place, { limit: largest });
    const type = typeOf(bytes);
    return type === null ? null : { type, bytes };
  } catch {
    return null;
  }
}

const longestPath = 1000;
const largest = 4 * 1024 * 1024;

function typeOf(bytes: Uint8Array): string | null {
  const found = sniff(bytes);
  if (found.kind === "image") return found.mediaType;
  const isDrawing = found.kind === "text" && drawing.test(new TextDecoder().decode(bytes.subarray(0, 4096)));
  return isDrawing ? "image/svg+xml" : null;
}

/** Behind what may stand before its first element. */
const drawing = /^\uFEFF?(?:\s|<\?xml[^>]*>|<!--(?:[^-]|-(?!->))*-->|<!DOCTYPE svg[^>[]*>)*<svg[\s>]/;
