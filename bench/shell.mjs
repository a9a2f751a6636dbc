// Measures the shell guard: verdicts a second after load, hostile input, and the start of `groundplan check`.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "groundplan-bench-"));
const situation = { platform: "linux", directory: "/project", home: "/home/user", projectTools: [] };

try {
  const outfile = join(scratch, "shell.mjs");
  const common = { absWorkingDir: root, bundle: true, format: "esm", platform: "node", minify: true };
  await build({ ...common, entryPoints: ["src/shell/index.ts"], outfile });
  const { verdict } = await import(pathToFileURL(outfile).href);
  measureThroughput(verdict);
  measureHostile(verdict);
  measureStart();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function measureThroughput(verdict) {
  const lines = readFileSync(join(root, "test/corpus/shell-dev.jsonl"), "utf8").trim().split("\n");
  const commands = lines.map((line) => JSON.parse(line).cmd);
  const rounds = 60;
  for (let round = 0; round < 20; round += 1) for (const command of commands) verdict(command, situation);
  const samples = [1, 2, 3, 4, 5].map(() => {
    const start = performance.now();
    for (let round = 0; round < rounds; round += 1) for (const command of commands) verdict(command, situation);
    return (rounds * commands.length * 1000) / (performance.now() - start);
  });
  const median = samples.toSorted((a, b) => a - b)[2];
  console.log(`verdicts: ${Math.round(median)} a second (bar 20000), ${(1e6 / median).toFixed(1)} µs each`);
}

function measureHostile(verdict) {
  const inputs = {
    "1 MB of text": "echo a ".repeat(150_000),
    "10000 parentheses": "(".repeat(10_000),
    "10000 substitutions": "$(".repeat(10_000),
    "20000 braces": "{a,".repeat(20_000),
    "64 KB of words": "a ".repeat(32_000),
    "NUL bytes": "ls \0".repeat(1000),
    "7000 here-documents": "cat <<A ".repeat(7000),
  };
  for (const [name, input] of Object.entries(inputs)) {
    const start = performance.now();
    const answer = verdict(input, situation).verdict;
    console.log(`${name}: ${answer} in ${(performance.now() - start).toFixed(1)} ms (bar 200)`);
  }
}

function measureStart() {
  execFileSync(process.execPath, [join(root, "scripts/bundle.mjs")]);
  const bin = join(root, "dist/bin/groundplan.js");
  const bare = [];
  const check = [];
  for (let round = 0; round < 15; round += 1) {
    bare.push(timeOf(["-e", "0"]));
    check.push(timeOf([bin, "check", "git log --oneline | head -3"]));
  }
  const [node, ours] = [bare, check].map((list) => list.toSorted((a, b) => a - b)[7]);
  console.log(
    `first verdict: ${(ours - node).toFixed(1)} ms above bare node (bar 60); ${ours.toFixed(1)} against ${node.toFixed(1)}`,
  );
}

function timeOf(args) {
  const start = performance.now();
  execFileSync(process.execPath, args, { stdio: "ignore" });
  return performance.now() - start;
}
