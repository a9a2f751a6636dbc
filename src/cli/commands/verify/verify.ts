/** `groundplan verify`: is the plan done, and nothing else (B6.3)? With a receipt: is a difference what was approved (B16.2)? */
import { markVerified } from "../../../agent/library/mark-verified.ts";
import type { LoadedPlan } from "../../../agent/library/load-plan.ts";
import { findingsOf } from "../../../agent/verify/findings.ts";
import { commandsOf, isApprovedText, verifyPlan, type Verification } from "../../../agent/verify/verify-plan.ts";
import type { PlanFinding } from "../../../core/proof/finding.ts";
import { modes } from "../../../core/mode.ts";
import { approvedHash } from "../../../core/plan/ledger.ts";
import { hashText } from "../../../core/plan/hash.ts";
import { askYes } from "../../ask.ts";
import { answer, answerJson, isInteractive, type Streams } from "../../command.ts";
import { complain, tellPerson } from "../../complaint.ts";
import { among, commandWith, file, flag, folder, value } from "../../options.ts";
import { oneLine, screenOf } from "../plans/screen.ts";
import { planReport } from "./plan-report.ts";
import { millisecondsOf, planToVerify, type PlanToVerify } from "./plan-to-verify.ts";
import { stoppable } from "./stoppable.ts";

const usage = `groundplan verify [plan]    runs the plan's checks: each step's result, files planned but untouched, files touched but not planned
  Without a plan: the newest approved one of this project. Exit code 0 only when all hold.
  The commands of an approved plan run as they were approved; those of any other need --yes, or your yes at a terminal.
  --fix    gives what was found to the plan's session as its next prompt, and verifies again   --permission-mode <mode> for it
  --timeout <seconds>    for each command (600)     --all    look in every project     --json    --yes    --cwd <dir>

groundplan verify [plan] --receipt <file> --diff <range>    holds a difference against a receipt; needs the repository alone
  Refuses (exit code 1) what leaves the plan's scope, a receipt that was changed or does not match, a signature of somebody
  who is not an allowed signer. Nothing of the plan is run. <range> as for git diff: main...HEAD, A..B, or A for the work tree.
  --signers <file>    whose signatures count (man ssh-keygen, ALLOWED SIGNERS); without it .groundplan/allowed_signers of
                      the range's left side, so that no change vouches for itself     --json    --cwd <dir>
`;

const options = {
  all: flag,
  json: flag,
  yes: { ...flag, short: "y" },
  cwd: folder,
  timeout: value,
  fix: flag,
  "permission-mode": among(modes),
  receipt: file,
  diff: value,
  signers: file,
} as const;

export const verify = commandWith(
  { name: "verify", usage, options, words: { takes: "plan" } },
  async ({ values, positionals }, streams) => {
    if (positionals.length > 1) return complain(streams, "One plan at a time: groundplan verify <plan>", 2);
    const timeoutMs = millisecondsOf(values.timeout ?? "600");
    if (timeoutMs === null)
      return complain(streams, `--timeout takes seconds from 1 on; not ${JSON.stringify(values.timeout)}.`, 2);
    const { receipt: file, diff: range, signers, fix = false, json = false } = values;
    const wish = { wanted: positionals[0], all: values.all === true, directory: values.cwd ?? process.cwd() };
    if (fix && (json || file !== undefined))
      return complain(streams, "--fix goes with neither --json nor --receipt.", 2);
    if (values["permission-mode"] !== undefined && !fix)
      return complain(streams, "--permission-mode goes with --fix.", 2);
    if (file !== undefined && range !== undefined) {
      const { verifyReceipt } = await import("./verify-receipt.ts");
      return verifyReceipt({ ...wish, file, range, signers: signers ?? null, json }, streams);
    }
    if (file !== undefined || range !== undefined || signers !== undefined)
      return complain(streams, "--receipt <file> and --diff <range> go together; --signers goes with them.", 2);
    const named = await planToVerify(wish, streams);
    if (typeof named === "number") return named;
    const found = await believed(named, streams, values.yes === true);
    if (found === null) return 1;
    const refusal = await consent(found.plan, streams, values.yes === true);
    if (refusal !== null) return complain(streams, refusal.problem, refusal.exitCode);
    if (found.plan.changedOutside)
      tellPerson(streams, "the plan's file was changed after the approval; the approved text counts.");
    const first = await run(found, { streams, timeoutMs, json });
    if (!fix || first.exitCode !== 1) return first.exitCode;
    const { giveBack } = await import("./give-back.ts");
    const given = await giveBack(
      { ...found, findings: first.findings, mode: values["permission-mode"] ?? null },
      streams,
    );
    if (given.exitCode !== 0 || !given.isOver) return given.exitCode;
    return (await run(found, { streams, timeoutMs, json })).exitCode;
  },
);

interface RunOptions {
  readonly streams: Streams;
  readonly timeoutMs: number;
  readonly json: boolean;
}

async function run(
  { plan, home, project }: PlanToVerify,
  { streams, timeoutMs, json }: RunOptions,
): Promise<{ readonly exitCode: number; readonly findings: readonly PlanFinding[] }> {
  const done = await stoppable((signal) =>
    verifyPlan(plan, {
      project,
      timeoutMs,
      signal,
      environment: process.env,
      onStart: (command) => void streams.stderr.write(`groundplan: $ ${oneLine(command)}\n`),
      onEnd: () => undefined,
    }),
  );
  const findings = findingsOf(done, { isApproved: isApprovedText(plan) });
  tell(plan, { done, findings, streams, json });
  if (done.interrupted) return { exitCode: 130, findings };
  if (isApprovedText(plan)) await markVerified({ configHome: home, plan, passed: done.passed });
  return { exitCode: done.passed ? 0 : 1, findings };
}

interface Told {
  readonly done: Verification;
  readonly findings: readonly PlanFinding[];
  readonly streams: Streams;
  readonly json: boolean;
}

function tell(plan: LoadedPlan, { done, findings, streams, json }: Told): void {
  const { entry, text } = plan;
  if (!json) {
    answer(streams, planReport(plan, { done, findings, screen: screenOf(streams.stdout, process.env) }));
    return;
  }
  const { steps, commands, untouched, unplanned, passed } = done;
  const named = { id: entry.id, title: entry.title, hash: hashText(text), approved: isApprovedText(plan) };
  answerJson(streams, { ...named, steps, commands, untouched, unplanned, findings, passed });
}

/** An approval that only a doubtful log tells of counts nowhere: the plan is as one that nobody approved, and looked at only when the person says so. */
async function believed(found: PlanToVerify, streams: Streams, isYes: boolean): Promise<PlanToVerify | null> {
  const { approvalDoubt } = await import("../../../agent/proof/sealed-log.ts");
  const doubt = await approvalDoubt(found.plan, found.home);
  if (doubt === null) return found;
  tellPerson(streams, `the plan's approval does not count. ${oneLine(doubt)}`);
  if (isYes) return { ...found, plan: { ...found.plan, approved: null } };
  complain(
    streams,
    "The plan was not checked: have it approved again, or say --yes to run its commands all the same.",
    1,
  );
  return null;
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
