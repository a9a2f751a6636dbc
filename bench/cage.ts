/** What each rung of the cage costs above the same command without one; medians of one run, rungs in turn. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGuardedShell } from "../src/agent/host/shell/guarded-shell.ts";
import type { GuardedShell } from "../src/agent/host/shell/guarded-shell.ts";

const rounds = Number(process.argv[2] ?? 200);
const rungs = ["bubblewrap", "landlock-perl", "landlock-python"] as const;
/** python3 starts too slowly for it; it is there so that there is a cage at all. */
const budgetMs: Readonly<Record<string, number>> = { bubblewrap: 8, "landlock-perl": 8 };
const directory = mkdtempSync(join(tmpdir(), "groundplan-bench-"));
writeFileSync(join(directory, "note"), "a note\n");
const options = { directory, network: false, timeoutMs: 10_000 };

const shells = rungs.map((rung) => ({ rung, shell: createShell(rungs.filter((other) => other !== rung).join(",")) }));
const found: { readonly name: string; readonly shell: GuardedShell }[] = [];
for (const { rung, shell } of shells) {
  const here = await shell.rung();
  if (here.kind === "caged") found.push({ name: rung, shell });
  else process.stdout.write(`${rung}: not here (${here.reason})\n`);
}
const bare = createShell("");
const ways: readonly (readonly [string, () => Promise<unknown>])[] = [
  ["bare (a person allowed it)", () => bare.run("cat note", { ...options, confined: false })],
  ...found.map(({ name, shell }) => [name, () => shell.run("cat note", { ...options, confined: true })] as const),
];
const times = ways.map((): number[] => []);
for (let round = -10; round < rounds; round += 1) {
  for (const [index, [, run]] of ways.entries()) {
    const started = performance.now();
    await run();
    if (round >= 0) times[index]!.push(performance.now() - started);
  }
}
const medians = times.map((all) => all.toSorted((left, right) => left - right)[Math.floor(all.length / 2)]!);
const [base = 0] = medians;
process.stdout.write(`${ways[0]![0].padEnd(28)} ${base.toFixed(2)} ms\n`);
for (const [index, { name }] of found.entries()) {
  const above = medians[index + 1]! - base;
  const budget = budgetMs[name];
  const note = budget === undefined ? "" : ` (budget ${budget})`;
  const ratio = `${(medians[index + 1]! / base).toFixed(2)} of bare`;
  process.stdout.write(`${name.padEnd(28)} ${above.toFixed(2)} ms above bare, ${ratio}${note}\n`);
  if (budget !== undefined && above > budget) process.exitCode = 1;
}
for (const { shell } of shells) shell.close();
bare.close();
rmSync(directory, { recursive: true, force: true });

function createShell(without: string): GuardedShell {
  return createGuardedShell({
    projectRoot: directory,
    directories: [],
    plansDirectory: join(directory, "plans"),
    settings: { sandbox: "auto" },
    environment: { ...process.env, GROUNDPLAN_WITHOUT_RUNGS: without },
  });
}
