/** Notices files that changed since the session saw them, outside of it or by its own commands, the plan among them (B3.5). */
import type { Event } from "../../core/event.ts";
import { parseGlob } from "../../core/decide/glob.ts";
import type { PlanRecord } from "../../core/plan/ledger.ts";
import { hashText } from "../../core/plan/hash.ts";
import { hiddenGlobs } from "../tools/rule-names.ts";
import type { Session } from "../../core/session.ts";
import { differenceOf } from "./difference.ts";
import { hashBytes } from "../host/files/atomic-write.ts";
import { textOf } from "../host/files/utf8.ts";
import type { Host } from "../ports/host.ts";
import type { ReadRecord } from "../ports/ports.ts";
import type { SessionReads } from "../store/read-records.ts";

export interface EditWatchParts extends Pick<Host, "files" | "clock"> {
  readonly reads: SessionReads;
}

type Noticed = Extract<Event, { type: "plan-saved" | "files-edited" }>;

export interface EditWatch {
  /** What to say before the next request; nothing for a file that was only touched. Never throws. */
  notice(session: Session): Promise<readonly Noticed[]>;
  /** Files that are as they were seen when it begins, and others when it ends, are changed by it. */
  around<Result>(command: () => Promise<Result>): Promise<Result>;
}

export function watchEdits({ files, reads, clock }: EditWatchParts): EditWatch {
  const own = new Set<string>();
  const newest = () => [...reads.entries()].slice(-mostFiles);
  /** Of the files seen, those that are as they were seen. */
  const unchanged = async (): Promise<ReadonlySet<string>> => {
    const looking = newest().map(async ([path, { mtimeMs }]) => {
      const stat = await files.stat(path).catch(() => null);
      return (stat?.mtimeMs ?? 0) === mtimeMs ? [path] : [];
    });
    return new Set((await Promise.all(looking)).flat());
  };
  const look = async (path: string, record: ReadRecord, session: Session) => {
    const stat = await files.stat(path).catch(() => null);
    if (stat !== null && (stat.kind !== "file" || stat.size > sizeLimit)) return null;
    const mtimeMs = stat?.mtimeMs ?? 0;
    if (mtimeMs === record.mtimeMs) return null;
    const bytes = stat === null ? new Uint8Array() : await files.readBytes(path, { limit: sizeLimit });
    const hash = hashBytes(bytes);
    const text = textOf(bytes);
    if (hash === record.hash || isKnown(session, path, hash) || record.told === hash) {
      reads.set(path, record.told === hash ? { ...record, mtimeMs } : { ...record, hash, mtimeMs });
      return null;
    }
    const before = record.text ?? knownText(session, record.hash);
    const difference = before === null || text === null ? null : await differenceOf(before, text);
    reads.set(path, difference === null ? { ...record, mtimeMs, told: hash } : { hash, mtimeMs, text: text ?? "" });
    const isOwn = own.has(path) ? ({ own: true } as const) : {};
    return { edit: { path, hash, mtimeMs, difference, ...isOwn }, text };
  };

  const notice: EditWatch["notice"] = async (session) => {
    const hidden = hiddenGlobs(session.permissions.rules, session.roots).map((glob) => parseGlob(glob));
    const seen = newest().filter(([path]) => !hidden.some((glob) => glob.test(path)));
    const found = await Promise.all(seen.map(([path, record]) => look(path, record, session).catch(() => null)));
    own.clear();
    const changed = found.filter((one) => one !== null).slice(0, mostTold);
    if (changed.length === 0) return [];
    const plan = changed.find(({ edit, text }) => edit.path === session.plan.file && text !== null);
    const text = plan?.text ?? null;
    const by = plan?.edit.own === true ? "model" : "person";
    const saved: Noticed[] =
      text === null || text === session.plan.text ? [] : [{ type: "plan-saved", text, by, at: clock.now() }];
    return [...saved, { type: "files-edited", edits: changed.map(({ edit }) => edit) }];
  };
  return {
    notice,
    async around(command) {
      const before = await unchanged();
      const result = await command();
      const after = await unchanged();
      for (const path of before) if (!after.has(path)) own.add(path);
      return result;
    },
  };
}

/** The newest files that were seen; more would cost time before every request. */
const mostFiles = 200;
const mostTold = 10;
const sizeLimit = 1024 * 1024;

/** An approved plan's own text has been told with the approval. */
function isKnown({ plans }: Session, path: string, hash: string): boolean {
  const isApproved = ({ decisions }: PlanRecord) =>
    decisions.some((decision) => decision.kind === "approve" && decision.hash === hash);
  return plans.some((record) => record.file === path && isApproved(record));
}

/** The plan's text, where a resumed session has only the hash of what was seen. */
function knownText({ plan }: Session, hash: string): string | null {
  return [plan.text, plan.seen].find((text) => text !== null && hashText(text) === hash) ?? null;
}
