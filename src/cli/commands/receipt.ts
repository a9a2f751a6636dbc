/** `groundplan receipt [plan]`: proof of what was approved and what was done, as canonical JSON on stdout (B16.1). */
import { fstatSync, lstatSync } from "node:fs";
import { mkdir, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { homeDirectory } from "../../agent/host/config-home.ts";
import { replaceFile } from "../../agent/host/files/replace-file.ts";
import { makeReceipt } from "../../agent/proof/make-receipt.ts";
import { mostReceiptBytes } from "../../agent/proof/read-receipt.ts";
import { signText } from "../../agent/proof/ssh-signature.ts";
import { canonicalJson, type Json } from "../../core/proof/canonical.ts";
import { errorText } from "../../core/error-text.ts";
import type { Receipt } from "../../core/proof/receipt.ts";
import { settingsAt } from "../../clients/guard/settings-at.ts";
import { ignoredLines } from "../../program/settings/in-force.ts";
import type { Streams } from "../command.ts";
import { complain, tellPerson } from "../complaint.ts";
import { commandWith, file, flag, folder, value } from "../options.ts";
import { version } from "../version.ts";
import { oneLine } from "./plans/screen.ts";
import { millisecondsOf, planToVerify, type PlanToVerify } from "./verify/plan-to-verify.ts";
import { stoppable } from "./verify/stoppable.ts";

const usage = `groundplan receipt [plan]    proof of an approved plan and what was done, as JSON on stdout; it runs the plan's checks
  Without a plan: the newest approved one of this project. It binds the task, the approved text, who approved where and when,
  the head of the session's log, the difference since the commit that the plan was made on, and the result of each step and check.
  Setting receipt.key names the SSH key that signs it. Check it with groundplan verify --receipt <file> --diff <range>.
  --output <file>        writes it there; put it into the repository and it is no part of the difference
  --timeout <seconds>    for each command (600)     --all    look in every project     --cwd <dir>
`;

const options = { all: flag, cwd: folder, timeout: value, output: { ...file, short: "o" } } as const;

export const receipt = commandWith(
  { name: "receipt", usage, options, words: { takes: "plan" } },
  async ({ values, positionals }, streams) => {
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
    const output = values.output === undefined ? null : resolve(directory, values.output);
    return print(found, { streams, timeoutMs, key: settled.settings.receipt.key, output });
  },
);

interface PrintOptions {
  readonly streams: Streams;
  readonly timeoutMs: number;
  readonly key: string | null;
  /** A file; null: stdout. */
  readonly output: string | null;
}

async function print(found: PlanToVerify, options: PrintOptions): Promise<number> {
  const { plan, home, project } = found;
  const { streams, timeoutMs, key, output } = options;
  const target = await targetOf(output);
  const made = await stoppable((signal) =>
    makeReceipt({
      configHome: home,
      plan,
      project,
      version,
      timeoutMs,
      signal,
      environment: process.env,
      isReceiptFile: target,
      onStart: (command) => void streams.stderr.write(`groundplan: $ ${oneLine(command)}\n`),
      onEnd: () => undefined,
    }),
  );
  if ("problem" in made) return complain(streams, `No receipt of ${oneLine(plan.entry.title)}: ${made.problem}`, 1);
  const changed = made.changedByChecks.slice(0, 10).join(", ");
  if (changed !== "")
    tellPerson(streams, `the plan's checks changed ${changed}; the receipt is of what was there before.`);
  if (!made.verification.passed) tellPerson(streams, "not all of the plan holds, and the receipt says so.");
  const text = await signed(made.receipt, { key, project });
  if (typeof text === "object") return complain(streams, text.problem, 1);
  if (key === null)
    tellPerson(streams, 'the receipt is not signed: setting "receipt": { "key": "~/.ssh/…" } signs it.');
  return write(text, output, streams);
}

async function signed(
  receipt: Receipt,
  { key, project }: { readonly key: string | null; readonly project: string },
): Promise<string | { readonly problem: string }> {
  const text = canonicalJson(receipt as Json);
  if (text.length > mostReceiptBytes) return { problem: "No receipt: the difference is too large for one." };
  if (key === null) return text;
  const path = key.startsWith("~/") ? join(homeDirectory(), key.slice(2)) : key;
  const made = await signText(text, path, project);
  return "problem" in made ? made : canonicalJson({ ...receipt, signature: made.signature });
}

async function write(text: string, output: string | null, streams: Streams): Promise<number> {
  if (output === null) {
    streams.stdout.write(text);
    return 0;
  }
  try {
    await mkdir(dirname(output), { recursive: true });
    await replaceFile(output, text, 0o644);
  } catch (error) {
    return complain(streams, `The receipt cannot be written: ${errorText(error)}`, 1);
  }
  tellPerson(streams, `written to ${output}`);
  return 0;
}

/** The file that is named, and the one that a shell has put in the place of stdout. */
async function targetOf(output: string | null): Promise<(path: string) => boolean> {
  const folder = output === null ? null : await realpath(dirname(output)).catch(() => dirname(output));
  const named = folder === null ? null : join(folder, basename(output!));
  const own = output === null ? fstatSync(1) : null;
  return (path) => {
    if (path === named) return true;
    const found = own?.isFile() === true ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
    return found !== undefined && found.ino === own!.ino && found.dev === own!.dev;
  };
}
