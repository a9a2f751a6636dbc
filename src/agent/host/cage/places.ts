/** Places that every cage treats the same: what is closed, and what a query of a service needs of it. */
import { isInside } from "../../../core/decide/access.ts";
import { realPaths } from "../launch/find-program.ts";

/** The real folders of daemons' sockets and of other people's temporary files. */
export function closedFolders(): string[] {
  return [...new Set(["/run", "/var/run", "/tmp"].flatMap(realPaths))];
}

/** Whether a folder that a repository names may be visible: it opens nothing that is closed, and lies in none of the `own` ones (B1.5). */
export function mayBeShown(folder: string, own: readonly string[]): boolean {
  return (
    !own.some((closed) => isInside(folder, closed) || isInside(closed, folder)) &&
    !closedFolders().some((closed) => isInside(closed, folder))
  );
}

/** Whether a work tree can be a copy without giving back what is closed in it or around it, or hidden with it (B1.16). */
export function mayBeCopied(
  tree: string,
  { own, hide }: { readonly own: readonly string[]; readonly hide: readonly string[] },
): boolean {
  return mayBeShown(tree, own) && !hide.some((path) => isInside(tree, path));
}

/** What the resolution of names needs where there is a network. */
export const resolverFiles: readonly string[] = ["systemd/resolve", "resolvconf", "NetworkManager"].map(
  (name) => `/run/${name}`,
);
