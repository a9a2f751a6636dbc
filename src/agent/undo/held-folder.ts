/** A folder of the work tree that is held open: reached through no link, and what is done inside stays inside, whatever its name leads to by then. */
import { constants } from "node:fs";
import { lstat, mkdir, open } from "node:fs/promises";
import { errnoOf } from "../host/files/file-error.ts";
import type { BytePath } from "../watch/work-tree-files.ts";

export interface HeldFolder {
  inside(name: BytePath): Buffer;
  close(): Promise<void>;
}

/** Each folder is opened inside the one above. Rejects where one is missing (unless it is to be made) or is a link. */
export async function holdFolder(root: string, path: BytePath, missing: "made" | "refused"): Promise<HeldFolder> {
  let held = await heldAt(Buffer.from(root, "utf8"));
  for (const name of path === "" ? [] : path.split("/")) {
    const above = held;
    try {
      if (missing === "made") await mkdir(above.inside(name)).catch(unlessThere);
      held = await heldAt(above.inside(name));
    } finally {
      await above.close();
    }
  }
  return held;
}

/** Where the system has no names for what is open, by its path. */
export async function heldAt(place: Buffer): Promise<HeldFolder> {
  const handle = await open(place, flags);
  const own = `/proc/self/fd/${handle.fd}`;
  const isReachable = (await lstat(own).catch(() => null)) !== null;
  const base = isReachable ? Buffer.from(`${own}/`) : Buffer.concat([place, Buffer.from("/")]);
  return {
    inside: (name) => Buffer.concat([base, Buffer.from(name, "latin1")]),
    close: () => handle.close(),
  };
}

const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

function unlessThere(error: unknown): void {
  if (errnoOf(error) !== "EEXIST") throw error;
}
