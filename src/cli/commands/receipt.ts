/** `groundplan receipt [plan]`: proof of what was approved and what was done, as canonical JSON on stdout (B16.1). */
import { join } from "node:path";
import { homeDirectory } from "../../agent/host/config-home.ts";
import { makeReceipt } from "../../agent/proof/make-receipt.ts";
import { mostReceiptBytes } from "../../agent/proof/read-receipt.ts";
import { signText } from "../../agent/proof/ssh-signature.ts";
import { canonicalJson, type Json } from "../../core/proof/canonical.ts";
import { settingsAt } from "../../clients/guard/settings-at.ts";
import { ignoredLines } from "../../program/settings/in-force.ts";
import type { Streams } from "../command.ts";
import { complain, tellPerson } from "../complaint.ts";
import { commandWith, flag, value } from "../options.ts";
import { version } from "../version.ts";
import { oneLine } from "./plans/screen.ts";
import { millisecondsOf, planToVerify, type PlanToVerify } from "./verify/plan-to-verify.ts";
import { stoppable } from "./verify/stoppable.ts";

const usage = `groundplan receipt [plan]    proof of an approved plan and what was done, as JSON on stdout; it runs the plan's checks
  Without a plan: the newest approved one of this project. It binds the task, the approved text, who approved where and when,
  the head of the session's log, the difference since the commit that the plan was made on, and the result of each step and check.
  Setting receipt.key names the SSH key that signs it. Check it with groundplan verify --receipt <file> --diff <range>.
  --timeout <seconds>    for each command (600)     --all    look in every project     --cwd <dir>
`;

const options = { all: flag, cwd: value, timeout: value } as const;

export const receipt = commandWith({ name: "receipt", usage, options }, async ({ values, positionals }, streams) => {
  if (positionals.length > 1) return complain(streams, "One plan at a time: groundplan receipt <plan>", 2);
  const timeoutMs = millisecondsOf(values.timeout ?? "600");
  if (timeoutMs === null)
    return complain(streams, `--timeout takes seconds from 1 on; not ${JSON.stringify(values.timeout)}.`, 2);
  const directory = values.cwd ?? process.cwd();
  const found = await planToVerify({ wanted: positionals[0], all: values.all === true, directory }, streams);
  if (typeof found === "number") return found;
  const { home, project } = found;
  const settled = await settingsAt({ home, root: project, directory: project, environment: process.env });
  if ("problem" in settled) return complain(streams, settled.problem, 2);
  const ignored = settled.ignored.filter((one) => one.key === "receipt.key");
  ignoredLines(ignored).forEach((line) => tellPerson(streams, line));
  return print(found, { streams, timeoutMs, key: settled.settings.receipt.key });
});

interface PrintOptions {
  readonly streams: Streams;
  readonly timeoutMs: number;
  readonly key: string | null;
}

async function print(
  { plan, home, project }: PlanToVerify,
  { streams, timeoutMs, key }: PrintOptions,
): Promise<number> {
  const made = await stoppable((signal) =>
    makeReceipt({
      configHome: home,
      plan,
      project,
      version,
      timeoutMs,
      signal,
      environment: process.env,
      onStart: (command) => void streams.stderr.write(`groundplan: $ ${oneLine(command)}\n`),
      onEnd: () => undefined,
    }),
  );
  if ("problem" in made) return complain(streams, `No receipt of ${oneLine(plan.entry.title)}: ${made.problem}`, 1);
  if (made.changedByChecks.length > 0)
    tellPerson(
      streams,
      `the plan's checks changed ${made.changedByChecks.slice(0, 10).join(", ")}; the receipt is of what was there before.`,
    );
  if (!made.verification.passed) tellPerson(streams, "not all of the plan holds, and the receipt says so.");
  const text = canonicalJson(made.receipt as Json);
  if (text.length > mostReceiptBytes) return complain(streams, "No receipt: the difference is too large for one.", 1);
  if (key === null) {
    tellPerson(streams, 'the receipt is not signed: setting "receipt": { "key": "~/.ssh/…" } signs it.');
    streams.stdout.write(text);
    return 0;
  }
  const path = key.startsWith("~/") ? join(homeDirectory(), key.slice(2)) : key;
  const signed = await signText(text, path, project);
  if ("problem" in signed) return complain(streams, signed.problem, 1);
  streams.stdout.write(canonicalJson({ ...made.receipt, signature: signed.signature }));
  return 0;
}
