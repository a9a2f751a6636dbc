/** Whether a file is one that the plan names (B6.2). */
import { filesNamedIn } from "./outline.ts";

/** A plan that names no file at all says nothing about where it ends: everything is within it. */
export function isNamedIn(plan: string, path: string, project: string): boolean {
  const named = [...filesNamedIn(plan), ...foldersNamedIn(plan)];
  if (named.length === 0) return true;
  const relative = path.startsWith(`${project}/`) ? path.slice(project.length + 1) : path;
  return named.some((name) => {
    if (name.endsWith("/")) return path.startsWith(name) || `/${relative}`.includes(`/${name}`);
    return path === name || relative === name || relative.endsWith(`/${name}`);
  });
}

/** `src/auth/`, `src/auth/**` and `src/auth/*.ts` all name the folder. */
function foldersNamedIn(plan: string): readonly string[] {
  return [...plan.matchAll(/`([\w@./-]+\/)(?:\*[^`\s]*)?`/g)]
    .map((match) => match[1]!.replace(/^\.\//, ""))
    .filter((name) => name !== "" && name !== "/");
}
