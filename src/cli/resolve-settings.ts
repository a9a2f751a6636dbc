/** The settings in force: files, environment and options merged, what a project may not do said aloud. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { environmentSettings, mergeSettings, type Settings, type SettingsSource } from "../core/settings.ts";
import type { SessionArguments } from "./args.ts";
import { loadSettings } from "./settings-files.ts";
import { problemText } from "./settings-text.ts";
import { openState } from "./trust.ts";
import type { UsageError } from "./usage-error.ts";

export interface ResolvedSettings {
  readonly settings: Settings;
  /** The text of `planTemplate`. */
  readonly template: string | null;
}

export interface SettingsRequest {
  readonly args: SessionArguments;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  readonly root: string;
  readonly home: string;
  readonly tell: (line: string) => void;
}

export async function resolveSettings(request: SettingsRequest): Promise<ResolvedSettings | UsageError> {
  const { args, environment, directory, root, home, tell } = request;
  const argument = args.settings === null ? {} : { argument: args.settings };
  const { sources, problems } = await loadSettings({ configHome: home, projectRoot: root, directory, ...argument });
  if (problems.length > 0) return { problem: problems.map(problemText).join("\n"), exitCode: 2 };
  const state = openState({ configHome: home, now: Date.now, warn: tell });
  const trusted = args.trust || (await state.isTrusted(root));
  const all = [...sources, environmentSettings(environment), fromArguments(args)];
  const { settings, ignored } = mergeSettings(all, { trusted });
  if (ignored.length > 0) {
    const keys = [...new Set(ignored.map(({ key }) => key))].join(", ");
    tell(
      `This project's settings want more than an untrusted folder may have; ignored: ${keys}. Use --trust to trust it.`,
    );
  }
  if (settings.planTemplate === null) return { settings, template: null };
  try {
    return { settings, template: await readFile(resolve(root, settings.planTemplate), "utf8") };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problem: `planTemplate cannot be read: ${reason}`, exitCode: 2 };
  }
}

function fromArguments({ model, planModel, effort, mode }: SessionArguments): SettingsSource {
  return {
    origin: "command line",
    file: null,
    settings: {
      ...(model === null ? {} : { model }),
      ...(planModel === null ? {} : { planModel }),
      ...(effort === null ? {} : { effort }),
      ...(mode === null ? {} : { defaultMode: mode }),
    },
  };
}
