/** Plan snapshots on disk: a file for each revision, and only one writer can make the next one. */
import { createHash, randomBytes } from "node:crypto";
import { readdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errnoOf } from "../../agent/host/files/file-error.ts";
import { keptRevisions, MailboxError, planProblem } from "../mailbox.ts";
import type { Keeping, PlanKey, PlanSnapshot, PlanSnapshots } from "../mailbox.ts";
import { giveName, preparePrivate, readPrivate, removeAbandoned, syncFolder, writeNew } from "../files/inbox.ts";
import { sweepOldPlans } from "./sweep.ts";

/** `<home>/teams/<team>/plans/<plan>/<revision>.json` */
export function createFileSnapshots(home: string): PlanSnapshots {
  return {
    async put(key, text, { expected }) {
      const problem = planProblem(key, text);
      if (problem !== null) return refused(problem);
      try {
        return await put(home, key, { text, expected });
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

interface Putting {
  readonly text: string;
  readonly expected: number;
}

/** The name of a revision is given once, by the system itself: of two writers one is late. */
async function put(home: string, key: PlanKey, { text, expected }: Putting): Promise<Keeping> {
  const folder = planFolder(home, key);
  await preparePrivate(home, folder);
  const revisions = await listRevisions(folder);
  if ((revisions.at(-1) ?? 0) !== expected) return { kind: "changed", present: await newest(folder) };
  const revision = expected + 1;
  const draft = join(folder, `.${randomBytes(8).toString("hex")}.tmp`);
  try {
    await writeNew(draft, JSON.stringify({ revision, text }), { sync: true });
    await giveName(draft, revisionPath(folder, revision));
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return { kind: "changed", present: await newest(folder) };
    throw error;
  } finally {
    await unlink(draft).catch(() => undefined);
  }
  await syncFolder(folder);
  for (const old of revisions.slice(0, -(keptRevisions - 1))) {
    await unlink(revisionPath(folder, old)).catch(() => undefined);
  }
  const drafts = (await readdir(folder)).filter((name) => name.endsWith(".tmp"));
  for (const name of drafts) await removeAbandoned(join(folder, name));
  if (expected === 0) await sweepOldPlans(dirname(folder));
  return { kind: "kept", revision };
}

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
  const kept = await readPrivate(path);
  if (kept === null) return null;
  try {
    const value: unknown = JSON.parse(kept);
    if (typeof value === "object" && value !== null && "text" in value && typeof value.text === "string") {
      return { revision, text: value.text };
    }
  } catch {
    throw new MailboxError(`${path} is damaged.`);
  }
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
