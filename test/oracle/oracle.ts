/** The oracle: runs everything that the guard calls read-only under strace, in a throw-away project, and watches. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { childEnvironment } from "../../src/agent/host/launch/environment.ts";
import { probeGit } from "../../src/agent/host/launch/git-config.ts";
import { gatherSituation } from "../../src/agent/host/shell/shell-situation.ts";
import { verdict } from "../../src/shell/index.ts";
import { buildProject, differenceOf, pictureOf } from "../edges/project.ts";
import type { ThrowAwayProject } from "../edges/project.ts";
import { sampleCommands } from "../edges/tools.ts";
import { realCommands } from "./ask.ts";
import { generateCommand } from "./generate.ts";
import type { Vocabulary } from "./generate.ts";
import { randomFrom } from "./random.ts";
import { markerFolder, readTrace, tracedCalls } from "./trace.ts";
import type { Finding } from "./trace.ts";
import { tableCommands } from "./vocabulary.ts";
import { remove } from "../support/remove.ts";

export interface OracleReport {
  readonly generated: number;
  readonly ran: number;
  readonly findings: readonly OracleFinding[];
}

export interface OracleFinding {
  readonly command: string;
  readonly canonical: string;
  readonly what: readonly string[];
}

export interface OracleRequest {
  readonly seed: number;
  /** How long, or how many commands are made up; a count gives the same run on every machine. */
  readonly limit: { readonly seconds: number } | { readonly count: number };
  /** Without the tools' own help texts: a quicker start. */
  readonly quick?: boolean;
  /** The only programs that are run: those that are the same on every machine. */
  readonly only?: ReadonlySet<string>;
  /** Commands that run under one strace. */
  readonly batch?: number;
  readonly onFinding?: (finding: OracleFinding) => void;
  readonly onBatch?: (report: OracleReport) => void;
}

interface Judged {
  readonly command: string;
  readonly canonical: string;
}

export async function runOracle(request: OracleRequest): Promise<OracleReport> {
  const { seed, limit, batch = 60 } = request;
  const random = randomFrom(seed);
  const findings: OracleFinding[] = [];
  const counts = { generated: 0, ran: 0 };
  const bench = await openBench();
  try {
    const vocabulary = await gatherVocabulary(bench.project, request);
    const start = performance.now();
    const goesOn = (): boolean =>
      "count" in limit ? counts.generated < limit.count : performance.now() - start < limit.seconds * 1_000;
    while (goesOn()) {
      const chosen: Judged[] = [];
      while (chosen.length < batch && goesOn()) {
        const command = generateCommand(random, vocabulary);
        counts.generated += 1;
        const judged = judge(command, bench.project, request.only);
        if (judged !== null) chosen.push(judged);
      }
      counts.ran += chosen.length;
      for (const finding of await examine(bench, chosen)) {
        findings.push(finding);
        request.onFinding?.(finding);
      }
      request.onBatch?.({ ...counts, findings });
    }
  } finally {
    bench.project.remove();
    remove(bench.folder);
  }
  return { ...counts, findings };
}

/** Watches given commands, whatever the guard says about them: how well the oracle itself sees. */
export async function watchCommands(commands: readonly string[]): Promise<OracleFinding[]> {
  const bench = await openBench();
  try {
    const chosen = commands.map((command) => ({ command, canonical: command }));
    const { findings } = await watch(bench, chosen, { seconds: 120 });
    return chosen.map(({ command, canonical }, own) => ({
      command,
      canonical,
      what: findings.filter(({ index }) => index === own).map(({ kind, line }) => `${kind}: ${line.slice(0, 300)}`),
    }));
  } finally {
    bench.project.remove();
    remove(bench.folder);
  }
}

interface Bench {
  project: ThrowAwayProject;
  readonly folder: string;
  environment: Record<string, string>;
  picture: readonly string[];
}

async function openBench(): Promise<Bench> {
  const project = buildProject();
  const folder = mkdtempSync(join(tmpdir(), "groundplan-oracle-"));
  return { project, folder, environment: await environmentOf(project), picture: pictureOf(project.folder) };
}

async function environmentOf(project: ThrowAwayProject): Promise<Record<string, string>> {
  const base = { base: project.environment, projectRoots: [project.root], network: false };
  const probing = childEnvironment({ ...base, scratch: null, gitOverrides: [] });
  const { overrides } = await probeGit({ directory: project.root, environment: probing });
  return childEnvironment({ ...base, scratch: "/tmp/scratch", gitOverrides: overrides });
}

async function gatherVocabulary(project: ThrowAwayProject, { quick = false }: OracleRequest): Promise<Vocabulary> {
  const known = { sample: sampleCommands().map(({ cmd }) => cmd), table: tableCommands() };
  if (quick) return { ...known, help: [] };
  return { ...known, help: await realCommands(project) };
}

/** Null unless the guard proves it without a cage and without the network. */
function judge(command: string, { root, home }: ThrowAwayProject, only?: ReadonlySet<string>): Judged | null {
  const situation = { platform: process.platform, directory: root, home, caged: false, gitPrograms: [] };
  const { verdict: judgement, canonical, network, commands } = verdict(command, gatherSituation(situation));
  if (only !== undefined && commands.some(({ program }) => !only.has(program ?? ""))) return null;
  return judgement === "read-only" && canonical !== null && !network ? { command, canonical } : null;
}

/** Runs a batch; what it shows is confirmed by running each suspect alone, so that a late child blames nobody else. */
async function examine(bench: Bench, chosen: readonly Judged[]): Promise<OracleFinding[]> {
  const first = await watch(bench, chosen);
  if (first.findings.length === 0 && first.changes.length === 0) return [];
  const suspects = new Set(first.findings.flatMap(({ index }) => [index, Math.max(0, index - 1)]));
  const order = first.changes.length > 0 ? chosen.keys() : suspects;
  const confirmed: OracleFinding[] = [];
  for (const index of order) {
    const alone = await watch(bench, [chosen[index]!]);
    const what = [...alone.findings.map(({ kind, line }) => `${kind}: ${line.slice(0, 300)}`), ...alone.changes];
    if (what.length > 0) confirmed.push({ ...chosen[index]!, what: what.slice(0, 6) });
  }
  return confirmed;
}

/** One strace around one cage in which the project and its home are writable, everything else is not. */
async function watch(
  bench: Bench,
  chosen: readonly Judged[],
  { seconds }: { seconds: number } = { seconds: 2 },
): Promise<{ findings: readonly Finding[]; changes: readonly string[] }> {
  const { project, folder, environment } = bench;
  const [trace, script] = [join(folder, "trace"), join(folder, "batch.sh")];
  const commands = chosen.map(({ canonical }) => canonical);
  writeFileSync(
    script,
    ["mkdir -p /tmp/scratch", ...commands.map((command, index) => lineFor(command, index, seconds)), "sleep 0.3"].join(
      "\n",
    ),
  );
  const cage = [
    ..."--unshare-user --unshare-ipc --unshare-pid --unshare-uts --unshare-net --uid 65534 --gid 65534".split(" "),
    ..."--cap-drop ALL --new-session --die-with-parent --ro-bind / / --proc /proc --dev /dev --tmpfs /run --tmpfs /tmp".split(
      " ",
    ),
    ...`--bind ${project.folder} ${project.folder} --ro-bind ${script} ${script} --remount-ro /proc`.split(" "),
    "--chdir",
    project.root,
  ];
  await spawned(
    "strace",
    [
      "-f",
      "-y",
      "-qq",
      "--seccomp-bpf",
      "-s",
      "300",
      "-e",
      `trace=${tracedCalls}`,
      "-e",
      "signal=none",
      "-o",
      trace,
      "bwrap",
      ...cage,
      "--",
      "/bin/bash",
      "--noprofile",
      "--norc",
      script,
    ],
    environment,
  );
  const findings = readTrace(readFileSync(trace, "utf8"), { foreign: [project.folder], commands });
  const now = pictureOf(project.folder);
  const changes = differenceOf(bench.picture, now).map((line) => `changed: ${line}`);
  if (changes.length > 0) {
    project.remove();
    const fresh = await openBench();
    remove(fresh.folder);
    Object.assign(bench, { project: fresh.project, environment: fresh.environment, picture: fresh.picture });
  }
  return { findings, changes };
}

/** A command that waits for ever is ended after so many seconds. */
function lineFor(command: string, index: number, seconds: number): string {
  const quoted = `'${command.replaceAll("'", "'\\''")}'`;
  return `: 2>/dev/null < ${markerFolder}/${index}\ntimeout -s KILL ${seconds} /bin/bash --noprofile --norc -c ${quoted} < /dev/null > /dev/null 2>&1`;
}

function spawned(program: string, args: readonly string[], env: Record<string, string>): Promise<void> {
  return new Promise((settle) => {
    const child = spawn(program, args, { env, stdio: ["ignore", "ignore", "inherit"] });
    child.on("error", () => settle());
    child.on("close", () => settle());
  });
}
