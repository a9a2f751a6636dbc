/** The cage by bubblewrap: namespaces in which a command may read everything and change nothing (B1.4). */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "../../../core/decide/access.ts";
import { linkOf } from "../files/entries.ts";
import { realPaths } from "../launch/find-program.ts";
import { closedFolders, resolverFiles } from "./places.ts";
import { seccompProgram } from "./seccomp.ts";
import type { Cage, CageWish, LinuxMachine } from "./types.ts";

export interface CagePlaces extends Pick<CageWish, "visible" | "writable"> {
  readonly program: string;
  readonly uid: number;
  readonly gid: number;
  /** Real folders that are emptied in the cage: daemons' sockets, other people's temporary files, our own home. */
  readonly closed: readonly string[];
  /** Paths that exist and cannot be read in the cage. */
  readonly hide: readonly HiddenPath[];
  /** A file without content or rights, to stand for a hidden one. */
  readonly blank: string;
}

export interface HiddenPath {
  readonly path: string;
  readonly isFolder: boolean;
}

export interface CagedCommand extends Pick<CageWish, "command" | "directory"> {
  readonly network: boolean;
}

export function bubblewrapCage(machine: LinuxMachine): Cage {
  const { program, processor, visible } = machine;
  /** The devices in a cage are the host's own: what root started owns them, and must not change their modes and times. */
  const metadata = process.getuid?.() === 0 ? "refused" : "kept";
  const identity = cageIdentity({ uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 });
  return {
    name: "bubblewrap",
    program,
    confine: ({ command, directory, network, socket, visible: more, hide, writable, environment }) => {
      const reached = [...(network === "tcp" ? resolverFiles : []), ...(socket === undefined ? [] : [socket])];
      const places: CagePlaces = {
        program,
        ...identity,
        closed: [...closedFolders(), ...machine.closed()],
        visible: [...new Set([...visible, directory, ...more, ...reached])],
        hide: [...hide, ...(socket === undefined ? [] : otherSockets(socket))].flatMap(hiddenPath),
        writable,
        blank: hide.length > 0 || socket !== undefined ? blankIn(machine.scratch()) : "",
      };
      return {
        argv: cageArguments(places, { directory, network: network === "tcp", command }),
        environment: environment(scratchInCage(places)),
        input: seccompProgram({
          processor,
          unixSockets: socket !== undefined,
          metadata: writable === undefined ? metadata : "kept",
        }),
        ending: "group",
      };
    },
  };
}

/** Where programs in the cage may write: gone with the cage. */
export function scratchInCage(places: Pick<CagePlaces, "closed" | "visible">): string {
  return emptied(places).includes("/tmp") ? "/tmp" : "/dev/shm";
}

/**
 * The argument vector, bubblewrap itself first. `/proc` is made read-only as well: started by root, a caged process is
 * still the owner of the kernel's settings there.
 */
export function cageArguments(places: CagePlaces, caged: CagedCommand): string[] {
  const empty = emptied(places);
  const scratch = scratchInCage(places);
  const shown = places.visible.filter((path) => empty.some((folder) => isInside(path, folder)));
  const hidden = places.hide.filter(
    ({ path }) =>
      shown.some((place) => isInside(path, place)) ||
      !empty.some((folder) => folder !== path && isInside(path, folder)),
  );
  const emptiedNow = [
    ...empty.filter((folder) => folder !== scratch),
    ...hidden.flatMap(({ path, isFolder }) => (isFolder ? [path] : [])),
  ];
  return [
    places.program,
    ...words("--unshare-user --unshare-ipc --unshare-pid --unshare-uts --unshare-cgroup-try"),
    ...words(caged.network ? "" : "--unshare-net"),
    ...words(`--uid ${places.uid} --gid ${places.gid} --cap-drop ALL --new-session --die-with-parent`),
    ...words("--ro-bind / / --proc /proc --dev /dev --tmpfs /dev/shm"),
    ...[...empty, ...shown]
      .toSorted((left, right) => left.length - right.length)
      .flatMap((path) => (empty.includes(path) ? ["--tmpfs", path] : ["--ro-bind-try", path, path])),
    ...(places.writable === undefined ? [] : ["--bind", places.writable, places.writable]),
    ...hidden.flatMap(({ path, isFolder }) =>
      isFolder ? ["--perms", "0000", "--tmpfs", path] : ["--ro-bind", places.blank, path],
    ),
    ...["/proc", "/dev", ...emptiedNow].flatMap((folder) => ["--remount-ro", folder]),
    "--chdir",
    caged.directory,
    ...words("--seccomp 3 --"),
    ...caged.command,
  ];
}

/** The uid inside: the person's own, but never 0, so that nothing in the cage believes itself root. */
export function cageIdentity(own: { readonly uid: number; readonly gid: number }): { uid: number; gid: number } {
  const nobody = 65_534;
  return { uid: own.uid === 0 ? nobody : own.uid, gid: own.gid === 0 ? nobody : own.gid };
}

/** A folder is not emptied when it is itself to be seen, and not twice. */
function emptied({ closed, visible }: Pick<CagePlaces, "closed" | "visible">): string[] {
  return [...new Set(closed)].filter((folder) => !visible.includes(folder));
}

/** A file without content that nobody may read. */
function blankIn(scratch: string): string {
  const file = join(scratch, "hidden");
  if (!existsSync(file)) writeFileSync(file, "", { mode: 0o000 });
  return file;
}

function hiddenPath(path: string): HiddenPath[] {
  const stat = linkOf(path);
  return stat === null ? [] : [{ path, isFolder: stat.isDirectory() }];
}

/** Socket files that somebody listens on, but for the one. */
function otherSockets(socket: string): string[] {
  const own = realPaths(socket);
  return readFileSync("/proc/net/unix", "utf8")
    .split("\n")
    .map(socketPath)
    .filter((path) => path.startsWith("/") && path !== socket && !own.includes(path));
}

/** The path at the end of a line of `/proc/net/unix`; its columns are padded, and the path may have blanks (pure). */
export function socketPath(line: string): string {
  return /^(?:\S+ +){6}\d+ (\/.*)$/.exec(line)?.[1] ?? "";
}

function words(text: string): string[] {
  return text.split(" ").filter(Boolean);
}
