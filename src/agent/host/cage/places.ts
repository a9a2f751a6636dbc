/** Places that every cage treats the same: what is closed, and what a query of a service needs of it. */
import { realPaths } from "../find-program.ts";

/** The real folders of daemons' sockets and of other people's temporary files. */
export function closedFolders(): string[] {
  return [...new Set(["/run", "/var/run", "/tmp"].flatMap(realPaths))];
}

/** What the resolution of names needs where there is a network. */
export const resolverFiles: readonly string[] = ["systemd/resolve", "resolvconf", "NetworkManager"].map(
  (name) => `/run/${name}`,
);
