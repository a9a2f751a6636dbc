// What does importing the root entry cost above bare node? Processor time, least of interleaved runs, so that a busy machine says the same;
// needs `npm run build`.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const entry = new URL("../dist/lib/index.js", import.meta.url).href;
const rounds = Number(process.argv[2] ?? 15);
const bare = [];
const loaded = [];
for (let round = 0; round < rounds; round += 1) {
  bare.push(spent(""));
  loaded.push(spent(`await import(${JSON.stringify(entry)});`));
}
const [alone, together] = [Math.min(...bare), Math.min(...loaded)];
const [above, ratio] = [together - alone, together / alone];
console.log(`bare node        ${alone.toFixed(0)} ms`);
console.log(`with groundplan  ${together.toFixed(0)} ms  (${above.toFixed(0)} ms above, ${ratio.toFixed(2)} ×, bar 3)`);
process.exitCode = ratio < 3 ? 0 : 1;

function spent(code) {
  const end = "const { user, system } = process.cpuUsage(); process.stdout.write(String((user + system) / 1000));";
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code + end], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
  });
  if (status !== 0) throw new Error(String(stderr));
  return Number(stdout);
}
