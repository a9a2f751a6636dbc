/** Where other agents leave their plans on disk, by their own variables (B11.6). */
import { isAbsolute, join } from "node:path";
import { namesIn } from "../agent/host/files/entries.ts";
import type { PlanFolder } from "../agent/library/import-plans.ts";

export interface PlacesRequest {
  /** The project's root. */
  readonly project: string;
  /** The person's home directory. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export function planPlaces({ project, home, environment }: PlacesRequest): readonly PlanFolder[] {
  const given = (name: string, otherwise: string): string => {
    const value = environment[name];
    return value !== undefined && isAbsolute(value) ? value : otherwise;
  };
  const claude = given("CLAUDE_CONFIG_DIR", join(home, ".claude"));
  const shared = given("XDG_DATA_HOME", join(home, ".local/share"));
  const gemini = join(given("GEMINI_CLI_HOME", home), ".gemini/tmp");
  return [
    anywhere("claude", join(claude, "plans")),
    { source: "cursor", folder: join(project, ".cursor/plans"), ending: ".plan.md", project },
    { source: "cursor", folder: join(home, ".cursor/plans"), ending: ".plan.md", project: null },
    { source: "opencode", folder: join(project, ".opencode/plans"), ending: ".md", project },
    anywhere("opencode", join(shared, "opencode/plans")),
    ...foldersBelow(gemini).map((folder) => anywhere("gemini", folder)),
  ];
}

/** Gemini CLI has one for each project, or each session of it. */
function foldersBelow(root: string): readonly string[] {
  const projects = namesIn(root).slice(0, most);
  const folders = projects.map((project) => join(root, project));
  const sessions = folders.flatMap((folder) =>
    namesIn(folder)
      .slice(0, most)
      .map((name) => join(folder, name)),
  );
  return [...folders, ...sessions].map((folder) => join(folder, "plans"));
}

/** Plans of any project. */
function anywhere(source: string, folder: string): PlanFolder {
  return { source, folder, ending: ".md", project: null };
}

const most = 500;
