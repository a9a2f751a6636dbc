// Long runs of the random sessions: `node scripts/invariants.mjs [sessions] [first seed]` (100,000 by default).
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "groundplan-invariants-"));
const [sessions = "100000", seed = "1"] = process.argv.slice(2);
try {
  await build({
    absWorkingDir: root,
    entryPoints: ["test/invariants/run.ts"],
    outfile: join(folder, "run.mjs"),
    bundle: true,
    format: "esm",
    platform: "node",
  });
  execFileSync(process.execPath, [join(folder, "run.mjs"), sessions, seed], { stdio: "inherit" });
} catch {
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
