/** `groundplan verify --receipt <file> --diff <range>`: the gate for CI, which needs the repository alone (B16.2). */
import { resolve } from "node:path";
import { configHome, projectRoot } from "../../../agent/host/config-home.ts";
import { readRegularText } from "../../../agent/host/files/read-regular.ts";
import { checkReceipt, type ReceiptReport } from "../../../agent/proof/check-receipt.ts";
import { errorText } from "../../../core/error-text.ts";
import { bySeverity } from "../../../core/proof/finding.ts";
import { hashText } from "../../../core/plan/hash.ts";
import { answer, answerJson, type Streams } from "../../command.ts";
import { complain } from "../../complaint.ts";
import { counted, oneLine, screenOf, type OutputScreen } from "../plans/screen.ts";
import { findingLines } from "./finding-lines.ts";
import { planToVerify, type PlanWish } from "./plan-to-verify.ts";

export interface ReceiptWish extends PlanWish {
  readonly file: string;
  readonly range: string;
  /** A file; null: the project's own. */
  readonly signers: string | null;
  readonly json: boolean;
}

export async function verifyReceipt(wish: ReceiptWish, streams: Streams): Promise<number> {
  const { directory, range, json } = wish;
  const root = await projectRoot(directory);
  const signers = await signersIn(wish);
  if (signers !== null && typeof signers === "object") return complain(streams, signers.problem, 2);
  const file = resolve(directory, wish.file);
  const checked = await checkReceipt({ root, configHome: configHome(), file, range, signers });
  if ("problem" in checked) return complain(streams, checked.problem, 2);
  const report = await comparedWithPlan(checked, wish, streams);
  if (typeof report === "number") return report;
  if (json) answerJson(streams, jsonOf(report));
  else answer(streams, textOf(report, screenOf(streams.stdout, process.env)));
  return report.passed ? 0 : 1;
}

async function signersIn({ signers, directory }: ReceiptWish): Promise<string | null | { readonly problem: string }> {
  if (signers === null) return null;
  try {
    return await readRegularText(resolve(directory, signers), { limit: 1024 * 1024 });
  } catch (error) {
    return { problem: `The signers cannot be read: ${errorText(error)}` };
  }
}

/** A plan that is named beside the receipt must be the receipt's. */
async function comparedWithPlan(
  report: ReceiptReport,
  wish: ReceiptWish,
  streams: Streams,
): Promise<ReceiptReport | number> {
  if (wish.wanted === undefined || report.receipt === null) return report;
  const found = await planToVerify(wish, streams);
  if (typeof found === "number") return found;
  if (hashText(found.plan.text) === report.receipt.plan.hash) return report;
  const text = `The receipt is for another plan than ${found.plan.entry.title || wish.wanted}.`;
  const findings = bySeverity([...report.findings, { severity: "breaks the plan", text }]);
  return { ...report, findings, passed: false };
}

function jsonOf({ receipt, range, files, signer, findings, passed }: ReceiptReport): unknown {
  const { id, title, hash } = receipt?.plan ?? {};
  return {
    passed,
    findings,
    plan: receipt === null ? null : { id, title, hash },
    approval: receipt?.approval ?? null,
    signer,
    range: { base: range.base, head: range.head },
    files,
  };
}

function textOf({ receipt, range, files, signer, findings, passed }: ReceiptReport, screen: OutputScreen): string {
  const { paint } = screen;
  const span = `${range.base.slice(0, 12)}..${range.head?.slice(0, 12) ?? "the work tree"}`;
  const head =
    receipt === null
      ? ["No receipt that can be believed."]
      : [
          paint("bold", oneLine(receipt.plan.title)),
          `  approved by ${oneLine(receipt.approval.by.user)} (${oneLine(receipt.approval.by.surface)}), ${receipt.approval.at}`,
          ...(signer === null ? [] : [`  signed by ${oneLine(signer)}`]),
        ];
  return [
    ...head,
    `  ${counted(files.length, "file")} in ${span}`,
    ...findingLines(findings, screen),
    passed ? paint("green", "What was approved is what was done.") : paint("red", "Refused."),
  ].join("\n");
}
