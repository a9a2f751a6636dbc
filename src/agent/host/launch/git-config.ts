/** Which keys of a repository's git configuration name programs, and the harmless values that replace them (B1.5). */
import { readdir, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { GitOverride } from "./environment.ts";
import { askGit, type GitPlace } from "./own-git.ts";
import { withParents } from "./search-path.ts";
import { exists } from "../files/entries.ts";
import { readRegularText } from "../files/read-regular.ts";

export interface GitFacts {
  /** False where git is missing or the probe failed: then nothing is known, and git proves nothing. */
  readonly known: boolean;
  readonly repository: { readonly directories: readonly string[] } | null;
  readonly overrides: readonly GitOverride[];
  /** Files that decided; while none of them changes, neither do the facts. */
  readonly watched: readonly string[];
}

export interface GitSetting {
  readonly key: string;
  readonly value: string;
  readonly origin: string;
}

/** Prints a difference without git's help: what an external diff program is replaced by. */
const plainDiff =
  'f() { printf "diff --git a/%s b/%s\\n" "$1" "$1"; diff -u --label "a/$1" --label "b/$1" -- "$2" "$5"; :; }; f';

const named = new Set(
  `core.fsmonitor core.pager core.editor core.sshcommand core.askpass core.hookspath core.gitproxy
  core.alternaterefscommand diff.external interactive.difffilter sequence.editor gpg.program
  uploadpack.packobjectshook imap.tunnel web.browser help.browser merge.tool diff.tool diff.guitool
  merge.guitool log.showsignature credential.helper receive.procreceiverefs`.split(/\s+/),
);

const patterned =
  /^(pager\..+|diff\..+\.(command|textconv)|filter\..+\.(clean|smudge|process|required)|credential\..+\.helper|gpg\..+\.(program|defaultkeycommand)|merge\..+\.driver|(diff|merge)tool\..+\.(cmd|path)|man\..+\.(cmd|path)|man\.viewer|browser\..+\.(cmd|path)|guitool\..+\.cmd|trailer\..+\.(command|cmd)|tar\..+\.command|hook\..+\.command|remote\..+\.(uploadpack|receivepack|vcs|proxy)|protocol\..+\.allow|trace2\..+target|sendemail\..+|instaweb\..+|.*(command|program|helper|driver|editor|hook|textconv))$/;

/** The override of each setting that names a program (pure). */
export function overridesFor(settings: readonly GitSetting[]): GitOverride[] {
  const programs = settings.filter(isProgram).map(({ key }) => key);
  const filters = new Set(programs.flatMap((key) => /^(filter\..+)\.[^.]+$/.exec(key)?.[1] ?? []));
  return [
    ...[...new Set(programs)].filter((key) => !key.startsWith("filter.")).map((key) => ({ key, value: valueFor(key) })),
    ...[...filters].flatMap((filter) => [
      { key: `${filter}.clean`, value: "" },
      { key: `${filter}.smudge`, value: "" },
      { key: `${filter}.process`, value: "" },
      { key: `${filter}.required`, value: "false" },
    ]),
  ];
}

/** Whether this setting can make git start a program or open a transport. */
export function isProgram({ key, value }: Pick<GitSetting, "key" | "value">): boolean {
  if (key.startsWith("alias.")) return value.trimStart().startsWith("!");
  return named.has(key) || patterned.test(key);
}

/** Reads `git config --list -z --show-origin` (pure). */
export function parseSettings(listing: string): GitSetting[] {
  const fields = listing.split("\0");
  const settings: GitSetting[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [key = "", ...value] = fields[index + 1]!.split("\n");
    settings.push({ key, value: value.join("\n"), origin: fields[index]!.replace(/^file:/, "") });
  }
  return settings;
}

type GitQuestion = Pick<GitPlace, "directory" | "environment">;

/** Asks git for the configuration in force in a directory; executes nothing of the repository's. */
export async function probeGit(question: GitQuestion): Promise<GitFacts> {
  const { directory, environment } = question;
  const explicit = (await isGitDirectory(directory)) ? [`--git-dir=${directory}`] : [];
  const ask = (...args: string[]) => runGit([...explicit, ...args], { directory, environment });
  const [own, places] = await Promise.all([
    ask("config", ...listing),
    ask("rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir", "--show-toplevel"),
  ]);
  const [gitDirectory, commonDirectory, root] = places.text.split("\n").filter(Boolean);
  const inRepository = gitDirectory !== undefined && commonDirectory !== undefined;
  const modules = inRepository ? await moduleConfigurations(commonDirectory) : [];
  if (modules === null) return unknownGit;
  const inner = await Promise.all(modules.map((file) => ask("config", "--file", file, ...listing)));
  const linked = root === undefined ? [] : await linkedSettings(root, { environment, depth: 0 });
  if (linked === null || own.code !== 0 || inner.some(({ code }) => code !== 0)) return unknownGit;
  const settings = [...[own, ...inner].flatMap(({ text }) => settingsIn(text, directory)), ...linked];
  const borrowed = inRepository ? await borrowedObjects(commonDirectory) : [];
  return {
    known: true,
    repository: inRepository ? { directories: [...new Set([gitDirectory, commonDirectory, ...borrowed])] } : null,
    overrides: overridesFor(settings),
    watched: watchedFiles(
      question,
      settings,
      [gitDirectory, commonDirectory].filter((folder) => folder !== undefined),
    ),
  };
}

/** Without those that we gave ourselves; origins are from where git was asked. */
function settingsIn(listing: string, directory: string): GitSetting[] {
  return parseSettings(listing)
    .filter(({ origin }) => origin !== "command line:")
    .map(({ key, value, origin }) => ({ key, value, origin: resolve(directory, origin) }));
}

const unknownGit: GitFacts = { known: false, repository: null, overrides: [], watched: [] };

function valueFor(key: string): string {
  if (key === "diff.external" || /^diff\..+\.command$/.test(key)) return plainDiff;
  if (/^diff\..+\.textconv$/.test(key) || key === "core.pager") return "cat";
  if (key.startsWith("pager.") || key === "core.fsmonitor" || key === "log.showsignature") return "false";
  if (key === "core.hookspath") return "/dev/null";
  if (/^protocol\..+\.allow$/.test(key)) return "never";
  if (/^trace2\..+target$/.test(key)) return "0";
  if (/(editor|askpass|sshcommand|program|command|cmd)$/.test(key)) return "false";
  return "";
}

/** A folder that `--git-dir` may name; git itself finds such a one only when it is named. */
async function isGitDirectory(directory: string): Promise<boolean> {
  const parts = await Promise.all(["HEAD", "objects", "config"].map((name) => exists(join(directory, name))));
  return parts.every(Boolean);
}

/** Submodules have configurations of their own, which `git status` in the parent obeys. Null: a link leads out of them, which git never made, or one cannot be looked into. */
async function moduleConfigurations(commonDirectory: string): Promise<string[] | null> {
  const modules = join(commonDirectory, "modules");
  const found: string[] = [];
  const pending = (await exists(modules)) ? [modules] : [];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
    if (entries === null) return null;
    for (const entry of entries) {
      const path = join(folder, entry.name);
      const isConfiguration = entry.name === "config" || entry.name === "config.worktree";
      if (entry.isDirectory()) pending.push(path);
      else if (isConfiguration && entry.isFile()) found.push(path);
      else if (entry.isSymbolicLink() && (isConfiguration || (await isFolder(path)))) return null;
    }
  }
  return found;
}

const listing = ["--list", "-z", "--show-origin", "--includes"];
const deepestLink = 3;
const mostLinks = 50;

interface LinkPlace extends Pick<GitQuestion, "environment"> {
  readonly depth: number;
}

/** Repositories that the index links to and whose folder is in the tree: git looks into them as well. Null: too many to know. */
async function linkedSettings(root: string, { environment, depth }: LinkPlace): Promise<GitSetting[] | null> {
  const index = await runGit(["ls-files", "--stage", "-z"], { directory: root, environment });
  const paths = index.text.split("\0").flatMap((line) => /^160000 .*?\t(.*)$/s.exec(line)?.[1] ?? []);
  const folders = paths.map((path) => join(root, path));
  const present = await Promise.all(folders.map((folder) => exists(join(folder, ".git"))));
  const links = folders.filter((_, at) => present[at]);
  if (index.code !== 0 || links.length > mostLinks || (links.length > 0 && depth >= deepestLink)) return null;
  const found = await Promise.all(links.map((link) => settingsOfLink(link, { environment, depth: depth + 1 })));
  return found.includes(null) ? null : found.flatMap((settings) => settings!);
}

async function settingsOfLink(directory: string, place: LinkPlace): Promise<GitSetting[] | null> {
  const own = await runGit(["config", ...listing], { directory, environment: place.environment });
  const inner = await linkedSettings(directory, place);
  if (own.code !== 0 || inner === null) return null;
  return [...settingsIn(own.text, directory), ...inner];
}

async function borrowedObjects(commonDirectory: string): Promise<string[]> {
  const objects = join(commonDirectory, "objects");
  const text = await readRegularText(join(objects, "info/alternates")).catch(() => "");
  const named = text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => resolve(objects, line));
  const stores = await Promise.all(named.map(isObjectStore));
  return named.filter((_, at) => stores[at]);
}

/** Any other folder that a repository calls its alternate is not made visible for it. */
async function isObjectStore(folder: string): Promise<boolean> {
  return (await isFolder(join(folder, "pack"))) || isFolder(join(folder, "info"));
}

function watchedFiles(
  { directory, environment: { HOME: home = "/" } }: GitQuestion,
  settings: readonly GitSetting[],
  repository: readonly string[],
): string[] {
  const files = settings.map(({ origin }) => origin);
  const included = settings
    .filter(({ key }) => /^include(if\..+)?\.path$/.test(key))
    .map((setting) => includedFile(setting, home));
  const names = ["config", "config.worktree", "HEAD", "index", "modules"];
  const own = repository.flatMap((folder) => names.map((name) => join(folder, name)));
  const personal = [join(home, ".gitconfig"), join(home, ".config/git/config"), "/etc/gitconfig"];
  const possible = withParents(directory).map((folder) => join(folder, ".git"));
  return [...new Set([...files, ...included, ...own, ...possible, ...personal])];
}

function includedFile({ value, origin }: GitSetting, home: string): string {
  if (value.startsWith("~/")) return join(home, value.slice(2));
  return isAbsolute(value) ? value : join(dirname(origin), value);
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
}

async function runGit(args: readonly string[], question: GitQuestion): Promise<{ code: number | null; text: string }> {
  const { code, bytes } = await askGit(args, question);
  return { code, text: bytes.toString("utf8") };
}
