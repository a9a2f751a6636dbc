/** The long run of the oracle: `node scripts/oracle.mjs --seconds 600 --seed N`. */
import { appendFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { runArity, runLate } from "./ask.ts";
import { runOracle } from "./oracle.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    out: { type: "string" },
    arity: { type: "boolean", default: false },
  },
});
if (values.arity) {
  const { asked, faults } = await runArity();
  for (const { command, guard, program } of faults) {
    process.stdout.write(`ARITY ${command}: the guard believes ${guard}, the program says ${program}\n`);
  }
  process.stdout.write(`${asked} options asked, ${faults.length} of another arity\n`);
  const late = await runLate();
  for (const { command, guard, program } of late.faults) {
    process.stdout.write(`LATE ${command}: to the guard the last word ${guard}, to the program it ${program}\n`);
  }
  process.stdout.write(`${late.asked} commands asked, ${late.faults.length} where a late option means another thing\n`);
}
let last = 0;
const report = await runOracle({
  seed: Number(values.seed),
  limit: { seconds: Number(values.seconds) },
  onFinding: ({ command, canonical, what }) => {
    const text = `${JSON.stringify(command)}\n  runs as ${JSON.stringify(canonical)}\n${what.map((line) => `  ${line}\n`).join("")}`;
    process.stdout.write(`FINDING ${text}`);
    if (values.out !== undefined) appendFileSync(values.out, `seed ${values.seed} ${text}\n`);
  },
  onBatch: ({ generated, ran, findings }) => {
    if (performance.now() - last < 10_000) return;
    last = performance.now();
    process.stdout.write(`${generated} generated, ${ran} ran, ${findings.length} findings\n`);
  },
});
process.stdout.write(
  `seed ${values.seed}: ${report.generated} generated, ${report.ran} judged read-only and run, ${report.findings.length} findings\n`,
);
process.exitCode = report.findings.length === 0 ? 0 : 1;
