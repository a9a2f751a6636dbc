/** `groundplan plans show`, `plans diff` and `plans export`: one plan, its history and its exact bytes. */
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { LoadedPlan } from "../../../agent/library/load-plan.ts";
import { approvedHash, type Revision } from "../../../core/plan/ledger.ts";
import { hashText } from "../../../core/plan/hash.ts";
import { makeVisible } from "../../../core/wire/visible.ts";
import { header } from "./header.ts";
import { answerJson } from "../../command.ts";
import { answerPaged } from "../../pager.ts";
import { complain, tellPerson } from "../../complaint.ts";
import { planOf, type PlansRequest } from "./request.ts";
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

/** Exactly the approved bytes, but for a terminal; of a plan that nobody approved, the newest. */
export async function exportPlan(request: PlansRequest): Promise<number> {
  const loaded = await load(request);
  if (typeof loaded === "number") return loaded;
  const { entry, approved, changedOutside } = loaded;
  const { streams } = request;
  const { revision, output, force } = request.options;
  const hash = approvedHash(entry);
  if (revision === null && hash !== null && approved === null) {
    const file = loaded.onDisk === null ? "too" : "was changed";
    return complain(streams, `The approved bytes (${hash}) are gone: the session's log is, and the file ${file}.`, 1);
  }
  const chosen = chosenText(loaded, revision);
  if (chosen === null || chosen.text === "") return complain(streams, noRevision(loaded, revision), 1);
  if (hash === null) tellPerson(streams, "nobody approved this plan; this is its newest text.");
  else if (changedOutside && revision === null)
    tellPerson(streams, "the file was changed after the approval; these are the approved bytes, from the log.");
  if (output === null) {
    if (request.screen.isTerminal) return answerPaged(streams, makeVisible(chosen.text).trimEnd(), request.screen);
    await new Promise<void>((done) => streams.stdout.write(chosen.text, () => done()));
    return 0;
  }
  const path = resolve(request.directory, output);
  try {
    await writeFile(path, chosen.text, { flag: force ? "w" : "wx" });
    return 0;
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === "EEXIST";
    const why = isThere ? "is there already; --force writes over it." : `cannot be written: ${String(error)}`;
    return complain(streams, `${path} ${why}`, 1);
  }
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

async function load(request: PlansRequest): Promise<LoadedPlan | number> {
  const [, ...more] = request.words;
  if (more.length > 0)
    return complain(request.streams, `One plan at a time: ${oneLine(more.join(" "))} is one too many.`, 2);
  const plan = await planOf(request, request.words[0]);
  return typeof plan === "number" ? plan : request.library.load(plan);
}

function chosenText(
  loaded: LoadedPlan,
  wanted: number | null,
): { readonly text: string; readonly revision: number | null } | null {
  const { revisions, text } = loaded;
  if (wanted === null) {
    const hash = hashText(text);
    return { text, revision: revisions.findLast((revision) => revision.hash === hash)?.number ?? null };
  }
  const found = revisions.find(({ number }) => number === wanted);
  return found === undefined ? null : { text: found.text, revision: found.number };
}

function noRevision({ revisions, entry }: LoadedPlan, wanted: number | null): string {
  if (wanted === null) return `Nothing is left of ${oneLine(entry.title)}: neither its file nor its session's log.`;
  const known = revisions.map(({ number }) => number).join(", ");
  return `There is no revision ${wanted}; there ${known === "" ? "is none" : `are ${known}`}.`;
}
