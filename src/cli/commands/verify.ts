/** `groundplan verify [plan]`: runs the plan's checks and says what was planned, touched, and left out (B6.3). */
import { configHome, projectRoot } from "../../agent/host/config-home.ts";
import { isNotFound } from "../../agent/library/find-plan.ts";
import { openLibrary, type Library } from "../../agent/library/library.ts";
import type { LoadedPlan } from "../../agent/library/load-plan.ts";
import { markVerified } from "../../agent/library/mark-verified.ts";
import type { CheckResult } from "../../agent/verify/run-checks.ts";
import { commandsOf, isApprovedText, verifyPlan, type Verification } from "../../agent/verify/verify-plan.ts";
import { approvedHash } from "../../core/plan/ledger.ts";
import { hashText } from "../../core/plan/hash.ts";
import { askYes } from "../ask.ts";
import { answer, answerJson, isInteractive, type Streams } from "../command.ts";
import { complain, tellPerson } from "../complaint.ts";
import { commandWith, flag, value } from "../options.ts";
import { oneLine, screenOf, type OutputScreen } from "./plans/screen.ts";

const usage = `groundplan verify [plan]    runs the plan's checks: each step's result, files planned but untouched, files touched but not planned
  Without a plan: the newest approved one of this project. Exit code 0 only when all hold.
  The commands of an approved plan run as they were approved; those of any other need --yes, or your yes at a terminal.
  --timeout <seconds>    for each command (600)     --all    look in every project     --json    --yes    --cwd <dir>
`;

const options = { all: flag, json: flag, yes: { ...flag, short: "y" }, cwd: value, timeout: value } as const;

export const verify = commandWith({ name: "verify", usage, options }, async ({ values, positionals }, streams) => {
  if (positionals.length > 1) return complain(streams, "One plan at a time: groundplan verify <plan>", 2);
  const seconds = values.timeout ?? "600";
  if (!/^[1-9]\d{0,5}$/.test(seconds))
    return complain(streams, `--timeout takes seconds from 1 on; not ${JSON.stringify(seconds)}.`, 2);
  const directory = values.cwd ?? process.cwd();
  const home = configHome();
  const project = await projectRoot(directory);
  const tell = (line: string): void => tellPerson(streams, line);
  const library = await openLibrary({ configHome: home, project, tell });
  const all = values.all === true;
  const found = await library.find(positionals[0] ?? newestApproved(library, all), { all, directory });
  if (isNotFound(found)) return complain(streams, oneLine(found.problem), 1);
  const plan = await library.load(found);
  if (plan.text === "") return complain(streams, `Nothing is left of ${oneLine(found.title)} to verify.`, 1);
  const refusal = await consent(plan, streams, values.yes === true);
  if (refusal !== null) return complain(streams, refusal.problem, refusal.exitCode);
  if (plan.changedOutside) tell("the plan's file was changed after the approval; the approved text counts.");
  return run({
    plan,
    streams,
    home,
    project: found.project ?? project,
    timeoutMs: Number(seconds) * 1000,
    json: values.json === true,
  });
});

interface Run {
  readonly plan: LoadedPlan;
  readonly streams: Streams;
  readonly home: string;
  readonly project: string;
  readonly timeoutMs: number;
  readonly json: boolean;
}

async function run({ plan, streams, home, project, timeoutMs, json }: Run): Promise<number> {
  const stop = new AbortController();
  const onStop = (): void => stop.abort();
  process.once("SIGINT", onStop);
  process.once("SIGTERM", onStop);
  const done = await verifyPlan(plan, {
    project,
    timeoutMs,
    signal: stop.signal,
    environment: process.env,
    onStart: (command) => void streams.stderr.write(`groundplan: $ ${oneLine(command)}\n`),
    onEnd: () => undefined,
  });
  process.removeListener("SIGINT", onStop);
  process.removeListener("SIGTERM", onStop);
  const { entry, text } = plan;
  if (json) {
    const { steps, commands, untouched, unplanned, passed } = done;
    const approved = isApprovedText(plan);
    const named = { id: entry.id, title: entry.title, hash: hashText(text), approved };
    answerJson(streams, { ...named, steps, commands, untouched, unplanned, passed });
  } else answer(streams, report(plan, done, screenOf(streams.stdout, process.env)));
  if (done.interrupted) return 130;
  if (isApprovedText(plan)) await markVerified({ configHome: home, plan, passed: done.passed });
  return done.passed ? 0 : 1;
}

/** A model wrote these commands: what nobody approved runs only when the person says so. */
async function consent(
  plan: LoadedPlan,
  streams: Streams,
  isYes: boolean,
): Promise<{ problem: string; exitCode: number } | null> {
  const commands = commandsOf(plan.text);
  if (commands.length === 0 || isYes || isApprovedText(plan)) return null;
  const listed = commands.map((command) => `\n  $ ${oneLine(command)}`).join("");
  const why =
    approvedHash(plan.entry) === null ? "Nobody approved this plan." : "This is not the text that was approved.";
  if (!isInteractive(streams))
    return { problem: `${why} To run its commands all the same, say --yes:${listed}`, exitCode: 2 };
  streams.stderr.write(`${why} It would run, in this project:${listed}\n`);
  return (await askYes(streams, "Run them?")) ? null : { problem: "Nothing was run.", exitCode: 1 };
}

function newestApproved(library: Library, all: boolean): string | null {
  return library.list({ all }).find((plan) => approvedHash(plan) !== null)?.id ?? null;
}

function report({ entry, approved }: LoadedPlan, done: Verification, screen: OutputScreen): string {
  const { paint } = screen;
  const by = approved === null ? "not approved" : `approved by ${oneLine(approved.by.user)}`;
  const lines = [`${paint("bold", oneLine(entry.title))} (${by})`];
  for (const { title, checks } of done.steps) {
    const state = checks.length === 0 ? "none" : checks.every(({ passed }) => passed) ? "passed" : "failed";
    lines.push(`${mark(state, screen)} ${oneLine(title)}${state === "none" ? paint("dim", "  no check given") : ""}`);
    for (const check of checks) lines.push(...checkLines(check, screen));
  }
  for (const check of done.commands)
    lines.push(`${mark(check.passed ? "passed" : "failed", screen)} the whole plan`, ...checkLines(check, screen));
  lines.push(
    ...fileLines("planned but untouched", done.untouched, screen),
    ...fileLines("touched but not planned", done.unplanned, screen),
  );
  if (done.interrupted) return [...lines, paint("red", "Interrupted: not everything was checked.")].join("\n");
  if (done.passed) return [...lines, paint("green", "All of it holds.")].join("\n");
  const isEmpty = done.commands.length === 0 && done.steps.every(({ checks }) => checks.length === 0);
  const why = isEmpty
    ? "The plan has no commands to verify it by, and its files do not show that it is done."
    : "Not all of it holds.";
  return [...lines, paint("red", why)].join("\n");
}

function checkLines(
  { command, passed, exitCode, timedOut, durationMs, output }: CheckResult,
  { paint }: OutputScreen,
): readonly string[] {
  const how = timedOut ? "timed out" : passed ? "ok" : `exit ${exitCode ?? "by a signal"}`;
  const head = `    $ ${oneLine(command)}  ${paint(passed ? "green" : "red", how)} ${paint("dim", `${(durationMs / 1000).toFixed(1)} s`)}`;
  if (passed) return [head];
  const last = output.trimEnd().split("\n").slice(-12);
  return [head, ...last.map((line) => paint("dim", `      ${oneLine(line)}`))];
}

function fileLines(what: string, files: readonly string[] | null, { paint }: OutputScreen): readonly string[] {
  if (files === null) return [paint("dim", `· files ${what}: not known, since the plan was never submitted`)];
  if (files.length === 0) return [`${paint("green", "✓")} no files ${what}`];
  return [
    `${paint("red", "✗")} files ${what}:`,
    ...files.slice(0, 50).map((file) => `    ${oneLine(file)}`),
    ...(files.length > 50 ? [`    and ${files.length - 50} more`] : []),
  ];
}

function mark(state: "passed" | "failed" | "none", { paint }: OutputScreen): string {
  if (state === "none") return paint("dim", "·");
  return state === "passed" ? paint("green", "✓") : paint("red", "✗");
}
