/** The settings that hold for another agent in a folder: those in force for us there, with nothing from a command line. */
import type { Ignored, Settings } from "../../core/settings/settings.ts";
import { settingsInForce } from "../../program/settings/in-force.ts";
import { parseQuickly } from "./quick-settings.ts";

export interface SettingsPlace {
  /** The config home. */
  readonly home: string;
  /** The project's. */
  readonly root: string;
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export async function settingsAt(
  place: SettingsPlace,
): Promise<{ settings: Settings; ignored: readonly Ignored[] } | { problem: string }> {
  const { home, root, directory, environment } = place;
  const found = await settingsInForce({
    configHome: home,
    projectRoot: root,
    directory,
    environment,
    options: {},
    parse: parseQuickly,
    isTrusted: async () => {
      const { openState } = await import("../../program/state-file.ts");
      return openState({ configHome: home, now: Date.now, warn: () => undefined }).isTrusted(root);
    },
  });
  if (found.kind === "ready") return { settings: found.settings, ignored: found.ignored };
  const [first] = found.problems;
  return { problem: first === undefined ? "they are not valid" : `${first.file}:${first.line}: ${first.message}` };
}
