// What does importing the root entry cost above bare node? Processor time, least of interleaved runs, so that a busy machine says the same;
// needs `npm run build`.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const entry = new URL("../dist/lib/index.js", import.meta.url).href;
const rounds = Number(process.argv[2] ?? 15);
const bar = 3;
const bare = [];
const loaded = [];
/** More rounds where it seems too much: the least of more runs is nearer to the truth, never further from it. */
for (let tries = 0; tries === 0 || (tries < 4 && ratioNow() >= bar); tries += 1) {
  for (let round = 0; round < rounds; round += 1) {
    bare.push(spent(""));
    loaded.push(spent(`await import(${JSON.stringify(entry)});`));
  }
}
const [alone, together, ratio] = [Math.min(...bare), Math.min(...loaded), ratioNow()];
const above = together - alone;
console.log(`bare node        ${alone.toFixed(0)} ms`);
console.log(
  `with groundplan  ${together.toFixed(0)} ms  (${above.toFixed(0)} ms above, ${ratio.toFixed(2)} ×, bar ${bar})`,
);
process.exitCode = ratio < bar ? 0 : 1;

function ratioNow() {
  return Math.min(...loaded) / Math.min(...bare);
}

function spent(code) {
  const end = "const { user, system } = process.cpuUsage(); process.stdout.write(String((user + system) / 1000));";
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code + end], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
  });
  if (status !== 0) throw new Error(String(stderr));
  return Number(stdout);
}
