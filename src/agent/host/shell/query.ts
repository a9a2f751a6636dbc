/** Which proved queries of a service may have the network: alone on their line, to an address that is not the project's (B1.13). */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "../../../core/decide/access.ts";
import type { ShellVerdict } from "../../../shell/index.ts";
import { withParents } from "../launch/search-path.ts";

export interface QueryPlace {
  readonly directory: string;
  readonly home: string | undefined;
  /** What the guard says where nothing stands under the command: a tool that project files steer is not proved there. */
  readonly uncaged: () => ShellVerdict;
}

/** The verdict as it holds: a query that does not get the network is no proved one. */
export function withReach(judged: ShellVerdict, place: QueryPlace): ShellVerdict {
  if (!judged.network) return judged;
  if (judged.verdict !== "read-only") return { ...judged, network: false, query: false };
  const problem = judged.query ? steeredBy(judged, place) : lonely;
  if (problem === null) return judged;
  return { ...judged, verdict: "unproven", reason: problem, network: false, query: false };
}

const lonely = "a query of a service has the network only when it stands alone on its line";

/** What of the project says whom the query asks, and how; null when nothing does. */
function steeredBy(judged: ShellVerdict, { directory, home, uncaged }: QueryPlace): string | null {
  const [command] = judged.commands;
  const program = command?.program ?? "";
  const [, second] = command?.words ?? [];
  if (command === undefined || judged.commands.length !== 1) return lonely;
  if (always.has(program) || (containers.has(program) && second === "compose")) {
    return `the project says what ${program} asks`;
  }
  const files = steering[program] ?? [];
  const found = foldersOf(directory, home)
    .flatMap((folder) => files.map((name) => join(folder, name)))
    .find((file) => existsSync(file));
  if (found !== undefined) return `${found} says what ${program} asks`;
  return uncaged().verdict === "read-only" ? null : `the project chooses which ${program} runs`;
}

const always: ReadonlySet<string> = new Set(["terraform", "tofu", "docker-compose"]);
const containers: ReadonlySet<string> = new Set(["docker", "podman", "nerdctl"]);
const packages = [".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", "pnpm-workspace.yaml", "bunfig.toml"];
const steering: Readonly<Record<string, readonly string[]>> = {
  npm: packages,
  pnpm: packages,
  yarn: packages,
  bun: packages,
  cargo: [".cargo/config", ".cargo/config.toml"],
  glab: [".git/glab-cli"],
  pip: ["pip.conf", "uv.toml"],
  pip3: ["pip.conf", "uv.toml"],
  uv: ["uv.toml", "pyproject.toml"],
  poetry: ["poetry.toml", "pyproject.toml"],
  gem: [".gemrc", "Gemfile"],
  bundle: [".bundle/config", "Gemfile"],
  composer: ["composer.json"],
};

/** The folder and those above it, but for the ones that hold the person's home: what lies there is their own. */
function foldersOf(directory: string, home: string | undefined): string[] {
  return withParents(directory).filter((folder) => home === undefined || !isInside(home, folder));
}
