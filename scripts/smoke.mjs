// Packs the package, installs it into an empty folder as a stranger would, and uses it.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { commitOf } from "./commit.mjs";

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
  const packed = join(folder, filename);
  const warnings = install(packed);
  expect("the install warns of nothing", warnings, (lines) => lines.length === 0);
  const bin = join(folder, "node_modules/.bin/groundplan");
  const home = join(folder, "home");
  const run = (args) =>
    spawnSync(bin, args, { cwd: folder, encoding: "utf8", env: { ...process.env, GROUNDPLAN_HOME: home } });

  const commit = commitOf(root);
  const built = commit === null ? "built without git" : `commit ${commit.split(" ")[0]}`;
  expect("--version says version, commit and Node", run(["--version"]).stdout, (text) =>
    new RegExp(`^\\d+\\.\\d+\\.\\d+ \\(${built}.*, Node ${process.version}\\)\n$`).test(text),
  );
  expect("help has every command", run(["help"]).stdout, (text) => /groundplan completion <shell>/.test(text));
  for (const shell of ["bash", "zsh", "fish"])
    expect(`completion ${shell}`, run(["completion", shell]).stdout, (text) => text.includes("crashtest"));
  const manual = await readFile(join(folder, "node_modules/groundplan/dist/man/groundplan.1"), "utf8");
  expect("the manual page has every command", manual, (text) => /^\.SS uninstall$/m.test(text));
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
  const project = join(folder, "project");
  await mkdir(join(project, "src"), { recursive: true });
  await writeFile(join(project, "src/orders.js"), "export const orders = () => [];\n");
  const bare = { PATH: process.env.PATH, HOME: folder, npm_config_cache: cacheFolder() };
  const task = ["--yes", "--offline", "--package", packed, "groundplan", "add a total to each order"];
  const planned = spawnSync("npx", task, { cwd: project, encoding: "utf8", env: bare });
  expect("npx plans, with no key and no network", { ...planned, output: null }, ({ status, stdout }) => {
    return status === 3 && stdout.startsWith("# Add a total to each order\n") && stdout.includes("src/orders.js");
  });

  const kilobytes = Number(
    execFileSync("du", ["-sk", join(folder, "node_modules")], { encoding: "utf8" }).split("\t")[0],
  );
  console.log(`production install: ${(kilobytes / 1024).toFixed(0)} MB`);
  expect("the install stays small", kilobytes, (size) => size <= 60 * 1024);
} finally {
  await rm(folder, { recursive: true, force: true });
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

/** What npm warns of, but for settings of this machine's own. The network may fail for a moment. */
function install(packed) {
  for (let tries = 1; ; tries += 1) {
    const { status, stderr } = spawnSync("npm", ["install", packed], { cwd: folder, encoding: "utf8" });
    const lines = stderr.trim().split("\n");
    if (status === 0) return lines.filter((line) => /^npm warn (?!Unknown \w+ config)/i.test(line));
    if (tries === 4) throw new Error(stderr);
    console.log(`npm install failed, once more: ${lines.at(-1)}`);
  }
}

/** What was just installed lies there. */
function cacheFolder() {
  return execFileSync("npm", ["config", "get", "cache"], { encoding: "utf8" }).trim();
}

function expect(what, value, isRight) {
  if (isRight(value)) console.log(`ok: ${what}`);
  else problems.push(`WRONG: ${what}: ${JSON.stringify(value)}`);
}
