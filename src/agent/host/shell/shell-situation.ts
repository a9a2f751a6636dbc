/** Gathers what the shell guard has to know about the place where a command would run. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ProjectTool, ShellSituation } from "../../../shell/index.ts";
import { namesIn, statOf } from "../files/entries.ts";
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
  let projectTools: readonly ProjectTool[] | undefined;
  return {
    platform: platform === "darwin" || platform === "win32" ? platform : "linux",
    directory,
    ...(home === undefined ? {} : { home }),
    caged,
    gitPrograms,
    /** Looked for with the first command that asks: most do not. */
    get projectTools() {
      return (projectTools ??= caged ? [] : projectToolsAt(directory));
    },
  };
}

/** Files by which a project chooses what its tools run, by being there or by a line in them. */
const markers: readonly (readonly [tools: readonly ProjectTool[], names: readonly string[]])[] = [
  [
    ["cargo", "rustup"],
    ["rust-toolchain", "rust-toolchain.toml"],
  ],
  [["cargo"], [".cargo/config", ".cargo/config.toml"]],
  [["go"], ["go.work", "go.env"]],
  [["yarn"], [".yarnrc", ".yarnrc.yml", ".yarn"]],
  [["pnpm"], [".pnpmfile.cjs", "pnpm-workspace.yaml"]],
  [["maven"], [".mvn"]],
  [["ruby"], ["Gemfile", "gems.rb", ".bundle/config", ".bundle/plugin", ".ruby-version", ".gemrc"]],
  [["php"], ["composer.json", "php.ini", ".php-version"]],
  [["terraform"], [".terraform", ".terraformrc", "terraform.rc"]],
  [["python"], [".python-version", "pyvenv.cfg", ".venv", "venv", "sitecustomize.py", "usercustomize.py"]],
];

const lines: readonly (readonly [tools: readonly ProjectTool[], name: string, line: RegExp])[] = [
  [["yarn", "pnpm"], "package.json", /"(packageManager|devEngines)"/],
  [["pnpm"], ".npmrc", /pnpmfile|script-shell/i],
  [["go"], "go.mod", /^\s*(toolchain|tool)\b/m],
];

/** Tools that a file in or above the directory, or in one of the folders below it, configures, and could make run a program of the project. */
export function projectToolsAt(directory: string, below: readonly string[] = []): ProjectTool[] {
  const configured = [...withParents(directory), ...below].flatMap(configuredIn);
  const python: ProjectTool[] = hasModules(directory) ? ["python"] : [];
  const node: ProjectTool[] = hasDisguisedCode(directory) ? ["node"] : [];
  return [...new Set([...configured, ...python, ...node])];
}

function configuredIn(folder: string): readonly ProjectTool[] {
  const isThere = (name: string): boolean => existsSync(join(folder, name));
  return [
    ...markers.flatMap(([tools, names]) => (names.some(isThere) ? tools : [])),
    ...lines.flatMap(([tools, name, line]) => (line.test(textAt(join(folder, name)) ?? "") ? tools : [])),
  ];
}

const module = /\.(pyc?|pyw|so|pyd)$/;
const packageFile = /^__init__\..*(pyc?|pyw|so|pyd)$/;

/** Whether Python, started here, could import something of the directory in place of its own module. */
function hasModules(directory: string): boolean {
  return namesIn(directory).some(
    (name) => module.test(name) || namesIn(join(directory, name)).some((part) => packageFile.test(part)),
  );
}

/** Whether `require("./package.json")` could load something other than that file. */
function hasDisguisedCode(directory: string): boolean {
  const isFile = (name: string) => statOf(join(directory, name))?.isFile() === true;
  return namesIn(directory).some(
    (name) => /\.json\.(js|json|node)$/.test(name) || (name.endsWith(".json") && !isFile(name)),
  );
}
