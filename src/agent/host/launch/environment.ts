/** The environment of every child: nothing in it makes a program run, page, ask or write (B1.5). */
import { isAbsolute, resolve } from "node:path";
import { isInside } from "../../../core/decide/access.ts";
import {
  allowed,
  allowedAddresses,
  allowedPlaces,
  droppedFromWorking,
  localeNames,
  offline,
  plainLocale,
  plainZone,
  quiet,
  quietWorking,
  token,
} from "./environment-names.ts";
import type { Environment } from "../../models/providers.ts";
import { isModelKey } from "./model-keys.ts";
import { cleanPath, foreignFolders, personalPath, searchPath } from "./search-path.ts";

/** A key of git's configuration and the harmless value that it is given. */
export interface GitOverride {
  readonly key: string;
  readonly value: string;
}

export interface EnvironmentRequest {
  readonly base: Environment;
  /** Folders whose programs never count as commands: the project and the added directories. */
  readonly projectRoots: readonly string[];
  /** Where caches and temporary files go; without one the person's own places stay (working mode). */
  readonly scratch: string | null;
  readonly gitOverrides: readonly GitOverride[];
  readonly network: boolean;
}

export interface WorkingRequest extends Pick<EnvironmentRequest, "base"> {
  /** The mode let it through, no person and no rule of theirs: it has none of their tokens. */
  readonly unasked?: boolean;
}

/** The environment of whatever runs without a person's yes: by a list of names that it may have, git made harmless (B1.12). */
export function childEnvironment(request: EnvironmentRequest): Record<string, string> {
  const { base, projectRoots, scratch, gitOverrides, network } = request;
  return {
    ...allowedOf(base, { projectRoots, network }),
    ...quiet,
    ...(network ? {} : offline),
    ...(scratch === null ? {} : scratchNames(scratch)),
    ...gitSettings([...standardGitOverrides({ network }), ...gitOverrides]),
    PATH: cleanPath(base["PATH"], projectRoots),
  };
}

/** The environment of our own git and other small helpers in a folder of the project. */
export function ownEnvironment(
  directory: string,
  { base = process.env }: { readonly base?: Environment } = {},
): Record<string, string> {
  const places = { path: base["PATH"], directories: [directory], home: base["HOME"] };
  const projectRoots = foreignFolders(places.directories, places.home);
  return {
    ...childEnvironment({ base, projectRoots, scratch: null, gitOverrides: [], network: false }),
    PATH: searchPath(places),
    LC_ALL: "C",
  };
}

/** What a person allowed or started: their own environment, without models' keys and without what starts programs behind a command or waits for keys. */
export function workingEnvironment({ base, unasked = false }: WorkingRequest): Record<string, string> {
  const isDropped = (name: string): boolean =>
    isModelKey(name) || (unasked && token.test(name)) || droppedFromWorking.some((pattern) => pattern.test(name));
  return {
    ...without(base, isDropped),
    ...quietWorking,
    PATH: personalPath(base["PATH"]),
  };
}

/** For the person's editor and browser: their own environment, without models' keys and programs of the project. */
export function personalEnvironment(base: Environment, directory: string): Record<string, string> {
  return {
    ...without(base, isModelKey),
    PATH: searchPath({ path: base["PATH"], directories: [directory], home: base["HOME"] }),
  };
}

function allowedOf(
  base: Environment,
  { projectRoots, network }: Pick<EnvironmentRequest, "projectRoots" | "network">,
): Record<string, string> {
  const isOutside = (value: string): boolean =>
    value.split(":").every((part) => isAbsolute(part) && !projectRoots.some((root) => isInside(resolve(part), root)));
  const valueFor = (name: string, value: string): string | null => {
    if (localeNames.test(name)) return plainLocale.test(value) ? value : "C.UTF-8";
    if (name === "TZ") return plainZone.test(value) ? value : null;
    if (allowed.has(name)) return value;
    if (allowedPlaces.has(name)) return isOutside(value) ? value : null;
    if (network && allowedAddresses.has(name)) return credentials.test(value) ? null : value;
    return null;
  };
  const pairs = Object.entries(base).flatMap(([name, value]) => {
    const kept = value === undefined || value.includes("\0") ? null : valueFor(name, value);
    return kept === null ? [] : [[name, kept] as const];
  });
  return Object.fromEntries(pairs);
}

/** `scheme://user:password@host` */
const credentials = /\/\/[^/]*@/;

/** What git is told on every run, before the repository's own program-valued keys are overridden as well. */
export function standardGitOverrides({ network }: { network: boolean }): GitOverride[] {
  const settings: Record<string, string> = {
    "diff.autoRefreshIndex": "false",
    "core.fsmonitor": "false",
    "core.pager": "cat",
    "core.hooksPath": "/dev/null",
    "core.editor": "false",
    "core.sshCommand": "false",
    "core.askPass": "false",
    "core.untrackedCache": "false",
    "safe.bareRepository": "explicit",
    "credential.helper": "",
    "gpg.program": "false",
    "gpg.openpgp.program": "false",
    "gpg.x509.program": "false",
    "gpg.ssh.program": "false",
    "log.showSignature": "false",
    "interactive.diffFilter": "",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "submodule.recurse": "false",
    "protocol.allow": "never",
    "protocol.file.allow": "never",
    "protocol.git.allow": "never",
    "protocol.ssh.allow": "never",
    "protocol.ext.allow": "never",
    "protocol.http.allow": network ? "always" : "never",
    "protocol.https.allow": network ? "always" : "never",
  };
  return Object.entries(settings).map(([key, value]) => ({ key, value }));
}

function gitSettings(overrides: readonly GitOverride[]): Record<string, string> {
  const pairs = overrides.flatMap(({ key, value }, index) => [
    [`GIT_CONFIG_KEY_${index}`, key] as const,
    [`GIT_CONFIG_VALUE_${index}`, value] as const,
  ]);
  return { GIT_CONFIG_COUNT: String(overrides.length), ...Object.fromEntries(pairs) };
}

function scratchNames(scratch: string): Record<string, string> {
  return {
    TMPDIR: scratch,
    TMP: scratch,
    TEMP: scratch,
    XDG_CACHE_HOME: `${scratch}/cache`,
    XDG_STATE_HOME: `${scratch}/state`,
    npm_config_cache: `${scratch}/npm`,
    GOCACHE: `${scratch}/go`,
    KUBECACHEDIR: `${scratch}/kube`,
    HELM_CACHE_HOME: `${scratch}/helm`,
    YARN_CACHE_FOLDER: `${scratch}/yarn`,
    YARN_GLOBAL_FOLDER: `${scratch}/yarn-global`,
    PYTHONPYCACHEPREFIX: `${scratch}/python`,
    COREPACK_HOME: `${scratch}/corepack`,
    MYPY_CACHE_DIR: `${scratch}/mypy`,
    RUFF_CACHE_DIR: `${scratch}/ruff`,
  };
}

function without(base: Environment, isDropped: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(base).filter((pair): pair is [string, string] => pair[1] !== undefined && !isDropped(pair[0])),
  );
}
