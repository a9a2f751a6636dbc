/** Pictures of a tree of many tracked files: the first of a session, one with nothing changed, one after changes, one of a single file. */
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../src/agent/undo/open-store.ts";

const count = Number(process.argv[2] ?? 10_000);
const rounds = Number(process.argv[3] ?? 7);
const folder = realpathSync(mkdtempSync(join(tmpdir(), "groundplan-undo-bench-")));
const root = join(folder, "work");

try {
  prepare();
  const bare = await best(() => Promise.resolve(void execFileSync("git", ["--version"])));
  const status = await best(() => Promise.resolve(void execFileSync("git", ["status", "--porcelain"], { cwd: root })));
  const first = await best(async (round) => {
    const store = await openStore(root, join(folder, `s${round}.undo`));
    await store.take(null);
  });
  const store = await openStore(root, join(folder, "s0.undo"));
  await store.take(null);
  const again = await best(async () => void (await store.take(null)));
  const changed = await best(async (round) => {
    for (let at = 0; at < 10; at += 1) appendFileSync(join(root, `d${at}`, "f1.txt"), `${round}\n`);
    await store.take(null);
  });
  const single = await best(async (round) => {
    appendFileSync(join(root, "d1", "f2.txt"), `${round}\n`);
    await store.take(["d1/f2.txt"]);
  });
  const rows = [
    ["git --version", bare],
    ["git status, as git does it by itself", status],
    [`a session's first point, ${count} tracked files (budget 150)`, first],
    ["a second one, nothing changed (budget 60)", again],
    ["one after ten files changed (budget 60)", changed],
    ["one file alone, before or after an edit", single],
  ] as const;
  for (const [name, ms] of rows)
    console.log(`${name.padEnd(62)} ${ms.toFixed(0).padStart(5)} ms  ${(ms / status).toFixed(2)} × git status`);
  console.log(`best of ${rounds}; load ${loadavg()[0]!.toFixed(1)}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function prepare(): void {
  mkdirSync(root);
  const folders = Math.max(10, Math.ceil(count / 100));
  for (let at = 0; at < folders; at += 1) mkdirSync(join(root, `d${at}`));
  for (let at = 0; at < count; at += 1)
    writeFileSync(join(root, `d${at % folders}`, `f${Math.floor(at / folders)}.txt`), `file ${at}\n`.repeat(20));
  const git = (...args: readonly string[]): void =>
    void execFileSync("git", ["-c", "user.name=b", "-c", "user.email=b@example.invalid", ...args], {
      cwd: root,
      stdio: "ignore",
    });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "begin");
  git("update-index", "--refresh");
}

async function best(act: (round: number) => Promise<void>): Promise<number> {
  let least = Infinity;
  for (let round = 1; round <= rounds; round += 1) {
    const start = performance.now();
    await act(round);
    least = Math.min(least, performance.now() - start);
  }
  return least;
}
