/** A receipt's file, read back: bounded, in its one form, whole, and of a version that we know; else what is wrong with it in words (B16.2). */
import { visit } from "jsonc-parser";
import { hashText } from "../../core/plan/hash.ts";
import { canonicalJson, type Json } from "../../core/proof/canonical.ts";
import {
  changedParts,
  receiptFormat,
  receiptShape,
  receiptVersion,
  type Receipt,
  type ReceiptPart,
} from "../../core/proof/receipt.ts";
import { parseJson } from "../../core/wire/shape.ts";
import { FileError } from "../host/files/file-error.ts";
import { readRegular } from "../host/files/read-regular.ts";

export interface ReadReceipt {
  readonly receipt: Receipt;
  /** What a signature is over. */
  readonly signed: string;
}

export interface BadReceipt {
  /** Each in its own words; never empty. */
  readonly problems: readonly string[];
}

export const mostReceiptBytes = 16 * 1024 * 1024;

export async function readReceipt(path: string): Promise<ReadReceipt | BadReceipt> {
  try {
    return parseReceipt((await readRegular(path, { limit: mostReceiptBytes })).toString("utf8"));
  } catch (error) {
    if (error instanceof FileError && error.code === "too-large")
      return bad(`${path} is larger than a receipt can be (${mostReceiptBytes / 1024 / 1024} MB).`);
    if (error instanceof FileError) return bad(`${path} is no regular file.`);
    const { code, message } = error as NodeJS.ErrnoException;
    return bad(code === "ENOENT" ? `There is no receipt ${path}.` : `${path} cannot be read: ${message}`);
  }
}

export function parseReceipt(text: string): ReadReceipt | BadReceipt {
  const value = parseJson(text);
  if (value === undefined) return bad("The receipt is no JSON: it is cut off, or something else.");
  if (typeof value !== "object" || value === null || !("format" in value) || value.format !== receiptFormat)
    return bad("This is no receipt of Groundplan.");
  if (!("version" in value) || value.version !== receiptVersion) {
    const version = "version" in value ? JSON.stringify(value.version).slice(0, 20) : "none";
    return bad(
      `The receipt is of version ${version}; this Groundplan reads ${receiptVersion}. Update Groundplan, or make a new receipt.`,
    );
  }
  const shaped = receiptShape.safeParse(value);
  if (!shaped.success) {
    const [issue] = shaped.error.issues;
    return bad(`The receipt is not whole: ${issue!.path.join(".") || "it"}: ${issue!.message.slice(0, 200)}.`);
  }
  const receipt = shaped.data;
  const canonical = canonicalJson(receipt as Json);
  if (canonical !== text) return bad(formProblem(text, canonical));
  const problems = [...changedParts(receipt).map((part) => changed[part]), ...contradictions(receipt)];
  if (problems.length > 0) return { problems };
  const { signature: _, ...unsigned } = receipt;
  return { receipt, signed: canonicalJson(unsigned) };
}

const changed: Readonly<Record<ReceiptPart, string>> = {
  approval: "The approval was changed after the receipt was made: who approved, where, when, or which text.",
  checks: "The result of a check was changed after the receipt was made.",
  log: "The head of the session's log was changed after the receipt was made.",
  made: "The date of the receipt was changed after it was made.",
  plan: "The plan was changed after the receipt was made.",
  steps: "A step, or the result of its check, was changed after the receipt was made.",
  task: "The task was changed after the receipt was made.",
  work: "The difference, or its commits, was changed after the receipt was made.",
};

/** What no digest says: the parts fit together. */
function contradictions({ plan, approval }: Receipt): readonly string[] {
  const own = hashText(plan.text) === plan.hash ? [] : ["The plan's text is not the one that its hash names."];
  return approval.hash === plan.hash ? own : [...own, "The approval is for another text than the receipt's plan."];
}

function formProblem(text: string, canonical: string): string {
  const lines = text.split("\n");
  const expected = canonical.split("\n");
  const at = lines.findIndex((line, index) => line !== expected[index]);
  if (lines.some((line) => line.endsWith("\r")) && text.replaceAll("\r\n", "\n") === canonical)
    return "The receipt's line ends were changed (CRLF): keep it as it was written (-text in .gitattributes).";
  const twice = repeatedKey(text);
  if (twice !== null)
    return `The receipt says ${JSON.stringify(twice.slice(0, 100))} twice: nobody can tell which counts.`;
  const isMoved = lines.toSorted().join("\n") === expected.toSorted().join("\n");
  const where = `from line ${at === -1 ? expected.length : at + 1} on`;
  if (isMoved) return `The receipt's lines are not in their order, ${where}.`;
  return `The receipt is not written as one is, ${where}: it was edited, or written again by another program.`;
}

function repeatedKey(text: string): string | null {
  const open: Set<string>[] = [];
  let found: string | null = null;
  try {
    visit(text, {
      onObjectBegin: () => void open.push(new Set()),
      onObjectEnd: () => void open.pop(),
      onObjectProperty: (name) => {
        if (open.at(-1)?.has(name) === true) found ??= name;
        open.at(-1)?.add(name);
      },
    });
  } catch {
    return null;
  }
  return found;
}

function bad(problem: string): BadReceipt {
  return { problems: [problem] };
}
