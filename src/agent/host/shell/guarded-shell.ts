/** The guarded shell: judges commands, and runs them in the cage where there is one. It never decides what may run. */
import { existsSync, realpathSync, statSync } from "node:fs";
import { verdict, withoutCage } from "../../../shell/index.ts";
import type { ShellVerdict } from "../../../shell/index.ts";
import { childEnvironment, workingEnvironment } from "../launch/environment.ts";
import type { Environment } from "../../models/providers.ts";
import { probeGit } from "../launch/git-config.ts";
import type { GitFacts } from "../launch/git-config.ts";
import { foreignFolders, searchPath } from "../launch/search-path.ts";
import { withReach } from "./query.ts";
import { runCommand } from "./run-command.ts";
import type { CommandRun } from "./run-command.ts";
import { rungsTakenAway } from "../cage/find.ts";
import { keepCage } from "../cage/keeper.ts";
import { mayBeShown } from "../cage/places.ts";
import type { Rung, SandboxSetting, CageWish } from "../cage/types.ts";
import { findProgram } from "../launch/find-program.ts";
import { keepScratch } from "./scratch.ts";
import { gatherSituation } from "./shell-situation.ts";

export interface GuardedShellOptions {
  readonly projectRoot: string;
  /** Added directories. */
  readonly directories: readonly string[];
  readonly plansDirectory: string;
  /** Folders whose content no confined command can read, the plans aside: our own home. */
  readonly closed?: readonly string[];
  readonly settings: { readonly sandbox: SandboxSetting };
  /** The process environment; nothing else of it is read. */
  readonly environment: Environment;
}

export interface ShellRunOptions {
  readonly directory: string;
  /** In the cage where there is one, in the cleaned environment everywhere. */
  readonly confined: boolean;
  /** False: what earlier commands left among the host's temporary files can be read. */
  readonly planning?: boolean;
  /** Outside of the cage as well: none of the person's tokens, no program of the project. */
  readonly unasked?: boolean;
  readonly network: boolean;
  /** Real paths that cannot be read in the cage. */
  readonly hide?: readonly string[];
  /** A confined command may write to the work tree: to a copy that is gone afterwards, where the machine has that (B1.16). */
  readonly onCopy?: boolean;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly outputLimit?: number;
}

/** What to run: a verdict (its canonical text), or a text that the caller answers for. */
export type Runnable = string | Pick<ShellVerdict, "canonical" | "gitDirectories">;

export interface GuardedShell {
  /** Found and self-tested at the first call. */
  readonly rung: () => Promise<Rung>;
  /** Null as long as no command needed it: nothing is tested for the sake of telling. */
  readonly knownRung: () => Rung | null;
  readonly judge: (command: string, directory: string) => Promise<ShellVerdict>;
  readonly run: (command: Runnable, options: ShellRunOptions) => Promise<CommandRun>;
  /** The environment that a confined command gets in a directory. */
  readonly environmentFor: (directory: string, options: { network: boolean }) => Promise<Record<string, string>>;
  readonly close: () => void;
}

/** More overrides than this do not fit into an environment: such a repository's git proves nothing. */
const mostOverrides = 1_000;

export function createGuardedShell(options: GuardedShellOptions): GuardedShell {
  const { environment, settings } = options;
  const home = environment["HOME"];
  const directories = [options.projectRoot, ...options.directories];
  const projectRoots = foreignFolders(directories, home);
  const path = searchPath({ path: environment["PATH"], directories, home });
  const base = { ...environment, PATH: path };
  const bash = findProgram("bash", path) ?? "/bin/bash";
  const visible = [
    ...directories.flatMap((place) => [place, realOf(place)]),
    options.plansDirectory,
    ...(home === undefined ? [] : [home]),
  ];
  const { folder: scratch, close } = keepScratch();
  const git = rememberGit((directory) =>
    probeGit({
      directory,
      environment: childEnvironment({ base, projectRoots, scratch: null, gitOverrides: [], network: false }),
    }),
  );

  const wishFor = async (
    args: readonly string[],
    place: Pick<ShellRunOptions, "directory" | "network" | "hide"> &
      Pick<CageWish, "visible"> & { gitDirectories: readonly string[] },
  ): Promise<CageWish> => {
    const facts = await Promise.all([place.directory, ...place.gitDirectories].map(git));
    const directory = realOf(place.directory);
    const socket = place.network ? daemonSocket(args.at(-1) ?? "", environment) : undefined;
    const network = place.network && socket === undefined;
    return {
      command: [bash, "--noprofile", "--norc", ...args],
      directory,
      network: network ? "tcp" : "none",
      ...(socket === undefined ? {} : { socket }),
      visible: [
        ...place.visible.map(realOf),
        ...facts
          .flatMap(({ repository }) => repository?.directories ?? [])
          .map(realOf)
          .filter((folder) => mayBeShown(folder, (options.closed ?? []).map(realOf))),
      ],
      hide: place.hide ?? [],
      environment: (folder) => ({
        ...confinedEnvironment(facts, { scratch: folder, network: place.network }),
        PWD: directory,
      }),
    };
  };

  const trialPlace = { directory: options.projectRoot, network: false, gitDirectories: [] };
  const keeper = keepCage({
    sandbox: settings.sandbox,
    machine: {
      platform: process.platform,
      processor: process.arch,
      path,
      visible,
      closed: options.closed ?? [],
      scratch,
      without: rungsTakenAway(environment),
    },
    trial: async (args, sight) => ({
      ...(await wishFor(args, { ...trialPlace, visible: [sight.visible] })),
      hide: [realOf(sight.hide)],
    }),
    repository: async () => ((await git(options.projectRoot)).repository === null ? null : options.projectRoot),
  });
  const { rung, known: knownRung } = keeper;

  const confinedEnvironment = (
    facts: readonly GitFacts[],
    place: { scratch: string; network: boolean },
  ): Record<string, string> =>
    childEnvironment({ base, projectRoots, ...place, gitOverrides: facts.flatMap(({ overrides }) => overrides) });

  return {
    rung,
    knownRung,
    judge: async (command, directory) => {
      const caged = (await rung()).kind !== "none";
      const situation = { platform: process.platform, directory, home, caged };
      const first = verdict(command, gatherSituation({ ...situation, gitPrograms: [] }));
      const facts = await Promise.all(first.gitDirectories.map(async (place) => ({ place, ...(await git(place)) })));
      const unknown = facts.filter(({ known, overrides }) => !known || overrides.length > mostOverrides);
      const gitPrograms = unknown.map(({ place }) => `configuration of ${place}`);
      const whole = unknown.length === 0 ? first : verdict(command, gatherSituation({ ...situation, gitPrograms }));
      const uncaged = () => verdict(command, gatherSituation({ ...situation, caged: false, gitPrograms }));
      return withReach(caged ? whole : withoutCage(command, whole), { directory, home, uncaged });
    },
    run: async (command, run) => {
      const text = typeof command === "string" ? command : command.canonical;
      if (text === null) return refusal("the command could not be analysed, so there is nothing to run");
      if (!run.confined) {
        return runCommand({
          ...limitsOf(run),
          argv: [bash, "--noprofile", "--norc", "-c", text],
          directory: run.directory,
          environment: workingEnvironment(run.unasked === true ? { base, unasked: true } : { base: environment }),
          ending: "searched",
        });
      }
      const gitDirectories = typeof command === "string" ? [] : command.gitDirectories;
      const visible = run.planning === false ? ["/tmp"] : [];
      const wish = await wishFor(["-c", text], { ...run, visible, gitDirectories });
      const tree = run.onCopy === true ? treeAround(wish.directory, directories) : undefined;
      const caged = await keeper.run(wish, limitsOf(run), tree);
      if (caged !== null) return "cannot" in caged ? refusal(caged.cannot) : caged;
      if (settings.sandbox === "required") {
        const none = knownRung();
        const why = none?.kind === "none" ? `: ${none.reason}` : "";
        return refusal(`the setting \`sandbox\` requires a sandbox, and there is none${why}`);
      }
      const facts = await Promise.all([run.directory, ...gitDirectories].map(git));
      return runCommand({
        ...limitsOf(run),
        argv: [bash, "--noprofile", "--norc", "-c", text],
        directory: run.directory,
        environment: confinedEnvironment(facts, { scratch: scratch(), network: run.network }),
        ending: "searched",
      });
    },
    environmentFor: async (directory, { network }) =>
      confinedEnvironment([await git(directory)], { scratch: scratch(), network }),
    close,
  };
}

/** The real root that a directory lies in. */
function treeAround(directory: string, roots: readonly string[]): string | undefined {
  return roots.map(realOf).find((root) => root !== "/" && `${directory}/`.startsWith(`${root}/`));
}

/** The socket of the daemon that a query is for. */
function daemonSocket(text: string, environment: Environment): string | undefined {
  const program = /^(docker|podman) /.exec(text)?.[1];
  if (program === undefined) return undefined;
  const named = /^unix:\/\/(\/.+)$/.exec(environment["DOCKER_HOST"] ?? "")?.[1];
  const user = `/run/user/${process.getuid?.() ?? 0}`;
  const usual = program === "docker" ? ["/run/docker.sock", `${user}/docker.sock`] : [`${user}/podman/podman.sock`];
  return [...(named === undefined ? [] : [named]), ...usual].find((path) => existsSync(path));
}

function limitsOf({ timeoutMs, signal, outputLimit }: Pick<ShellRunOptions, "timeoutMs" | "signal" | "outputLimit">): {
  timeoutMs: number;
  signal?: AbortSignal;
  outputLimit?: number;
} {
  return {
    timeoutMs,
    ...(signal === undefined ? {} : { signal }),
    ...(outputLimit === undefined ? {} : { outputLimit }),
  };
}

function refusal(reason: string): CommandRun {
  const nothing = { signal: null, stdout: "", truncated: false, timedOut: false, aborted: false, durationMs: 0 };
  return { exitCode: 126, stderr: `groundplan: ${reason}\n`, ...nothing };
}

/** Facts about a repository stay while none of the files that decided them changes. */
function rememberGit(probe: (directory: string) => Promise<GitFacts>): (directory: string) => Promise<GitFacts> {
  const remembered = new Map<string, { stamp: string; facts: GitFacts }>();
  return async (directory) => {
    const last = remembered.get(directory);
    if (last !== undefined && last.stamp === stampOf(last.facts.watched)) return last.facts;
    const facts = await probe(directory);
    if (facts.known) remembered.set(directory, { stamp: stampOf(facts.watched), facts });
    return facts;
  };
}

function stampOf(files: readonly string[]): string {
  return files
    .map((file) => statSync(file, { throwIfNoEntry: false }))
    .map((stat) => (stat === undefined ? "-" : `${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}`))
    .join(" ");
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
