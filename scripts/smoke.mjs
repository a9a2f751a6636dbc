// Packs the package, installs it into an empty folder as a stranger would, and uses it.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "groundplan-smoke-"));
const problems = [];
try {
  const [{ filename }] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
      cwd: root,
      encoding: "utf8",
    }),
  );
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "stranger", private: true, type: "module" }));
  install(join(folder, filename));
  const bin = join(folder, "node_modules/.bin/groundplan");
  const home = join(folder, "home");
  const run = (args) =>
    spawnSync(bin, args, { cwd: folder, encoding: "utf8", env: { ...process.env, GROUNDPLAN_HOME: home } });

  expect("--version says the version", run(["--version"]).stdout.trim(), (text) => /^\d+\.\d+\.\d+/.test(text));
  expect("check knows a reader", run(["check", "git log --oneline | head"]).status, (status) => status === 0);
  expect("check knows a writer", run(["check", "rm -rf ."]).status, (status) => status === 1);
  expect("wrong usage is told", run(["--permission-mode", "root", "x"]).status, (status) => status === 2);
  expect("doctor answers", run(["doctor"]).stdout, (text) => text.includes("sandbox"));

  await writeFile(
    join(folder, "use.mjs"),
    `import { reduce, freshSession } from "groundplan";
     import { verdict } from "groundplan/shell";
     import { scriptedModel } from "groundplan/testing";
     const step = reduce(freshSession(), { type: "nonsense" });
     const judged = verdict("ls -l", { platform: "linux", directory: "/" });
     console.log(step.effects[0].reason, judged.verdict, typeof scriptedModel);`,
  );
  const used = execFileSync(process.execPath, ["use.mjs"], { cwd: folder, encoding: "utf8" }).trim();
  expect("the library works", used, (text) => text === "unknown-event read-only function");
  const kilobytes = Number(
    execFileSync("du", ["-sk", join(folder, "node_modules")], { encoding: "utf8" }).split("\t")[0],
  );
  console.log(`production install: ${(kilobytes / 1024).toFixed(0)} MB`);
  expect("the install stays small", kilobytes, (size) => size <= 130 * 1024);
} finally {
  await rm(folder, { recursive: true, force: true });
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

/** The network may fail for a moment. */
function install(packed) {
  for (let tries = 1; ; tries += 1) {
    try {
      execFileSync("npm", ["install", "--omit=dev", "--no-audit", "--no-fund", packed], { cwd: folder, stdio: "pipe" });
      return;
    } catch (error) {
      if (tries === 4) throw error;
      console.log(`npm install failed, once more: ${String(error.stderr).trim().split("\n").at(-1)}`);
    }
  }
}

function expect(what, value, isRight) {
  if (isRight(value)) console.log(`ok: ${what}`);
  else problems.push(`WRONG: ${what}: ${JSON.stringify(value)}`);
}
