/** The environment of every child: nothing in it makes a program run, page, ask or write (B1.5). */
import { isAbsolute, resolve, sep } from "node:path";
import { dropped, droppedFromWorking, kept, quiet, quietWorking } from "./environment-names.ts";
import type { GitOverride } from "./git-config.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface EnvironmentRequest {
  readonly base: Environment;
  /** Folders whose programs never count as commands: the project and the added directories. */
  readonly projectRoots: readonly string[];
  /** Where caches and temporary files go; without one the person's own places stay (working mode). */
  readonly scratch: string | null;
  readonly gitOverrides: readonly GitOverride[];
  readonly network: boolean;
}

/** The cleaned environment of a confined command (plan mode, and our own git and rg). */
export function childEnvironment(request: EnvironmentRequest): Record<string, string> {
  const { base, projectRoots, scratch, gitOverrides, network } = request;
  return {
    ...without(base, (name) => !kept.has(name) && dropped.some((pattern) => pattern.test(name))),
    ...(network ? servicesOf(base) : {}),
    ...quiet,
    ...(scratch === null ? {} : scratchNames(scratch)),
    ...gitSettings([...standardGitOverrides({ network }), ...gitOverrides]),
    PATH: cleanPath(base["PATH"], projectRoots),
  };
}

/** The environment in working mode: the person's own, without what starts programs behind a command or waits for keys. */
export function workingEnvironment({ base }: Pick<EnvironmentRequest, "base">): Record<string, string> {
  return {
    ...without(base, (name) => droppedFromWorking.some((pattern) => pattern.test(name))),
    ...quietWorking,
  };
}

/** PATH without relative entries, entries inside of the project, and package folders' `.bin`. */
export function cleanPath(path: string | undefined, projectRoots: readonly string[]): string {
  const entries = (path ?? "").split(":").filter((entry) => isAbsolute(entry));
  const clean = entries
    .map((entry) => resolve(entry))
    .filter((entry) => !projectRoots.some((root) => isInside(entry, resolve(root))))
    .filter((entry) => !/(^|\/)node_modules\/\.bin$/.test(entry));
  return clean.length > 0 ? [...new Set(clean)].join(":") : "/usr/local/bin:/usr/bin:/bin";
}

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

/** Addresses of services that a proved query may reach when the network is on. */
function servicesOf(base: Environment): Record<string, string> {
  return without(base, (name) => name !== "DOCKER_HOST" && name !== "XDG_RUNTIME_DIR");
}

function without(base: Environment, isDropped: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(base).filter((pair): pair is [string, string] => pair[1] !== undefined && !isDropped(pair[0])),
  );
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
