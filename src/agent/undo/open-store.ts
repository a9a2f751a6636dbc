/** What keeps the points of a session: git where there is one, else copies. */
import { join } from "node:path";
import { exists } from "../host/files/entries.ts";
import { readRegularText } from "../host/files/read-regular.ts";
import { copyStore } from "./copy-store.ts";
import { findRepository } from "./git-ground.ts";
import { gitStore } from "./git-store.ts";
import type { PointStore } from "./store.ts";

/** A session stays with what it began with: pictures of one store mean nothing to the other. */
export async function openStore(root: string, folder: string, newest: string | null = null): Promise<PointStore> {
  const isCopied = await exists(join(folder, "copies"));
  const repository = isCopied ? null : await findRepository(root);
  if (repository !== null) return gitStore(root, folder, repository);
  const own = join(folder, "git");
  if (isCopied || !(await exists(join(own, "seeded")))) return copyStore(root, folder, newest);
  const isLong = (await readRegularText(join(own, "config"))).includes("objectFormat = sha256");
  return gitStore(root, folder, { hashName: isLong ? "sha256" : "sha1" });
}
