// node .ci/suite.mjs <name> <folder of a Node> <folder for notes> [--hidden] [--whole] [test files]: runs the suite once, and what failed once more, alone.
// --hidden: with every optional program hidden. --whole: a test that is skipped counts as failed.
// Leaves `counts` ("passed failed") and a line in `second` for each file that passed only the second time.
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const mostSecondTries = 3;
/** Only ends what hangs: on a busy machine a run takes many times as long as usual. */
const longestMinutes = 90;
const root = fileURLToPath(new URL("..", import.meta.url));
const [name, nodeFolder, notes, ...more] = process.argv.slice(2);
const isHidden = more.includes("--hidden");
const isWhole = more.includes("--whole");
mkdirSync(notes, { recursive: true });

const first = run(more.filter((word) => !word.startsWith("--")));
if (first === null) finish(0, 1, "the run came to no end");
const failedFiles = first.testResults.filter(({ status }) => status === "failed").map((file) => file.name);
const isUnexplained = !first.success && failedFiles.length === 0;
const skipped = isWhole ? testsOf(first).filter((test) => isSkipped(test) && !isKernels(test)) : [];
for (const { fullName } of skipped) console.log(`skipped, though everything is here: ${fullName}`);

let stillFailed = [];
if (failedFiles.length > 0) {
  console.log(`\n${name}: once more, alone: ${failedFiles.map(short).join(", ")}`);
  const second = failedFiles.length > mostSecondTries * 3 ? first : run(["--maxWorkers=1", ...failedFiles.map(short)]);
  const files = second === null ? first.testResults : second.testResults;
  stillFailed = files.filter((file) => file.status === "failed" && failedFiles.includes(file.name));
  const late = failedFiles.filter((file) => stillFailed.every((one) => one.name !== file));
  for (const file of late) appendFileSync(join(notes, "second"), `${short(file)} (${name})\n`);
  if (late.length > mostSecondTries) {
    finish(first.numPassedTests, late.length, `${late.length} files passed only the second time: too many for chance`);
  }
}
const failedTests = stillFailed.map((file) => Math.max(1, file.assertionResults.filter(isFailed).length));
const failed = failedTests.reduce((sum, count) => sum + count, 0) + skipped.length + (isUnexplained ? 1 : 0);
const unrun = testsOf(first).filter(isSkipped).length;
finish(testsOf(first).length - unrun - failed + skipped.length, failed, null);

function run(args) {
  const report = join(notes, "report.json");
  rmSync(report, { force: true });
  const command = [join(nodeFolder, "node"), join(root, "node_modules/vitest/vitest.mjs"), "run", ...args];
  const [program, ...rest] = isHidden ? [join(root, ".ci/hidden"), ...command] : command;
  const env = { ...process.env, GROUNDPLAN_TEST_REPORT: report };
  env.PATH = `${nodeFolder}${delimiter}${env.PATH}`;
  spawnSync(program, rest, {
    cwd: root,
    env,
    stdio: "inherit",
    timeout: longestMinutes * 60_000,
    killSignal: "SIGKILL",
  });
  return existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : null;
}

function finish(passed, failed, problem) {
  if (problem !== null) console.log(`${name}: ${problem}`);
  writeFileSync(join(notes, "counts"), `${passed} ${failed}\n`);
  process.exit(failed === 0 ? 0 : 1);
}

function testsOf(report) {
  return report.testResults.flatMap((file) => file.assertionResults);
}

function isSkipped({ status }) {
  return status !== "passed" && status !== "failed";
}

/** What this kernel lacks no package brings; the list at the end of the run names it. */
function isKernels({ meta }) {
  const ofKernel = (program) =>
    program.startsWith("landlock-") || program === "overlay" || program === "strace in a cage";
  return meta?.missing?.every(ofKernel) ?? false;
}

function isFailed({ status }) {
  return status === "failed";
}

function short(file) {
  return relative(root, file);
}
