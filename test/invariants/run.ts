/** Random sessions from the command line: `run.js <sessions> [first seed]`; exit code 1 and the first break when one fails. */
import { runRandomSession } from "./driver.ts";
import { brokenHooks } from "./hook-cells.ts";

const sessions = Number(process.argv[2] ?? 2000);
const first = Number(process.argv[3] ?? 1);
const hooks = brokenHooks();
if (hooks !== null) {
  process.stdout.write(`${hooks}\n`);
  process.exit(1);
}
for (let seed = first; seed < first + sessions; seed += 1) {
  const problem = runRandomSession(seed, 120);
  if (problem !== null) {
    process.stdout.write(`${problem}\n`);
    process.exit(1);
  }
}
process.stdout.write(`${sessions} random sessions, nothing broke\n`);
