/** How a session in another process stands: its log, its plan's file, and answers that other pages keep for it. */
import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { PlanDecision } from "../../../core/plan/ledger.ts";
import type { ReviewRequest } from "../../../core/plan/review.ts";
import { hashText } from "../../../core/plan/hash.ts";
import type { Session } from "../../../core/session.ts";
import type { AnswerStore } from "../../../agent/answers/kept-answers.ts";
import { isHeld } from "../../../agent/host/files/lock.ts";
import { replayLog } from "../../../agent/library/replay-log.ts";
import type { Files } from "../../../agent/ports/ports.ts";
import type { AnsweredFrom, Bell } from "./desk.ts";
import { recordOf, requestOf } from "./review-state.ts";

export interface OtherProcessOptions {
  /** Of the session. */
  readonly log: string;
  readonly planId: string;
  readonly planFile: string;
  readonly files: Files;
  readonly store: AnswerStore;
  readonly user: string;
}

export type OtherSession = NonNullable<Awaited<ReturnType<typeof openOther>>>;

/** Null where its log cannot be read. */
export async function openOther(options: OtherProcessOptions, bell: Bell) {
  const { log, planFile, files, store } = options;
  const read = followLog(log);
  const isLive = (): Promise<boolean> => isHeld(lockOf(log));
  const loaded = await read();
  if (loaded === null) return null;
  const earlier = new Set((await store.list()).map(({ name, at }) => `${name} ${at}`));

  const keptElsewhere = async (request: ReviewRequest | null): Promise<AnsweredFrom | null> => {
    if (request === null || request.id === other.answered?.requestId) return null;
    const kept = (await store.list()).find(({ requestId }) => requestId === request.id);
    if (kept === undefined || earlier.has(`${kept.name} ${kept.at}`)) return null;
    const { by, at, verdict } = kept;
    const mode = verdict.kind === "approve" ? (verdict.mode ?? null) : null;
    return { requestId: request.id, by, kind: verdict.kind, mode, at, tab: null };
  };

  const other = {
    session: loaded,
    /** What the plan's file holds. */
    onDisk: await textIn(files, planFile),
    live: await isLive(),
    answered: null as AnsweredFrom | null,
    /** Kept by another page meanwhile. One that lay there before this page was opened may be replaced. */
    elsewhere: null as AnsweredFrom | null,
    refresh: async (): Promise<void> => {
      const [newest, text, held] = await Promise.all([read(), textIn(files, planFile), isLive()]);
      const before = other.openRequest();
      const decisions = decisionsOn(other.session, before);
      const isNew = (newest !== null && newest !== other.session) || text !== other.onDisk || held !== other.live;
      if (newest !== null) other.session = newest;
      other.onDisk = text;
      other.live = held;
      const after = requestOf(other.session);
      if (before !== null && before.id !== after?.id && other.answered?.requestId !== before.id) {
        const since = decisionsOn(other.session, before);
        other.answered = howAnswered(before, since.length > decisions.length ? since.at(-1) : undefined);
      }
      const known = other.elsewhere;
      other.elsewhere = await keptElsewhere(after);
      if (isNew || known?.requestId !== other.elsewhere?.requestId) bell.ring();
    },
    /** Null where nothing can be decided: none waits, it was answered here, or the file is no longer what was submitted. */
    openRequest(): ReviewRequest | null {
      const request = requestOf(other.session);
      if (request === null || request.planFile !== planFile || other.endOf(request.id) !== null) return null;
      return other.onDisk !== null && hashText(other.onDisk) === request.hash ? request : null;
    },
    endOf(requestId: string): AnsweredFrom | null {
      return [other.answered, other.elsewhere].find((one) => one?.requestId === requestId) ?? null;
    },
    /** Drops answers that may be replaced. */
    async makeRoom({ id }: ReviewRequest): Promise<void> {
      for (const { name, at, requestId } of await store.list())
        if (requestId === id && earlier.has(`${name} ${at}`)) await store.drop(name);
    },
    /** The running session takes it within moments; where it does not, it stays kept. */
    async delivered(request: ReviewRequest, given: Pick<AnsweredFrom, "kind" | "at">) {
      for (let waited = 0; waited < patienceMs; waited += stepMs) {
        await new Promise((resolve) => setTimeout(resolve, stepMs));
        other.session = (await read()) ?? other.session;
        const { open } = other.session.turn;
        if (open.some(({ state }) => "request" in state && state.request.id === request.id)) continue;
        const last = recordOf(other.session, request)?.decisions.at(-1);
        if (last === undefined || last.at < given.at) return "stale";
        return last.by.surface === "browser" && last.kind === given.kind ? "delivered" : "answered";
      }
      return "kept";
    },
  };
  return other;
}

const stepMs = 50;
const patienceMs = 15_000;

function decisionsOn(session: Session, request: ReviewRequest | null): readonly PlanDecision[] {
  return request === null ? [] : (recordOf(session, request)?.decisions ?? []);
}

/** Without a decision it was withdrawn. */
function howAnswered({ id }: ReviewRequest, decision: PlanDecision | undefined): AnsweredFrom {
  if (decision === undefined)
    return { requestId: id, by: null, kind: "withdrawn", mode: null, at: Date.now(), tab: null };
  const { by, kind, mode, at } = decision;
  return { requestId: id, by, kind, mode: mode === "plan" ? null : mode, at, tab: null };
}

/** Reads the log again only when it grew; null while it cannot be read. */
function followLog(path: string): () => Promise<Session | null> {
  let size = -1;
  let session: Session | null = null;
  return async () => {
    const found = await stat(path).catch(() => null);
    if (found === null) return null;
    if (found.size === size) return session;
    const replayed = await replayLog(path);
    if (replayed === null || replayed.session.id === "") return null;
    size = found.size;
    session = replayed.session;
    return session;
  };
}

/** An agent's log lies in a folder of its parent's, whose lock counts. */
function lockOf(log: string): string {
  const folder = dirname(log);
  if (!folder.endsWith(".agents")) return `${log}.lock`;
  return join(dirname(folder), `${basename(folder, ".agents")}.jsonl.lock`);
}

/** Null for what is not a whole text file. */
async function textIn(files: Files, file: string): Promise<string | null> {
  try {
    if ((await files.stat(file))?.kind !== "file") return null;
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await files.readBytes(file));
  } catch {
    return null;
  }
}
