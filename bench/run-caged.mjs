// What another agent's command costs in our cage above `bash -c true`, whole processes, a self-test being kept: node bench/run-caged.mjs [rounds] (after npm run build)
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const rounds = Number(process.argv[2] ?? 30);
const program = fileURLToPath(new URL("../dist/bin/groundplan.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "groundplan-bench-"));
const rungs = ["bubblewrap", "landlock-perl", "landlock-python"];
const packed = Buffer.from(JSON.stringify({ command: "true", directory: folder })).toString("base64url");
const only = (rung) => ({ GROUNDPLAN_WITHOUT_RUNGS: rungs.filter((other) => other !== rung).join(",") });
const ways = [
  ["bash -c true", "bash", ["-c", "true"], {}],
  ["node -e 0", process.execPath, ["-e", "0"], {}],
  ...rungs.map((rung) => [`run-caged, ${rung}`, process.execPath, [program, "run-caged", packed], only(rung)]),
];
const times = new Map(ways.map(([name]) => [name, []]));
const first = new Map();
for (let round = -2; round < rounds; round += 1) {
  for (const [name, file, args, more] of ways) {
    if (first.get(name) === null) continue;
    const started = performance.now();
    const code = await run(file, args, more);
    const took = performance.now() - started;
    if (round === -2) first.set(name, code === 0 ? took : null);
    if (round >= 0) times.get(name).push(took);
  }
}
const medianOf = (all) => all.toSorted((left, right) => left - right)[Math.floor(all.length / 2)];
const base = medianOf(times.get("bash -c true"));
for (const [name] of ways) {
  const median = medianOf(times.get(name));
  const text =
    first.get(name) === null
      ? "not here"
      : `${median.toFixed(1)} ms, ${(median - base).toFixed(1)} above bare; the first ${first.get(name).toFixed(0)} ms`;
  process.stdout.write(`${name.padEnd(28)} ${text}\n`);
}
rmSync(folder, { recursive: true, force: true });

function run(file, args, more) {
  const env = { PATH: process.env.PATH, HOME: folder, GROUNDPLAN_HOME: join(folder, "home"), ...more };
  return new Promise((settle) => {
    const child = execFile(file, args, { cwd: folder, env }, (error) => settle(error === null ? 0 : (error.code ?? 1)));
    child.stdin.end();
  });
}
