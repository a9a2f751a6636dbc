/** What a call of another agent is judged on: the place it is made in, the rules in force there, and our own tools' look at it. */
import { isAbsolute } from "node:path";
import { configHome, homeDirectory, projectRoot } from "../../agent/host/config-home.ts";
import { createFiles } from "../../agent/host/files/files.ts";
import type { LookContext } from "../../agent/ports/host.ts";
import type { Web } from "../../agent/ports/ports.ts";
import { hiddenGlobs, runnerRules } from "../../agent/tools/rule-names.ts";
import { isInside } from "../../core/decide/access.ts";
import type { Situation } from "../../core/decide/situation.ts";
import { ruleLists, type Settings } from "../../core/settings/settings.ts";
import { findPlansDirectory } from "../../program/plans-directory.ts";
import { judgingShell } from "./judging-shell.ts";
import { writablePlanFile } from "./plan-file.ts";
import { settingsAt } from "./settings-at.ts";

export interface GroundRequest {
  readonly directory: string;
  /** Where the call itself runs, where that is another folder. */
  readonly runsIn?: string | undefined;
  /** The file that the client itself lets the agent write while it plans. */
  readonly planFile: string | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface GuardGround {
  /** Our config home. */
  readonly home: string;
  readonly settings: Settings;
  readonly situation: Situation;
  /** `caged`: as if the command ran in the cage. */
  readonly look: (place: "bare" | "caged") => LookContext;
}

export async function layGround(request: GroundRequest): Promise<GuardGround | { readonly problem: string }> {
  const { environment } = request;
  const person = homeDirectory();
  const home = configHome({ environment, directory: person });
  if (!isAbsolute(request.directory)) return { problem: "the agent's folder is not a full path" };
  const plain = createFiles();
  const directory = await plain.canonical(request.directory, "/");
  const runsIn = request.runsIn === undefined ? directory : await plain.canonical(request.runsIn, directory);
  for (const folder of new Set([directory, runsIn]))
    if ((await plain.stat(folder))?.kind !== "directory") return { problem: `${folder} is not a folder` };
  const root = await projectRoot(directory);
  const found = await settingsAt({ home, root, directory, environment });
  if ("problem" in found) return found;
  const { settings } = found;
  const plans = await findPlansDirectory(settings, { root, home, tell: () => undefined });
  const files = createFiles({ own: { home, plans } });
  const { deny, ask } = ruleLists(settings);
  const rules = { allow: [], ask, deny, stripped: false, runners: runnerRules };
  const roots = { project: root, home: person };
  const refused = files.refused!(hiddenGlobs(rules, roots), [root]);
  const planFile = await writablePlanFile(request.planFile, {
    files,
    refused,
    given: request.directory,
    directory,
    root,
  });
  const situation: Situation = {
    permissions: {
      mode: { current: "plan", returnTo: "default" },
      revision: 0,
      autoActive: false,
      bypassAvailable: false,
      rules,
    },
    actor: { kind: "main" },
    planFile,
    roots,
    planNetwork: settings.planNetwork,
    modelMayEnterPlan: "never",
    reviewable: false,
  };
  const look = (place: "bare" | "caged"): LookContext => ({
    files,
    shell: judgingShell({ caged: place === "caged", home: environment["HOME"] }),
    web: lateWeb,
    directory: runsIn,
    roots: [root],
    planFile,
    refused,
    isKept: async (path) => isInside(path, plans),
  });
  return { home, settings, situation, look };
}

/** Loaded with the first address that is judged. */
const lateWeb: Web = {
  inward: async (url) => (await import("../../agent/host/web/web.ts")).createWeb().inward(url),
  fetchText: async () => ({ kind: "failed", reason: "nothing is fetched here" }),
};
