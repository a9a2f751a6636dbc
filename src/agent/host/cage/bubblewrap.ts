/** The cage by bubblewrap: namespaces in which a command may read everything and change nothing (B1.4). */
import { sep } from "node:path";
import { realPaths } from "../find-program.ts";
import { seccompProgram, type Processor } from "./seccomp.ts";
import type { Cage } from "./types.ts";

export interface CagePlaces {
  /** Absolute path of bubblewrap. */
  readonly program: string;
  readonly uid: number;
  readonly gid: number;
  /** Real folders that are emptied in the cage: daemons' sockets and other people's temporary files. */
  readonly hidden: readonly string[];
  /** Real paths that stay visible, read-only, wherever they are: project, added directories, plans, home, git's folders. */
  readonly visible: readonly string[];
}

export interface CagedCommand {
  readonly directory: string;
  readonly network: boolean;
  /** The descriptor that bubblewrap reads the system-call filter from. */
  readonly filterDescriptor: number;
  readonly command: readonly string[];
}

export function bubblewrapCage(machine: {
  readonly program: string;
  readonly processor: Processor;
  readonly visible: readonly string[];
}): Cage {
  const { program, processor, visible } = machine;
  const filters = {
    none: seccompProgram({ processor, unixSockets: false }),
    tcp: seccompProgram({ processor, unixSockets: true }),
  };
  const places: CagePlaces = {
    program,
    ...cageIdentity({ uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }),
    hidden: [...new Set(usuallyHidden.flatMap(realPaths))],
    visible,
  };
  return {
    name: "bubblewrap",
    program,
    confine: ({ command, directory, network, visible: more, environment }) => {
      const own = { ...places, visible: [...new Set([...visible, directory, ...more])] };
      return {
        argv: cageArguments(own, { directory, network: network === "tcp", filterDescriptor: 3, command }),
        environment: environment(scratchInCage(own)),
        input: filters[network],
        endsItsOwn: true,
      };
    },
  };
}

/** Folders that hold daemons' sockets or temporary files. */
const usuallyHidden: readonly string[] = ["/run", "/var/run", "/tmp"];

/** What a proved query of a service needs when it has the network: name resolution and the usual daemons. */
const services = ["systemd/resolve", "resolvconf", "NetworkManager", "docker.sock", "podman", "nscd"];

/** Where programs in the cage may write: gone with the cage. */
export function scratchInCage(places: Pick<CagePlaces, "hidden" | "visible">): string {
  return emptied(places).includes("/tmp") ? "/tmp" : "/dev/shm";
}

/**
 * The argument vector, bubblewrap itself first. `/proc` is made read-only as well: started by root, a caged process is
 * still the owner of the kernel's settings there.
 */
export function cageArguments(places: CagePlaces, caged: CagedCommand): string[] {
  const empty = emptied(places);
  const scratch = scratchInCage(places);
  const shown = [...places.visible, ...(caged.network ? serviceFiles(places) : [])]
    .filter((path) => empty.some((folder) => isInside(path, folder)))
    .toSorted((left, right) => left.length - right.length);
  return [
    places.program,
    ...words("--unshare-user --unshare-ipc --unshare-pid --unshare-uts --unshare-cgroup-try"),
    ...words(caged.network ? "" : "--unshare-net"),
    ...words(`--uid ${places.uid} --gid ${places.gid} --cap-drop ALL --new-session --die-with-parent`),
    ...words("--ro-bind / / --proc /proc --dev /dev --tmpfs /dev/shm"),
    ...empty.flatMap((folder) => ["--tmpfs", folder]),
    ...shown.flatMap((path) => ["--ro-bind-try", path, path]),
    ...["/proc", "/dev", ...empty.filter((folder) => folder !== scratch)].flatMap((folder) => ["--remount-ro", folder]),
    "--chdir",
    caged.directory,
    ...words(`--seccomp ${caged.filterDescriptor} --`),
    ...caged.command,
  ];
}

/** The uid inside: the person's own, but never 0, so that nothing in the cage believes itself root. */
export function cageIdentity(own: { readonly uid: number; readonly gid: number }): { uid: number; gid: number } {
  const nobody = 65_534;
  return { uid: own.uid === 0 ? nobody : own.uid, gid: own.gid === 0 ? nobody : own.gid };
}

/** A folder is not emptied when it is itself to be seen. */
function emptied({ hidden, visible }: Pick<CagePlaces, "hidden" | "visible">): string[] {
  return hidden.filter((folder) => !visible.includes(folder));
}

function words(text: string): string[] {
  return text.split(" ").filter(Boolean);
}

function serviceFiles({ uid }: CagePlaces): string[] {
  return [...services, `user/${uid}/docker.sock`, `user/${uid}/podman`].map((name) => `/run/${name}`);
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder + sep);
}
