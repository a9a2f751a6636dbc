/** `groundplan plans show` and `plans diff`: one plan, its history, and what changed in it. */
import type { LoadedPlan } from "../../../agent/library/load-plan.ts";
import { approvedHash, type Revision } from "../../../core/plan/ledger.ts";
import { hashText } from "../../../core/plan/hash.ts";
import { makeVisible } from "../../../core/wire/visible.ts";
import { header } from "./header.ts";
import { answerJson } from "../../command.ts";
import { answerPaged } from "../../pager.ts";
import { complain, tellPerson } from "../../complaint.ts";
import { chosenText, load, noRevision } from "./chosen.ts";
import type { PlansRequest } from "./request.ts";
import { oneLine, type OutputScreen } from "./screen.ts";

export async function show(request: PlansRequest): Promise<number> {
  const { streams, options } = request;
  const loaded = await load(request);
  if (typeof loaded === "number") return loaded;
  const chosen = chosenText(loaded, options.revision);
  if (chosen === null) return complain(streams, noRevision(loaded, options.revision), 1);
  if (options.json) {
    const { entry, approved, revisions, decisions, comments, pending, stale, changedOutside, onDisk, log } = loaded;
    return answerJson(streams, {
      ...entry,
      decisions,
      text: chosen.text,
      hash: hashText(chosen.text),
      revision: chosen.revision,
      approvedHash: approved?.hash ?? approvedHash(entry),
      revisions:
        entry.revisions.length > 0
          ? entry.revisions
          : revisions.map(({ number, hash, at, by }) => ({ number, hash, at, by })),
      changedOutside,
      fileIsGone: onDisk === null,
      sessionIsGone: log === null,
      stale,
      comments,
      pending: pending === null ? null : { id: pending.id, hash: pending.hash, revision: pending.revision },
    });
  }
  const { screen } = request;
  return answerPaged(streams, `${header(loaded, request, chosen)}\n\n${await readable(chosen.text, screen)}`, screen);
}

/** On a terminal as it is meant to be read, line by line and nothing left out; for a program as it was written. */
async function readable(text: string, { isTerminal, columns }: OutputScreen): Promise<string> {
  if (!isTerminal || process.env["TERM"] === "dumb") return makeVisible(text).trimEnd();
  const [{ planLines }, { chooseTheme }] = await Promise.all([
    import("../../../faces/terminal/view/plan-lines.ts"),
    import("../../../faces/terminal/view/theme.ts"),
  ]);
  const lines = planLines(text, { theme: chooseTheme({ environment: process.env }), codeMargin: "  " });
  return lines
    .flatMap((line) => line.rows(columns))
    .join("\n")
    .trimEnd();
}

/** Two revisions of one plan, or two plans. */
export async function diff(request: PlansRequest): Promise<number> {
  const { streams, screen, options } = request;
  const [first, second, third] = request.words;
  const one = await load({ ...request, words: first === undefined ? [] : [first] });
  if (typeof one === "number") return one;
  const sides =
    second === undefined || isRevision(second)
      ? revisionsToCompare(one, second, third)
      : await otherPlan(request, one, second);
  if (typeof sides === "string") return complain(streams, sides, 1);
  if (typeof sides === "number") return sides;
  const [before, after] = sides;
  const patch = await patchOf(before, after);
  if (options.json) return answerJson(streams, { id: one.entry.id, from: before, to: after, patch });
  if (before.text === after.text) {
    tellPerson(streams, `${before.name} and ${after.name} are the same.`);
    return 0;
  }
  const lines = makeVisible(patch).trimEnd().split("\n");
  return answerPaged(streams, lines.map((line) => paintLine(line, screen)).join("\n"), screen);
}

function paintLine(line: string, { paint }: OutputScreen): string {
  if (/^(---|\+\+\+) /.test(line)) return paint("bold", line);
  if (line.startsWith("@@")) return paint("cyan", line);
  if (line.startsWith("+")) return paint("green", line);
  return line.startsWith("-") ? paint("red", line) : line;
}

interface Side {
  readonly name: string;
  readonly hash: string;
  readonly text: string;
}

async function patchOf(before: Side, after: Side): Promise<string> {
  const { createTwoFilesPatch } = await import("diff");
  const patch = createTwoFilesPatch(oneLine(before.name), oneLine(after.name), before.text, after.text, "", "", {
    context: 3,
  });
  return patch.replace(/^=+\n/, "");
}

function revisionsToCompare(
  { revisions, onDisk, approved }: LoadedPlan,
  from: string | undefined,
  to: string | undefined,
): [Side, Side] | string {
  const known = new Map(revisions.map((revision) => [String(revision.number), sideOf(revision)]));
  const last = revisions.at(-1);
  const isEdited = onDisk !== null && last !== undefined && approved === null && onDisk !== last.text;
  if (onDisk !== null) known.set("file", { name: "the file", hash: hashText(onDisk), text: onDisk });
  const standard = isEdited
    ? ["file", String(last.number)]
    : [String(last?.number ?? 0), String((last?.number ?? 0) - 1)];
  const end = to ?? (from === undefined ? standard[0]! : isEdited ? "file" : String(last?.number ?? 0));
  const start = from ?? standard[1]!;
  if (from === undefined && !known.has(start)) return "There is only one revision, so nothing to compare.";
  const missing = [start, end].find((name) => !known.has(name));
  if (missing !== undefined)
    return `There is no revision ${missing}; there are ${[...known.keys()].join(", ") || "none"}.`;
  return [known.get(start)!, known.get(end)!];
}

async function otherPlan(request: PlansRequest, one: LoadedPlan, wanted: string): Promise<[Side, Side] | number> {
  const other = await load({ ...request, words: [wanted] });
  if (typeof other === "number") return other;
  return [one, other].map(({ entry, text }) => ({
    name: `${entry.title} (${entry.id})`,
    hash: hashText(text),
    text,
  })) as [Side, Side];
}

function sideOf({ number, hash, text }: Revision): Side {
  return { name: `revision ${number}`, hash, text };
}

function isRevision(word: string): boolean {
  return /^\d{1,5}$/.test(word) || word === "file";
}
