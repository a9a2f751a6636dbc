/** What the cage costs: a plain spawn, bash in working mode, and the same command in the cage; medians of one run. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGuardedShell } from "../src/agent/host/guarded-shell.ts";

const rounds = Number(process.argv[2] ?? 200);
const directory = mkdtempSync(join(tmpdir(), "groundplan-bench-"));
const shell = createGuardedShell({
  projectRoot: directory,
  directories: [],
  plansDirectory: join(directory, "plans"),
  settings: { sandbox: "required" },
  environment: process.env,
});
const options = { directory, network: false, timeoutMs: 10_000 };

const ways: readonly (readonly [string, () => Promise<unknown>])[] = [
  ["plain spawn of bash", plainSpawn],
  ["bare (working mode)", () => shell.run("true", { ...options, confined: false })],
  ["caged (plan mode)", () => shell.run("true", { ...options, confined: true })],
];

const rung = await shell.rung();
process.stdout.write(`rung: ${rung.kind}${rung.kind === "none" ? ` (${rung.reason})` : ""}\n`);
const times = ways.map((): number[] => []);
for (let round = -10; round < rounds; round += 1) {
  for (const [index, [, run]] of ways.entries()) {
    const started = performance.now();
    await run();
    if (round >= 0) times[index]!.push(performance.now() - started);
  }
}
const medians = times.map((all) => all.toSorted((left, right) => left - right)[Math.floor(all.length / 2)]!);
ways.forEach(([name], index) => process.stdout.write(`${name.padEnd(22)} ${medians[index]!.toFixed(2)} ms\n`));
const above = medians[2]! - medians[1]!;
process.stdout.write(`the cage costs         ${above.toFixed(2)} ms above bare (budget 8)\n`);
shell.close();
rmSync(directory, { recursive: true, force: true });
process.exitCode = above < 8 ? 0 : 1;

function plainSpawn(): Promise<void> {
  return new Promise((settle) => {
    spawn("/bin/bash", ["--noprofile", "--norc", "-c", "true"], { stdio: ["ignore", "pipe", "pipe"] }).on("close", () =>
      settle(),
    );
  });
}
