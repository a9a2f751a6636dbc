/** Where the plans of a project lie: as the settings in force say, or in the config home (R3.1). */
import { platform } from "node:os";
import { resolve } from "node:path";
import { createFiles } from "../agent/host/files/files.ts";
import { plansDirectory } from "../core/plan/location.ts";
import type { Settings } from "../core/settings/settings.ts";
import type { Workplace } from "./place.ts";
import { settingsInForce } from "./settings/in-force.ts";
import { openState } from "./state-file.ts";

type Place = Pick<Workplace, "root" | "home">;

export async function findPlansDirectory(
  settings: Settings,
  { root, home, tell }: Place & { readonly tell: (line: string) => void },
): Promise<string> {
  const files = createFiles();
  const wanted = settings.plansDirectory === null ? null : resolve(root, settings.plansDirectory);
  const real = wanted === null ? null : await files.canonical(wanted, root);
  const facts = {
    setting: settings.plansDirectory,
    projectRoot: root,
    configHome: home,
    platform: platform() === "win32" ? "win32" : "posix",
  } as const;
  const found = plansDirectory(facts, (path) => (path === wanted ? (real ?? path) : path));
  if (found.refused !== null)
    tell(
      `plansDirectory ${JSON.stringify(settings.plansDirectory)} leads out of the project; plans go to ${found.path}.`,
    );
  return files.canonical(found.path, root);
}

/** For a command that has no settings yet; null where they cannot be read. */
export async function plansDirectoryOf({ root, home }: Place): Promise<string | null> {
  const state = openState({ configHome: home, now: Date.now, warn: () => undefined });
  const found = await settingsInForce({
    configHome: home,
    projectRoot: root,
    directory: root,
    environment: process.env,
    options: {},
    isTrusted: () => state.isTrusted(root),
  });
  return found.kind === "invalid" ? null : findPlansDirectory(found.settings, { root, home, tell: () => undefined });
}
