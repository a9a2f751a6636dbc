/** The guarded shell: judges commands, and runs them in the cage where there is one. It never decides what may run. */
import { existsSync } from "node:fs";
import type { ShellVerdict } from "../../../shell/index.ts";
import { childEnvironment, workingEnvironment } from "../launch/environment.ts";
import type { Environment } from "../../models/providers.ts";
import { statOf } from "../files/entries.ts";
import { probeGit, type GitFacts } from "../launch/git-config.ts";
import { foreignFolders, realOf, searchPath } from "../launch/search-path.ts";
import { withReach } from "./query.ts";
import { notRun, runCommand, type CommandRun } from "./run-command.ts";
import { rungsTakenAway } from "../cage/find.ts";
import { keepCage, type CageKeeper, type KeeperOptions, type Limits } from "../cage/keeper.ts";
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
  /** The self-tests of processes that ran before, where there are any to believe. */
  readonly kept?: KeeperOptions["kept"];
}

export interface ShellRunOptions extends Limits {
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
  readonly close: () => void;
}

/** More overrides than this do not fit into an environment: such a repository's git proves nothing. */
const mostOverrides = 1_000;

export function createGuardedShell(options: GuardedShellOptions): GuardedShell {
  const ground = layGround(options);
  const { environment, home, git, scratch } = ground;
  const keeper = keepCage({
    sandbox: options.settings.sandbox,
    machine: {
      platform: process.platform,
      processor: process.arch,
      path: ground.path,
      visible: ground.visible,
      closed: options.closed ?? [],
      scratch,
      without: rungsTakenAway(environment),
    },
    trial: async (args, sight) => ({
      ...(await wishFor(
        { args, directory: options.projectRoot, network: false, gitDirectories: [], visible: [sight.visible] },
        ground,
      )),
      hide: [realOf(sight.hide)],
    }),
    repository: async () => ((await git(options.projectRoot)).repository === null ? null : options.projectRoot),
    kept: options.kept,
  });
  const { rung, known: knownRung } = keeper;
  return {
    rung,
    knownRung,
    judge: async (command, directory) => {
      const caged = (await rung()).kind !== "none";
      const situation = { platform: process.platform, directory, home, caged };
      const { verdict, withoutCage } = await import("../../../shell/index.ts");
      const first = verdict(command, gatherSituation({ ...situation, gitPrograms: [] }));
      const facts = await Promise.all(first.gitDirectories.map(async (place) => ({ place, ...(await git(place)) })));
      const unknown = facts.filter(({ known, overrides }) => !known || overrides.length > mostOverrides);
      const gitPrograms = unknown.map(({ place }) => `configuration of ${place}`);
      const whole = unknown.length === 0 ? first : verdict(command, gatherSituation({ ...situation, gitPrograms }));
      const uncaged = () => verdict(command, gatherSituation({ ...situation, caged: false, gitPrograms }));
      const judged = withReach(caged ? whole : withoutCage(command, whole), { directory, home, uncaged });
      if (!caged || judged.verdict === "read-only" || judged.proved.length === 0) return judged;
      const steering = facts.flatMap(({ overrides }) => overrides.map(({ key }) => key));
      const bare = gatherSituation({ ...situation, caged: false, gitPrograms: [...gitPrograms, ...steering] });
      return { ...judged, proved: verdict(command, bare).proved };
    },
    run: (command, run) => runIn({ keeper, ground }, command, run),
    close: ground.close,
  };
}

type Ground = ReturnType<typeof layGround>;

/** What is the same for every command. */
function layGround(options: GuardedShellOptions) {
  const { environment, closed = [] } = options;
  const home = environment["HOME"];
  const directories = [options.projectRoot, ...options.directories];
  const projectRoots = foreignFolders(directories, home);
  const path = searchPath({ path: environment["PATH"], directories, home });
  const base = { ...environment, PATH: path };
  const { folder: scratch, close } = keepScratch();
  const bare = childEnvironment({ base, projectRoots, scratch: null, gitOverrides: [], network: false });
  return {
    environment,
    base,
    home,
    path,
    directories,
    sandbox: options.settings.sandbox,
    bash: [findProgram("bash", path) ?? "/bin/bash", "--noprofile", "--norc"],
    visible: [
      ...directories.flatMap((place) => [place, realOf(place)]),
      options.plansDirectory,
      ...(home === undefined ? [] : [home]),
    ],
    closed: () => closed.map(realOf),
    scratch,
    git: rememberGit((directory) => probeGit({ directory, environment: bare })),
    confined: (facts: readonly GitFacts[], place: { scratch: string; network: boolean }): Record<string, string> =>
      childEnvironment({ base, projectRoots, ...place, gitOverrides: facts.flatMap(({ overrides }) => overrides) }),
    close,
  };
}

interface CagePlace extends Pick<ShellRunOptions, "directory" | "network" | "hide">, Pick<CageWish, "visible"> {
  /** Of bash. */
  readonly args: readonly string[];
  readonly gitDirectories: readonly string[];
}

async function wishFor(place: CagePlace, { git, bash, environment, closed, confined }: Ground): Promise<CageWish> {
  const facts = await Promise.all([place.directory, ...place.gitDirectories].map(git));
  const directory = realOf(place.directory);
  const socket = place.network ? daemonSocket(place.args.at(-1) ?? "", environment) : undefined;
  return {
    command: [...bash, ...place.args],
    directory,
    network: place.network && socket === undefined ? "tcp" : "none",
    socket,
    visible: [
      ...place.visible.map(realOf),
      ...facts
        .flatMap(({ repository }) => repository?.directories ?? [])
        .map(realOf)
        .filter((folder) => mayBeShown(folder, closed())),
    ],
    hide: place.hide ?? [],
    environment: (folder) => ({ ...confined(facts, { scratch: folder, network: place.network }), PWD: directory }),
  };
}

/** Outside of the cage where a person let it write; else in the cage, and only where there is none, in the cleaned environment. */
async function runIn(
  { keeper, ground }: { readonly keeper: CageKeeper; readonly ground: Ground },
  command: Runnable,
  run: ShellRunOptions,
): Promise<CommandRun> {
  const { bash, environment, base, git, scratch } = ground;
  const text = typeof command === "string" ? command : command.canonical;
  if (text === null) return refusal("the command could not be analysed, so there is nothing to run");
  const { directory, timeoutMs, signal, outputLimit, outlet } = run;
  const limits = { timeoutMs, signal, outputLimit, outlet };
  const uncaged = (own: Record<string, string>): Promise<CommandRun> =>
    runCommand({ ...limits, argv: [...bash, "-c", text], directory, environment: own, ending: "searched" });
  if (!run.confined)
    return uncaged(workingEnvironment(run.unasked === true ? { base, unasked: true } : { base: environment }));
  const gitDirectories = typeof command === "string" ? [] : command.gitDirectories;
  const visible = run.planning === false ? ["/tmp"] : [];
  const wish = await wishFor({ ...run, args: ["-c", text], visible, gitDirectories }, ground);
  const tree = run.onCopy === true ? treeAround(wish.directory, ground.directories) : undefined;
  const caged = await keeper.run(wish, limits, tree);
  if (caged !== null) return "cannot" in caged ? refusal(caged.cannot) : caged;
  if (ground.sandbox === "required") {
    const none = keeper.known();
    const why = none?.kind === "none" ? `: ${none.reason}` : "";
    return refusal(`the setting \`sandbox\` requires a sandbox, and there is none${why}`);
  }
  const facts = await Promise.all([directory, ...gitDirectories].map(git));
  return uncaged(ground.confined(facts, { scratch: scratch(), network: run.network }));
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

function refusal(reason: string): CommandRun {
  return { ...notRun, stderr: `groundplan: ${reason}\n` };
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
    .map(statOf)
    .map((stat) => (stat === null ? "-" : `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`))
    .join(" ");
}
