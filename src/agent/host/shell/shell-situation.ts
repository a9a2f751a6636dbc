/** Gathers what the shell guard has to know about the place where a command would run. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ProjectTool, ShellSituation } from "../../../shell/index.ts";
import { namesIn } from "../files/entries.ts";
import { textAt } from "../files/read-regular.ts";
import { withParents } from "../launch/search-path.ts";

export interface SituationRequest {
  readonly platform: NodeJS.Platform;
  readonly directory: string;
  readonly home: string | undefined;
  readonly caged: boolean;
  /** Program-valued git configuration that could not be neutralised. */
  readonly gitPrograms: readonly string[];
}

export function gatherSituation(request: SituationRequest): ShellSituation {
  const { platform, directory, home, caged, gitPrograms } = request;
  return {
    platform: platform === "darwin" || platform === "win32" ? platform : "linux",
    directory,
    ...(home === undefined ? {} : { home }),
    caged,
    gitPrograms,
    projectTools: caged ? [] : projectToolsAt(directory),
  };
}

const markers: readonly (readonly [ProjectTool, readonly string[]])[] = [
  ["cargo", ["rust-toolchain", "rust-toolchain.toml", ".cargo/config", ".cargo/config.toml"]],
  ["rustup", ["rust-toolchain", "rust-toolchain.toml"]],
  ["go", ["go.work", "go.env"]],
  ["yarn", [".yarnrc", ".yarnrc.yml", ".yarn"]],
  ["pnpm", [".pnpmfile.cjs", "pnpm-workspace.yaml"]],
  ["maven", [".mvn"]],
  ["ruby", ["Gemfile", ".bundle/config", ".ruby-version", ".gemrc"]],
  ["php", ["composer.json", "php.ini", ".php-version"]],
  ["terraform", [".terraform", ".terraformrc"]],
  ["python", [".python-version", "pyvenv.cfg", ".venv", "venv", "sitecustomize.py", "usercustomize.py"]],
];

const settings: readonly (readonly [ProjectTool, file: string, pattern: RegExp])[] = [
  ["yarn", "package.json", /"packageManager"/],
  ["pnpm", "package.json", /"packageManager"/],
  ["pnpm", ".npmrc", /pnpmfile|script-shell/i],
  ["go", "go.mod", /^\s*toolchain\s/m],
];

/** Tools that a file in or above the directory configures, and could make run a program of the project. */
export function projectToolsAt(directory: string): ProjectTool[] {
  const folders = withParents(directory);
  const marked = markers
    .filter(([, names]) => folders.some((folder) => names.some((name) => existsSync(join(folder, name)))))
    .map(([tool]) => tool);
  const named = settings
    .filter(([, file, pattern]) => folders.some((folder) => pattern.test(textAt(join(folder, file)) ?? "")))
    .map(([tool]) => tool);
  const python: ProjectTool[] = hasModules(directory) ? ["python"] : [];
  const node: ProjectTool[] = hasDisguisedCode(directory) ? ["node"] : [];
  return [...new Set([...marked, ...named, ...python, ...node])];
}

const module = /\.(pyc?|pyw|so|pyd)$/;
const packageFile = /^__init__\..*(pyc?|pyw|so|pyd)$/;

/** Whether Python, started here, could import something of the directory in place of its own module. */
export function hasModules(directory: string): boolean {
  return namesIn(directory).some(
    (name) => module.test(name) || namesIn(join(directory, name)).some((part) => packageFile.test(part)),
  );
}

/** Whether `require("./package.json")` could load something other than that file. */
export function hasDisguisedCode(directory: string): boolean {
  const isFile = (name: string) => statSync(join(directory, name), { throwIfNoEntry: false })?.isFile() === true;
  return namesIn(directory).some(
    (name) => /\.json\.(js|json|node)$/.test(name) || (name.endsWith(".json") && !isFile(name)),
  );
}
