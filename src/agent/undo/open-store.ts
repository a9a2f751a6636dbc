/** What keeps the points of a session: git where there is one, else copies. */
import { join } from "node:path";
import { exists } from "../host/files/entries.ts";
import { copyStore } from "./copy-store.ts";
import { findRepository } from "./git-ground.ts";
import { gitStore } from "./git-store.ts";
import type { PointStore } from "./store.ts";

/** A session stays with what it began with: pictures of one store mean nothing to the other. */
export async function openStore(root: string, folder: string, newest: string | null = null): Promise<PointStore> {
  const isCopied = await exists(join(folder, "copies"));
  const repository = isCopied ? null : await findRepository(root);
  return repository === null ? copyStore(root, folder, newest) : gitStore(repository, folder);
}
