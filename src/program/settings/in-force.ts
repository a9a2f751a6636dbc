/** From files, environment and options to the settings of a session: trust is asked for only when something needs it. */
import { realpath } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import {
  environmentSettings,
  mergeSettings,
  type Ignored,
  type MergedSettings,
  type SettingsSource,
} from "../../core/settings/settings.ts";
import type { SettingsFile } from "../../core/settings/shape.ts";
import { loadSettings, type SettingsPlaces } from "./files.ts";
import type { SettingsProblem } from "./text.ts";
import { FileError } from "../../agent/host/files/file-error.ts";
import { readRegularText } from "../../agent/host/files/read-regular.ts";
import { homeDirectory } from "../../agent/host/config-home.ts";

export interface SettingsRequest extends SettingsPlaces {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What the options of the command line say, as settings. */
  readonly options: SettingsFile;
  /** Asked at most once, and only when the project brings something that needs trust, which is told. */
  readonly isTrusted: (wanted: readonly Ignored[]) => Promise<boolean>;
  /** Allow rules that the person gave for this project in a dialog; asked only when the project's files bring some. */
  readonly granted?: () => Promise<readonly string[]>;
}

export type SettingsInForce =
  | (MergedSettings & {
      readonly kind: "ready";
      readonly trusted: boolean;
      /** The text of the file that `planTemplate` names. */
      readonly template: string | null;
    })
  /** Exit code 2. */
  | { readonly kind: "invalid"; readonly problems: readonly SettingsProblem[] };

export async function settingsInForce(request: SettingsRequest): Promise<SettingsInForce> {
  const { sources, problems } = await loadSettings(request);
  if (problems.length > 0) return { kind: "invalid", problems };
  const options = { origin: "command line", file: null, settings: request.options } as const;
  const all = [...sources, environmentSettings(request.environment), options];
  const granted = await grantedIn(all, request);
  const careful = mergeSettings(all, { trusted: false, granted });
  const trusted = careful.needsTrust && (await request.isTrusted(careful.ignored));
  const merged = trusted ? mergeSettings(all, { trusted }) : careful;
  const template = await readTemplate(merged.settings.planTemplate, { root: request.projectRoot, trusted });
  if (template !== null && typeof template === "object") return { kind: "invalid", problems: [template] };
  return { kind: "ready", ...merged, trusted, template };
}

async function grantedIn(sources: readonly SettingsSource[], { granted }: SettingsRequest): Promise<readonly string[]> {
  const brings = sources.some(
    ({ origin, settings }) => origin === "local" && settings.permissions?.allow !== undefined,
  );
  return brings && granted !== undefined ? granted() : [];
}

/** For the person: what of a project's settings does not count, one line for each file and reason. */
export function ignoredLines(ignored: readonly Ignored[]): readonly string[] {
  const never = ignored.filter(({ why }) => why === "never-from-project");
  const untrusted = ignored.filter(({ why }) => why === "needs-trust");
  const files = [...new Set(untrusted.map(({ source }) => source))];
  return [
    ...never.map((one) => `${placed(one)} not used: ${neverWords(one)}.`),
    ...files.map((file) => {
      const [first, ...rest] = untrusted.filter(({ source }) => source === file);
      const all = [placed(first!), ...rest.map(named)].join(", ");
      return `${all} not used: a project's settings may only narrow, until you trust the folder (--trust).`;
    }),
  ];
}

function neverWords({ key }: Ignored): string {
  return key === "receipt.key"
    ? "a project cannot choose the key that signs for you"
    : "a project cannot start a session that skips permissions";
}

function placed(one: Ignored): string {
  return `${one.source.file ?? one.source.origin}: ${named(one)}`;
}

function named({ key, value }: Ignored): string {
  return `${key} ${JSON.stringify(value.length > longestShown ? `${value.slice(0, longestShown)}…` : value)}`;
}

const longestShown = 80;

/** From the project root; in a folder that is not trusted a path inside may not lead out by a link. */
async function readTemplate(
  setting: string | null,
  { root, trusted }: { readonly root: string; readonly trusted: boolean },
): Promise<string | null | SettingsProblem> {
  if (setting === null) return null;
  const path = setting.startsWith("~/") ? join(homeDirectory(), setting.slice(2)) : resolve(root, setting);
  const fail = (why: string): SettingsProblem => {
    const message = `the file of "planTemplate" ${why}.`;
    return { file: path, line: 1, column: 1, key: "planTemplate", message };
  };
  try {
    const real = await realpath(path);
    const realRoot = await realpath(root);
    const leavesByLink = path.startsWith(root + sep) && !real.startsWith(realRoot + sep);
    if (leavesByLink && !trusted) return fail("is a link that leads out of the project; trust the folder, or copy it");
    return await readRegularText(real, { limit: largestTemplate });
  } catch (error) {
    if (error instanceof FileError) return fail("must be a text file of at most 64 KB");
    const { code, message } = error as NodeJS.ErrnoException;
    return fail(code === "ENOENT" ? "is not there; make it, or remove the setting" : `cannot be read: ${message}`);
  }
}

const largestTemplate = 64 * 1024;
