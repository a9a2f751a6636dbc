/** `groundplan doctor`: what is available on this machine, and how to get what is not. */
import { mkdtemp, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorText } from "../../core/error-text.ts";
import { makeVisible, visibleJson } from "../../core/wire/visible.ts";
import { createGuardedShell } from "../../agent/host/shell/guarded-shell.ts";
import { findProgram } from "../../agent/host/launch/find-program.ts";
import { keptTests, type KeptTests, type TestPlace } from "../../agent/host/cage/kept-test.ts";
import type { Rung } from "../../agent/host/cage/types.ts";
import { exists } from "../../agent/host/files/entries.ts";
import { bundledRipgrep } from "../../agent/host/search/ripgrep.ts";
import { searchPath } from "../../agent/host/launch/search-path.ts";
import { keyOf, providers, type Environment } from "../../agent/models/providers.ts";
import { configHome, homeDirectory, projectRoot } from "../../agent/host/config-home.ts";
import { complain } from "../complaint.ts";
import { commandWith, flag } from "../options.ts";
import { guardFindings, isUnproved, type GuardPlace } from "./clients/guard-findings.ts";
import { launcherOf } from "./clients/request.ts";
import type { DoctorFinding } from "./doctor-finding.ts";
import { hookProblem } from "../../agent/hooks/examine.ts";
import { workingEnvironment } from "../../agent/host/launch/environment.ts";
import { closedNames } from "../../core/settings/hook-names.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { hookLine, hooksInForce } from "../../program/settings/hooks-text.ts";
import { notBuilt } from "../../program/settings/not-built.ts";
import { ignoredLines, settingsInForce } from "../../program/settings/in-force.ts";
import { ruleProblems } from "../../program/settings/resolve.ts";
import { problemText } from "../../program/settings/text.ts";
import { openState } from "../../program/state-file.ts";

const usage = `groundplan doctor [--json]    what is available on this machine, and how to get what is not
Guards that groundplan install put into other agents are tried, and their launcher is renewed.
Exit codes: 0, also where things are missing; 1 where our home cannot be used or an installed guard does not hold; 2 wrong usage.
`;
const options = { json: flag };

export const doctor = commandWith({ name: "doctor", usage, options }, async ({ values, positionals }, streams) => {
  if (positionals.length > 0) return complain(streams, `doctor takes no ${JSON.stringify(positionals[0])}.`, 2);
  const findings = await examine({
    environment: process.env,
    directory: process.cwd(),
    nodeVersion: process.versions.node,
  });
  streams.stdout.write(values.json === true ? `${visibleJson({ findings }, 2)}\n` : makeVisible(asText(findings)));
  return findings.some((finding) => (finding.name === homeName && !finding.ok) || isUnproved(finding)) ? 1 : 0;
});

interface Place {
  readonly environment: Environment;
  readonly directory: string;
}

/** Looks at everything once; runs only the self-test of the cage and `--version` of the tools. */
export async function examine(place: Place & { readonly nodeVersion: string }): Promise<DoctorFinding[]> {
  const { environment, directory, nodeVersion } = place;
  const path = searchPath({ path: environment["PATH"], directories: [directory], home: environment["HOME"] });
  const home = configHome({ environment, directory: homeDirectory() });
  const shell = createGuardedShell({
    projectRoot: directory,
    directories: [],
    plansDirectory: join(home, "plans"),
    closed: [home],
    settings: { sandbox: "auto" },
    environment,
    ...((await exists(home)) ? { kept: testedAnew({ home, environment, root: directory }) } : {}),
  });
  try {
    const version = async (program: string, found: string | null): Promise<string> => {
      if (found === null) return "";
      const run = { directory, confined: true, network: false, timeoutMs: 60_000 };
      const { stdout } = await shell.run(`${program} --version`, run);
      return stdout.split("\n")[0]!.trim();
    };
    const [rung, git, ours] = [await shell.rung(), findProgram("git", path), await bundledRipgrep()];
    const search = ours ?? findProgram("rg", path);
    return [
      sandboxFinding(rung),
      programFinding("search", search, ours === null ? await version("rg", search) : "ripgrep, with Groundplan"),
      programFinding("git", git, await version("git", git)),
      editorFinding(environment, path),
      browserFinding(environment, path),
      nodeFinding(nodeVersion),
      await homeFinding(home),
      ...keyFindings(environment),
      ...(await settingsFindings(place, home)),
      ...(await guardFindings({ ...(await guardPlace(place)), home, launcher: launcherOf(home) })),
    ];
  } finally {
    shell.close();
  }
}

async function guardPlace({ environment, directory }: Place): Promise<Pick<GuardPlace, "person" | "root">> {
  return { person: { environment, directory: homeDirectory() }, root: await projectRoot(directory) };
}

/** For the commands of other agents, which look for it. */
function testedAnew(place: TestPlace): Pick<KeptTests, "recall" | "keep"> {
  return { recall: () => null, keep: keptTests(place).keep };
}

/** What the settings of this folder ask for and do not get. */
async function settingsFindings({ environment, directory }: Place, home: string): Promise<readonly DoctorFinding[]> {
  const root = await projectRoot(directory);
  const state = openState({ configHome: home, now: Date.now, warn: () => undefined });
  const found = await settingsInForce({
    configHome: home,
    projectRoot: root,
    directory,
    environment,
    options: {},
    granted: () => state.granted(root),
    isTrusted: () => state.isTrusted(root),
  });
  if (found.kind === "invalid") {
    return [missing("settings", "cannot be used", found.problems.map(problemText).join("; "))];
  }
  const unbuilt = notBuilt(found.settings, null).map(({ name, what }) => {
    const detail = `configured (${what}), and NOT RUN: this version does not run them yet`;
    return missing(name, detail, "what they guard is not guarded; use deny rules (permissions.deny)");
  });
  const hooks = await hookFindings(found.settings, { environment, directory });
  const lines = [...ignoredLines(found.ignored), ...ruleProblems(found.settings)];
  return [...hooks, ...unbuilt, ...lines.map((line) => missing("settings", line, null))];
}

/** Each hook in force, and whether it could run as it is written; none is run. */
async function hookFindings(settings: Settings, { environment, directory }: Place): Promise<readonly DoctorFinding[]> {
  const place = { directory, environment: workingEnvironment({ base: environment }) };
  return Promise.all(
    hooksInForce(settings.hooks).map(async (hook) => {
      const problem = await hookProblem(hook.value, place);
      if (problem === null) return there("hook", hookLine(hook));
      const advice = closedNames.has(hook.event) ? "as long as it fails it refuses" : null;
      return missing("hook", `${hookLine(hook)}: ${problem}`, advice);
    }),
  );
}

function there(name: string, detail: string): DoctorFinding {
  return { name, ok: true, detail, advice: null };
}

function missing(name: string, detail: string, advice: string | null): DoctorFinding {
  return { name, ok: false, detail, advice };
}

/** One line a finding, and a second one with the way to get what is missing (pure). */
export function asText(findings: readonly DoctorFinding[]): string {
  const width = Math.max(...findings.map(({ name }) => name.length));
  return findings
    .map(({ name, ok, detail, advice }) => {
      const line = `${ok ? "ok     " : "missing"}  ${name.padEnd(width)}  ${detail}\n`;
      return advice === null ? line : `${line}${" ".repeat(width + 11)}${advice}\n`;
    })
    .join("");
}

function sandboxFinding(rung: Rung): DoctorFinding {
  if (rung.kind === "none") {
    const detail = `off: ${rung.reason}; in plan mode commands that are not proved read-only are asked or denied`;
    return missing("sandbox", detail, rung.advice);
  }
  const tested = `${rung.name} (${rung.program}), self-test passed in ${Math.round(rung.selfTest.durationMs)} ms`;
  return there("sandbox", [tested, ...rung.passedOver.map((reason) => `not used: ${reason}`)].join("; "));
}

const install = {
  search:
    "install ripgrep: `apt install ripgrep`, `dnf install ripgrep`, `brew install ripgrep`; searching is slower without",
  git: "install git: `apt install git`, `dnf install git`, `xcode-select --install`",
};

function programFinding(name: keyof typeof install, program: string | null, version: string): DoctorFinding {
  if (program === null) return missing(name, "not found on PATH", install[name]);
  return there(name, [version, `(${program})`].filter(Boolean).join(" "));
}

function editorFinding(environment: Environment, path: string): DoctorFinding {
  const chosen = environment["VISUAL"] ?? environment["EDITOR"];
  const program = (chosen ?? "").split(" ")[0]!;
  const found = program.startsWith("/") ? program : program === "" ? null : findProgram(program, path);
  if (chosen !== undefined && found !== null) return there("editor", chosen);
  const fallback = ["nano", "vim", "vi"].find((name) => findProgram(name, path) !== null);
  const advice = "set VISUAL or EDITOR, or the setting `editor`";
  if (fallback === undefined) return missing("editor", "none found", advice);
  if (chosen === undefined) return there("editor", `${fallback} (VISUAL and EDITOR are not set)`);
  return { ...there("editor", `${fallback} (${chosen} is not found)`), advice };
}

function browserFinding(environment: Environment, path: string): DoctorFinding {
  const names = [environment["BROWSER"], "xdg-open", "open", "wslview"].filter((name) => name !== undefined);
  const found = names.map((name) => findProgram(name, path)).find((program) => program !== null);
  if (found !== undefined) return there("browser", found);
  return missing("browser", "nothing to open a page with", "set BROWSER or install xdg-utils");
}

function nodeFinding(version: string): DoctorFinding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNew = major > 20 || (major === 20 && minor >= 19);
  return isNew ? there("node", `v${version}`) : missing("node", `v${version}`, "install Node.js 20.19 or later");
}

const homeName = "home";

/** Tried, not asked: some places say that they can be written and cannot. Nothing is left there. */
async function homeFinding(home: string): Promise<DoctorFinding> {
  try {
    await rmdir(await mkdtemp(join(await nearestFolder(home), ".groundplan-")));
    return { name: homeName, ok: true, detail: home, advice: null };
  } catch (error) {
    const detail = `${home} cannot be used, and no session can be kept: ${errorText(error)}`;
    return { name: homeName, ok: false, detail, advice: "set GROUNDPLAN_HOME to a folder that can be written" };
  }
}

/** The folder itself, else the nearest one above it that is there. */
async function nearestFolder(path: string): Promise<string> {
  const isThere = (await stat(path).catch(() => null)) !== null;
  return isThere || dirname(path) === path ? path : nearestFolder(dirname(path));
}

function keyFindings(environment: Environment): DoctorFinding[] {
  const none = providers.every((row) => keyOf(row, environment) === "");
  const otherwise = none ? "; without any key the built-in planner `scout` is used" : "";
  return providers.map((row) => {
    if (keyOf(row, environment) !== "") return there(row.keyVariable, "set");
    return missing(row.keyVariable, "not set", `set it to use ${row.name}/… models${otherwise}`);
  });
}
