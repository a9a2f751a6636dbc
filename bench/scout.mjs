// Measures scout on real commits: recall@5/10/20 with and without each signal.
// node bench/scout.mjs <commits.jsonl> <folder of mirrors> [--dump file] [--no-history]
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const [list, mirrors, ...flags] = process.argv.slice(2);
const dump = flags.includes("--dump") ? flags[flags.indexOf("--dump") + 1] : undefined;
const work = join(tmpdir(), "groundplan-bench-scout");
const cache = join(work, "cache");
mkdirSync(work, { recursive: true });

const scout = await loadScout();
const groups = {
  everything: [],
  content: ["content", "fused"],
  path: ["path", "base", "cover", "mention"],
  symbols: ["defined", "definedNames"],
  passages: ["window", "pairs", "phrases"],
  "past messages": ["alike", "said"],
  "past activity": ["lately", "justNow"],
  "changed together": ["together"],
  imports: ["imported", "importing"],
  "tests and folders": ["tested", "folder"],
  kinds: Object.keys(scout.weights).filter((signal) => signal.startsWith("is")),
  "any neighbours": ["imported", "importing", "together", "tested", "folder"],
  history: ["alike", "said", "lately", "justNow", "together"],
};

const plainly = { first: 1, last: 1 };
const plain = "plain BM25 of content and path";
if (flags.includes("--quick")) for (const name of Object.keys(groups).slice(1)) delete groups[name];
const commits = readFileSync(list, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const results = [];
const dumped = [];
for (const [repo, ofRepo] of groupBy(commits)) {
  const tree = workTree(repo);
  const git = (...args) =>
    execFileSync("git", ["-C", tree, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const dated = ofRepo.map((commit) => ({ commit, time: Number(git("log", "-1", "--format=%ct", commit.parent)) }));
  for (const { commit } of dated.toSorted((left, right) => left.time - right.time)) {
    try {
      git("checkout", "--force", "--detach", "--quiet", commit.parent);
    } catch {
      if (git("rev-parse", "HEAD").trim() !== commit.parent) throw new Error(`${repo}: ${commit.parent} cannot be had`);
    }
    const start = performance.now();
    const surveyed = await scout.survey({ cwd: tree, cache });
    const evidence = scout.gather(
      scout.readTask(commit.task),
      flags.includes("--no-history") ? { ...surveyed, commits: [] } : surveyed,
    );
    const ms = performance.now() - start;
    const recalls = Object.fromEntries(
      Object.entries(groups).map(([name, off]) => [name, recallOf(commit, evidence, off)]),
    );
    recalls[plain] = recallOf(commit, evidence, groups.everything, { content: plainly, path: plainly });
    results.push({ repo, recalls, ms });
    if (dump !== undefined) dumped.push(dumpOf(commit, evidence));
  }
  const own = results.filter((result) => result.repo === repo);
  console.error(
    repo.padEnd(30),
    own.length,
    [5, 10, 20].map((at) => mean(own.map(({ recalls }) => recalls.everything[at])).toFixed(3)).join(" "),
    `${mean(own.map(({ ms }) => ms)).toFixed(0)} ms`,
  );
}
console.log(`${results.length} commits`.padEnd(32), "@5     @10    @20");
for (const name of [plain, ...Object.keys(groups)]) {
  const row = [5, 10, 20].map((at) => mean(results.map(({ recalls }) => recalls[name][at])).toFixed(3));
  console.log((name === "everything" || name === plain ? name : `without ${name}`).padEnd(32), row.join("  "));
}
if (dump !== undefined) writeFileSync(dump, JSON.stringify(dumped));

function recallOf(commit, evidence, off, only) {
  const left = Object.fromEntries(Object.entries(scout.weights).filter(([signal]) => !off.includes(signal)));
  const { scores } = scout.judge(evidence, only ?? left);
  const order = [...scores.keys()].toSorted((left, right) => scores[right] - scores[left]).slice(0, 20);
  const paths = order.map((file) => evidence.survey.paths[file]);
  if (off.length === 0 && only === undefined && flags.includes("--misses")) {
    const missed = commit.files.filter((file) => !paths.slice(0, 10).includes(file));
    if (missed.length > 0)
      console.log(
        JSON.stringify(
          { repo: commit.repo, task: commit.task.slice(0, 300), missed, top: paths.slice(0, 10) },
          null,
          1,
        ),
      );
  }
  return Object.fromEntries(
    [5, 10, 20].map((at) => [
      at,
      commit.files.filter((file) => paths.slice(0, at).includes(file)).length / commit.files.length,
    ]),
  );
}

function dumpOf(commit, evidence) {
  const { scores, columns } = scout.judge(evidence, scout.weights);
  const { paths } = evidence.survey;
  const order = [...scores.keys()].toSorted((left, right) => scores[right] - scores[left]).slice(0, 250);
  const wanted = commit.files.map((file) => paths.indexOf(file)).filter((file) => file >= 0);
  const files = [...new Set([...order, ...wanted])];
  const signals = Object.keys(columns).toSorted();
  return {
    repo: commit.repo,
    task: commit.task,
    total: commit.files.length,
    signals,
    paths: files.map((file) => paths[file]),
    wanted: files.map((file) => Number(commit.files.includes(paths[file]))),
    rows: files.map((file) => signals.map((signal) => Number(columns[signal][file].toFixed(4)))),
  };
}

function workTree(repo) {
  const tree = join(work, repo.replace("/", "+"));
  const mirror = join(mirrors, repo.replace("/", "+"), "repo");
  if (!existsSync(join(tree, ".git"))) {
    rmSync(tree, { recursive: true, force: true });
    execFileSync("git", ["clone", "--quiet", "--shared", "--no-checkout", mirror, tree]);
  }
  return tree;
}

async function loadScout() {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const outfile = join(work, `scout-${process.pid}.mjs`);
  const names = {
    "look/survey.ts": "survey",
    "rank/task.ts": "readTask",
    "rank/evidence.ts": "gather, judge",
    "rank/weights.ts": "weights",
  };
  const contents = Object.entries(names)
    .map(([file, name]) => `export { ${name} } from "./src/scout/${file}";`)
    .join("\n");
  await build({
    stdin: { contents, resolveDir: root },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "error",
  });
  const loaded = await import(pathToFileURL(outfile).href);
  rmSync(outfile);
  return loaded;
}

function groupBy(values) {
  const groups = new Map();
  for (const value of values) groups.set(value.repo, [...(groups.get(value.repo) ?? []), value]);
  return groups;
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
}
