/** Started as another person: tries in one rung's cage what must fail and what must work, and prints what came of it. */
import { createGuardedShell } from "../../src/agent/host/shell/guarded-shell.ts";

const [project = "", plans = "", ...commands] = process.argv.slice(2);
const shell = createGuardedShell({
  projectRoot: project,
  directories: [],
  plansDirectory: plans,
  settings: { sandbox: "required" },
  environment: process.env,
});
const rung = await shell.rung();
const run = { directory: project, confined: true, network: false, timeoutMs: 60_000 };
const results = [];
for (const command of commands) results.push(await shell.run(command, run));
const copied = await shell.run("echo 1 > copied && cat copied", { ...run, onCopy: true });
shell.close();
process.stdout.write(JSON.stringify({ rung, results, copied }));
