/** What `install` and `uninstall` are asked for: the agent and the scope; and the launcher of this release. */
import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { configHome, homeDirectory, projectRoot } from "../../../agent/host/config-home.ts";
import type { Launcher } from "../../../clients/install/launcher.ts";
import type { InstallScope } from "../../../clients/install/parts.ts";
import { clientPlaces, placeOf } from "../../../clients/install/places.ts";
import { nearest } from "../../../core/nearest.ts";

/** Or what is wrong with it, in words. */
export async function scopeOf(
  words: readonly string[],
  { command, isProject }: { readonly command: string; readonly isProject: boolean },
): Promise<InstallScope | { readonly problem: string }> {
  const names = clientPlaces.map(({ name }) => name);
  const [given = "", ...more] = words;
  const known = `Agents: ${names.join(", ")}.`;
  if (given === "") return { problem: `${command} needs the name of an agent. ${known}` };
  if (more.length > 0) return { problem: `${command} takes one agent; not ${JSON.stringify(more[0])} as well.` };
  const agent = names.find((name) => name === given);
  if (agent === undefined) {
    const near = nearest(given, names);
    const meant = near === null ? "" : ` Did you mean ${near}?`;
    return { problem: `There is no agent ${JSON.stringify(given)}.${meant} ${known}` };
  }
  const folder = folderProblem(placeOf(agent).folderVariable);
  if (folder !== null) return { problem: folder };
  return {
    agent,
    scope: isProject ? "project" : "user",
    home: configHome(),
    person: { environment: process.env, directory: homeDirectory() },
    root: await projectRoot(process.cwd()),
  };
}

/** The client takes a relative one for a folder of each project; which one is meant nobody can tell. */
function folderProblem(variable: string): string | null {
  const given = process.env[variable] ?? "";
  return given === "" || isAbsolute(given)
    ? null
    : `${variable} is ${JSON.stringify(given)}: give a full path (${resolve(given)}).`;
}

/** The hook's program lies beside this one. */
export function launcherOf(home: string): Launcher {
  return {
    home,
    node: process.execPath,
    hook: fileURLToPath(new URL("hook.js", import.meta.url)),
  };
}
