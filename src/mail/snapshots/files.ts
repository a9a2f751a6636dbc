/** Plan snapshots on disk: a file for each revision, and only one writer can make the next one. */
import { createHash } from "node:crypto";
import { lstat, readdir, rm, unlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errnoOf } from "../../agent/host/files/file-error.ts";
import { syncFolder } from "../../agent/host/files/replace-file.ts";
import { isObject, parseJson } from "../../core/wire/shape.ts";
import { keptPlansMs, keptRevisions, MailboxError, planProblem } from "../mailbox.ts";
import type { Keeping, PlanKey, PlanSnapshot, PlanSnapshots } from "../mailbox.ts";
import { preparePrivate, readPrivate, sweepDrafts, writeNew } from "../files/inbox.ts";

/** `<home>/teams/<team>/plans/<plan>/<revision>.json` */
export function createFileSnapshots(home: string): PlanSnapshots {
  return {
    async put(key, text, { expected }) {
      const problem = planProblem(key, text);
      if (problem !== null) return refused(problem);
      try {
        return await put(home, key, { revision: expected + 1, text });
      } catch (error) {
        return refused(reasonOf(error));
      }
    },
    async get(key, revision) {
      const problem = planProblem(key);
      if (problem !== null) throw new MailboxError(problem);
      const folder = planFolder(home, key);
      if (revision !== undefined) return readRevision(folder, revision);
      return newest(folder);
    },
  };
}

/** The name of a revision is given once, by the system itself: of two writers one is late. */
async function put(home: string, key: PlanKey, { revision, text }: PlanSnapshot): Promise<Keeping> {
  const folder = planFolder(home, key);
  await preparePrivate(home, folder);
  const revisions = await listRevisions(folder);
  if ((revisions.at(-1) ?? 0) !== revision - 1) return { kind: "changed", present: await newest(folder) };
  try {
    await writeNew(revisionPath(folder, revision), JSON.stringify({ revision, text }));
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return { kind: "changed", present: await newest(folder) };
    throw error;
  }
  await syncFolder(folder);
  for (const old of revisions.slice(0, -(keptRevisions - 1))) {
    await unlink(revisionPath(folder, old)).catch(() => undefined);
  }
  await sweepDrafts(folder);
  if (revision === 1) await sweepOldPlans(dirname(folder));
  return { kind: "kept", revision };
}

/** Plans that nobody can wait for any more are let go: at most once a day; what cannot be removed is tried again the next day. */
async function sweepOldPlans(plans: string): Promise<void> {
  const marker = join(plans, ".swept");
  if ((await ageOf(marker)) < dayMs) return;
  try {
    await rm(marker, { force: true });
    await writeFile(marker, "", { flag: "wx", mode: 0o600 });
    for (const { name } of (await readdir(plans, { withFileTypes: true })).filter((entry) => entry.isDirectory())) {
      const folder = join(plans, name);
      if ((await ageOf(folder)) > keptPlansMs) await rm(folder, { recursive: true, force: true });
    }
  } catch {
    return;
  }
}

/** Since the last change; without end for what is not there. */
async function ageOf(path: string): Promise<number> {
  const found = await lstat(path).catch(() => null);
  return found === null ? Infinity : Date.now() - found.mtimeMs;
}

const dayMs = 24 * 60 * 60 * 1000;

async function newest(folder: string): Promise<PlanSnapshot | null> {
  const last = (await listRevisions(folder)).at(-1);
  return last === undefined ? null : readRevision(folder, last);
}

/** Oldest first. */
async function listRevisions(folder: string): Promise<readonly number[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errnoOf(error) === "ENOENT") return [];
    throw error;
  });
  return names
    .flatMap((name) => (/^[1-9]\d*\.json$/.test(name) ? [Number.parseInt(name, 10)] : []))
    .toSorted((a, b) => a - b);
}

async function readRevision(folder: string, revision: number): Promise<PlanSnapshot | null> {
  const path = revisionPath(folder, revision);
  const text = await readPrivate(path);
  if (text === null) return null;
  const kept = parseJson(text);
  if (isObject(kept) && typeof kept["text"] === "string") return { revision, text: kept["text"] };
  throw new MailboxError(`${path} is damaged.`);
}

function revisionPath(folder: string, revision: number): string {
  return join(folder, `${revision}.json`);
}

/** An id may hold what a file system does not take or takes for the same; the hash tells them apart. */
function planFolder(home: string, { team, plan }: PlanKey): string {
  const hash = createHash("sha256").update(plan, "utf8").digest("hex").slice(0, 16);
  const readable = plan.replaceAll(/[^A-Za-z0-9_-]+/g, "-").slice(0, 60);
  return join(home, "teams", team, "plans", `${readable}-${hash}`);
}

function refused(reason: string): Keeping {
  return { kind: "refused", reason, mayArrive: false };
}

function reasonOf(error: unknown): string {
  if (error instanceof MailboxError) return error.message;
  const code = errnoOf(error);
  if (code === "ENOSPC" || code === "EDQUOT") return "The disk is full: the plan was not kept.";
  return `The plan could not be kept (${code ?? String(error)}).`;
}
