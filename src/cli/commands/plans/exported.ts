/** A plan as it is told to somebody elsewhere: names of people and moments, and no path of this machine. */
import { basename } from "node:path";
import type { LoadedPlan, ToldDecision } from "../../../agent/library/load-plan.ts";
import { decisionWords, saidSince, toldRevisions, type ToldRevision } from "../../../agent/library/told-revisions.ts";
import { hashText } from "../../../core/plan/hash.ts";
import type { Comment } from "../../../core/verdict.ts";
import type { ExportedDecision, ExportedPlan, ExportedRevision } from "../../../faces/browser/export/exported-plan.ts";

/** The chosen text first, the other revisions behind it, the newest first. */
export function exportedPlan(
  loaded: LoadedPlan,
  chosen: { readonly text: string; readonly revision: number | null },
): ExportedPlan {
  const told = toldRevisions(loaded).map((one) => revisionOf(loaded, one));
  const first =
    told.find(({ number }) => number !== null && number === chosen.revision) ?? draftOf(loaded, chosen.text);
  const others = told.filter((one) => one !== first).toReversed();
  return {
    title: loaded.entry.title === "" ? "(no title)" : loaded.entry.title,
    facts: factsOf(loaded),
    warnings: warningsOf(loaded, first),
    revisions: [first, ...others],
  };
}

interface NumberedRevision extends ExportedRevision {
  readonly number: number | null;
}

function revisionOf(loaded: LoadedPlan, { revision, decisions }: ToldRevision): NumberedRevision {
  const author = loaded.entry.source ?? "the model";
  const text = loaded.revisions.find(({ number, hash }) => number === revision?.number && hash === revision.hash)?.text;
  return {
    number: revision?.number ?? null,
    name: revision === null ? "An earlier text" : `Revision ${revision.number}`,
    made: revision === null ? "" : `by ${revision.by === "model" ? author : "a person"}, ${momentOf(revision.at)}`,
    text: text ?? null,
    hash: revision?.hash ?? decisions[0]!.hash,
    decisions: decisions.map(decisionOf),
    comments: [...decisions.flatMap(({ comments }) => comments), ...openOn(loaded, revision)],
  };
}

/** Said since, on the newest one. */
function openOn(loaded: LoadedPlan, revision: ToldRevision["revision"]): readonly Comment[] {
  const isNewest = revision !== null && revision.number === loaded.entry.revisions.at(-1)?.number;
  return isNewest ? saidSince(loaded) : [];
}

function draftOf({ comments }: LoadedPlan, text: string): NumberedRevision {
  const about = { number: null, name: "Draft", made: "as its file holds it; nobody submitted it yet" };
  return { ...about, text, hash: hashText(text), decisions: [], comments };
}

function decisionOf({ kind, by, at, mode, words }: ToldDecision): ExportedDecision {
  const made = `by ${by.user} (${by.surface}), ${momentOf(at)}${kind === "approve" ? `, mode ${mode}` : ""}`;
  return {
    kind: kind === "approve" ? "good" : kind === "revise" ? "bad" : "plain",
    name: decisionWords[kind],
    made,
    words,
  };
}

function factsOf({ entry }: LoadedPlan): ExportedPlan["facts"] {
  const { project, origin, evidence, source, status } = entry;
  const commit = evidence?.commit ?? origin.commit;
  const facts: readonly (readonly [string, string | null])[] = [
    ["Status", status],
    ["Written by", source ?? null],
    ["Project", project === null ? null : basename(project)],
    ["Branch", origin.branch],
    ["Commit", commit?.slice(0, 10) ?? null],
  ];
  return facts.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
}

function warningsOf({ approved, stale }: LoadedPlan, { hash }: NumberedRevision): readonly string[] {
  const isApproved = approved?.hash === hash;
  return [
    ...(isApproved ? [] : ["Nobody approved this text."]),
    ...(isApproved || stale.length === 0 ? [] : [`Changed since it was submitted: ${stale.join(", ")}`]),
  ];
}

/** The same wherever it is read. */
function momentOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
