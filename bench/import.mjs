// What does importing the root entry cost above bare node? Medians of interleaved runs; needs `npm run build`.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const entry = new URL("../dist/lib/index.js", import.meta.url).href;
const rounds = Number(process.argv[2] ?? 15);
const bare = [];
const loaded = [];
for (let round = 0; round < rounds; round += 1) {
  bare.push(time(["-e", "0"]));
  loaded.push(time(["--input-type=module", "-e", `await import(${JSON.stringify(entry)})`]));
}
const above = median(loaded) - median(bare);
console.log(`bare node        ${median(bare).toFixed(0)} ms`);
console.log(
  `with groundplan  ${median(loaded).toFixed(0)} ms  (${above.toFixed(0)} ms above, ${(median(loaded) / median(bare)).toFixed(2)} ×)`,
);
process.exitCode = above < 100 ? 0 : 1;

function time(args) {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: fileURLToPath(new URL("..", import.meta.url)) });
  if (status !== 0) throw new Error(String(stderr));
  return performance.now() - start;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
