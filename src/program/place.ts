/** Where a session is at work: its folder, the project around it, and where this person's things lie. */
import { createFiles } from "../agent/host/files/files.ts";
import { configHome, homeDirectory, projectRoot, sessionsFolder } from "../agent/host/config-home.ts";
import type { UsageError } from "./usage-error.ts";
import type { SessionWish } from "./wish.ts";

/** All of them canonical. */
export interface Workplace {
  readonly directory: string;
  readonly root: string;
  /** Directories that may be worked in besides. */
  readonly added: readonly string[];
  /** The config home. */
  readonly home: string;
  /** Where this project's logs lie. */
  readonly folder: string;
}

export async function findPlace(
  wish: Pick<SessionWish, "directory" | "addedDirectories">,
  from: { readonly startedIn: string; readonly environment: Readonly<Record<string, string | undefined>> },
): Promise<Workplace | UsageError> {
  const files = createFiles();
  const real = (path: string): Promise<string> => files.canonical(path, from.startedIn);
  const directory = await real(wish.directory ?? ".");
  const added = await Promise.all(wish.addedDirectories.map(real));
  for (const path of [directory, ...added]) {
    if ((await files.stat(path))?.kind !== "directory") return { problem: `${path} is not a folder.`, exitCode: 2 };
  }
  const root = await projectRoot(directory);
  const home = configHome({ environment: from.environment, directory: homeDirectory() });
  return { directory, root, added, home, folder: sessionsFolder(home, root) };
}
