/** What an install or an uninstall would change, worked out before anything is written; and the writing of exactly that. */
import { isInside } from "../../core/decide/access.ts";
import { errorText } from "../../core/error-text.ts";
import { readClientFile, removeClientFile, removeEmpty, writeClientFile, type ClientFile } from "./client-file.ts";
import type { Part } from "./part.ts";
import { fileOf, type InstallScope } from "./parts.ts";
import { allRecords, dropRecord, keepRecord, recordOf, type InstallRecord } from "./record.ts";

/** Of one file. `after` is null where it goes; equal to `before` where nothing is to be done. */
export interface Change {
  readonly part: Part;
  readonly found: ClientFile;
  readonly before: string | null;
  readonly after: string | null;
  readonly put: readonly string[];
}

export type Changes = { readonly changes: readonly Change[] } | { readonly problem: string };

export function isChanging({ before, after }: Change): boolean {
  return before !== after;
}

export async function changesToInstall(asked: InstallScope, parts: readonly Part[]): Promise<Changes> {
  return each(parts, (part, found) => {
    /** A link of the project's own must not choose what of the person's is written. */
    const leadsOut = isInside(part.file, asked.root) && !isInside(found.target, asked.root);
    if (asked.scope === "project" && leadsOut)
      return { kind: "problem", problem: `it is a link out of the project, to ${found.target}` };
    const record = recordOf(asked.home, { agent: asked.agent, file: part.file });
    const edited = part.put(found.text ?? "", record?.put ?? []);
    if (edited.kind === "problem") return edited;
    return { part, found, before: found.text, after: edited.text, put: edited.put };
  });
}

export async function changesToUninstall(asked: InstallScope, parts: readonly Part[]): Promise<Changes> {
  const others = (await allRecords(asked.home)).filter(
    ({ agent, isMain, file }) => isMain && agent === asked.agent && file !== fileOf(asked),
  );
  const own = others.length === 0 ? parts : parts.filter(({ isShared }) => isShared !== true);
  return each(own, (part, found) => {
    if (found.text === null) return { part, found, before: null, after: null, put: [] };
    const record = recordOf(asked.home, { agent: asked.agent, file: part.file });
    const edited = part.take(found.text, record?.put ?? []);
    if (edited.kind === "problem") return edited;
    const goes = edited.text !== found.text && (part.isAllOurs ?? record?.isOurs) === true && part.isEmpty(edited.text);
    return { part, found, before: found.text, after: goes ? null : edited.text, put: [] };
  });
}

type Worked = Change | { readonly kind: "problem"; readonly problem: string };

async function each(parts: readonly Part[], work: (part: Part, found: ClientFile) => Worked): Promise<Changes> {
  const changes: Change[] = [];
  for (const part of parts) {
    const found = await readClientFile(part.file);
    if ("problem" in found) return found;
    const worked = work(part, found);
    if ("problem" in worked) return { problem: `${part.file}: ${worked.problem}.` };
    changes.push(worked);
  }
  return { changes };
}

/** What went wrong, in words; what was written before that is taken back. */
export async function applyInstall(asked: InstallScope, changes: readonly Change[]): Promise<string | null> {
  const done: Undoable[] = [];
  try {
    for (const change of changes) {
      const known = recordOf(asked.home, { agent: asked.agent, file: change.part.file });
      if (isChanging(change)) done.push({ change, known });
      await keepInsertions(asked, change);
      if (!isChanging(change)) continue;
      const made = await writeClientFile(change.found, change.after!);
      await keepInsertions(asked, change, made);
    }
    return null;
  } catch (error) {
    for (const one of done.toReversed()) await takeBack(asked, one);
    return errorText(error);
  }
}

interface Undoable {
  readonly change: Change;
  /** The record from before. */
  readonly known: InstallRecord | null;
}

/** Before the file is written, so that a crash between leaves no entry that nobody knows of. */
async function keepInsertions(asked: InstallScope, change: Change, made: readonly string[] = []): Promise<void> {
  const { agent, scope, home } = asked;
  const { part, put, before } = change;
  const base = { agent, scope, file: part.file, isMain: part.file === fileOf(asked) };
  const known = recordOf(home, base);
  if (!isChanging(change)) {
    if (known !== null || (before ?? "") === "") return;
    const again = insertedAgain(change);
    if (again !== null) await keepRecord(home, { ...base, put: again, isOurs: false, made: [] });
    return;
  }
  const isOurs = before === null || (known?.isOurs ?? false);
  const folders = [...new Set([...(known?.made ?? []), ...made])];
  await keepRecord(home, { ...base, put: [...put], isOurs, made: folders });
}

/** The insertions that would have made this text, where the record of them is lost. */
function insertedAgain({ part, before }: Change): string[] | null {
  const bare = part.take(before ?? "", []);
  const again = bare.kind === "text" ? part.put(bare.text, []) : bare;
  const isOurs = again.kind === "text" && again.text === before && (again.put.length > 0 || part.isAllOurs === true);
  return isOurs ? [...again.put] : null;
}

/** Where it is as we wrote it; what somebody else wrote since stays. */
async function takeBack({ agent, home }: InstallScope, { change, known }: Undoable): Promise<void> {
  const { part, found, before, after } = change;
  const written = { ...found, text: after };
  const record = recordOf(home, { agent, file: part.file });
  await (before === null ? removeClientFile(written) : writeClientFile(written, before)).catch(() => undefined);
  await removeEmpty((record?.made ?? []).filter((folder) => known?.made.includes(folder) !== true));
  await (known === null ? dropRecord(home, { agent, file: part.file }) : keepRecord(home, known)).catch(
    () => undefined,
  );
}

export async function applyUninstall(
  { agent, home }: InstallScope,
  changes: readonly Change[],
): Promise<string | null> {
  const made: string[] = [];
  try {
    for (const change of changes) {
      const { part, found, after } = change;
      const record = recordOf(home, { agent, file: part.file });
      if (isChanging(change) && after === null) await removeClientFile(found);
      else if (isChanging(change)) await writeClientFile(found, after!);
      made.push(...(record?.made ?? []));
      await dropRecord(home, { agent, file: part.file });
    }
    await removeEmpty(made);
    return null;
  } catch (error) {
    return errorText(error);
  }
}
