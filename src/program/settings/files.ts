/** Finds and reads the settings files; a file that does not hold is reported, never half used (B8.4). */
import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { SettingsSource } from "../../core/settings/settings.ts";
import type { ParsedSettings, SettingsProblem } from "./text.ts";

export interface SettingsPlaces {
  readonly configHome: string;
  readonly projectRoot: string;
  /** Where relative paths of the command line start. */
  readonly directory: string;
  /** What `--settings` was given: a file, or JSON. */
  readonly argument?: string;
  /** Another way to the same answer as `parseSettings` gives. */
  readonly parse?: ParseText;
}

type ParseText = (text: string, file: string) => Promise<ParsedSettings>;

/** Never throws: what cannot be read is a problem, and with one of these the program ends with exit code 2. */
export async function loadSettings(places: SettingsPlaces) {
  const user = join(places.configHome, "settings.json");
  const project = projectSettingsFile(places.projectRoot);
  const { parse = parseWhole } = places;
  const reads: Promise<Read>[] = [readSource(user, "user", parse)];
  if (!(await isSameFile(user, project))) reads.push(readSource(project, "project", parse));
  reads.push(readSource(localSettingsFile(places.projectRoot), "local", parse));
  if (places.argument !== undefined) reads.push(readArgument(places.argument, places.directory));
  const read = await Promise.all(reads);
  return {
    sources: read.flatMap(({ source }) => source ?? []),
    problems: read.flatMap(({ problems }) => problems),
  };
}

export function projectSettingsFile(projectRoot: string): string {
  return join(projectRoot, ".groundplan", "settings.json");
}

export function localSettingsFile(projectRoot: string): string {
  return join(projectRoot, ".groundplan", "settings.local.json");
}

interface Read {
  readonly source: SettingsSource | null;
  readonly problems: readonly SettingsProblem[];
}

async function readArgument(argument: string, directory: string): Promise<Read> {
  if (/^\s*[{[]/.test(argument))
    return sourceOf(await parseWhole(argument, "--settings"), "--settings", "command line");
  const path = resolve(directory, argument);
  const read = await readSource(path, "command line", parseWhole);
  if (read.source !== null || read.problems.length > 0) return read;
  return failed(path, "there is no such file; --settings takes a file, or JSON that begins with {.");
}

async function readSource(file: string, origin: SettingsSource["origin"], parse: ParseText): Promise<Read> {
  const text = await readText(file);
  if (text.kind === "missing") return { source: null, problems: [] };
  if (text.kind === "failed") return failed(file, text.message);
  return sourceOf(await parse(text.text, file), file, origin);
}

/** The checks are loaded only when there is something to check. */
async function parseWhole(text: string, file: string): Promise<ParsedSettings> {
  return (await import("./text.ts")).parseSettings(text, file);
}

function sourceOf({ settings, problems }: ParsedSettings, file: string, origin: SettingsSource["origin"]): Read {
  return { source: settings === null ? null : { origin, file, settings }, problems };
}

function failed(file: string, message: string): Read {
  return { source: null, problems: [{ file, line: 1, column: 1, key: null, message }] };
}

export type FileText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" }
  | { readonly kind: "failed"; readonly message: string };

/** A regular file of UTF-8, up to 1 MB; never waits on a pipe. */
export async function readText(path: string): Promise<FileText> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = await file.stat();
      if (!found.isFile()) return { kind: "failed", message: "this is not a regular file; put the settings into one." };
      if (found.size > largest) return { kind: "failed", message: "this is larger than 1 MB; settings are small." };
      return {
        kind: "text",
        text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await file.readFile()),
      };
    } finally {
      await file.close();
    }
  } catch (error) {
    return unreadable(error as NodeJS.ErrnoException);
  }
}

function unreadable({ code, message }: NodeJS.ErrnoException): FileText {
  if (code === "ENOENT" || code === "ENOTDIR") return { kind: "missing" };
  const known = code === undefined ? undefined : causes[code];
  return { kind: "failed", message: known ?? `this cannot be read: ${message}.` };
}

const causes: Readonly<Record<string, string>> = {
  EACCES: "this cannot be read: no permission. Make it readable, or remove it.",
  EPERM: "this cannot be read: no permission. Make it readable, or remove it.",
  ERR_ENCODING_INVALID_ENCODED_DATA: "this is not UTF-8 text; save it as UTF-8.",
};

/** In the home directory the project's file is the person's own. */
async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map((path) => realpath(path).catch(() => resolve(path))));
  return first === second;
}

const largest = 1024 * 1024;
