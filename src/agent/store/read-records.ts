/** What the session has seen of files, and when: the ground for edits, carried by the log through the end of a process. */
import type { Event } from "../../core/event.ts";
import { fields, isObject, number, text } from "../../core/wire/shape.ts";
import type { ReadRecord, ReadRecords, SeenFile } from "../ports/ports.ts";

export interface SessionReads extends ReadRecords {
  /** Path and record of everything that was seen, oldest first. */
  entries(): Iterable<readonly [path: string, record: ReadRecord]>;
  /** Forgets everything: the conversation in which it was seen is not the one that goes on. */
  clear(): void;
  /** The same records, and each one that is set goes to `hear` too. */
  heardBy(hear: (seen: SeenFile) => void): ReadRecords;
}

export function createReadRecords(): SessionReads {
  const records = new Map<string, ReadRecord>();
  let kept = 0;
  const set = (path: string, record: ReadRecord): void => {
    kept -= records.get(path)?.text?.length ?? 0;
    const { text, ...bare } = record;
    const isSmall = text !== undefined && text.length <= textLimit && kept + text.length <= allTextsLimit;
    kept += isSmall ? text.length : 0;
    records.set(path, isSmall ? record : bare);
  };
  const get = (path: string): ReadRecord | undefined => records.get(path);
  return {
    get,
    set,
    entries: () => records.entries(),
    clear: () => {
      records.clear();
      kept = 0;
    },
    heardBy: (hear) => ({
      get,
      set(path, record) {
        set(path, record);
        hear({ path, hash: record.hash, mtimeMs: record.mtimeMs });
      },
    }),
  };
}

/** Notes what an event of a log says was seen. */
export function noteReads(event: Event, reads: ReadRecords): void {
  for (const { path, hash, mtimeMs } of seenIn(event)) reads.set(path, { hash, mtimeMs });
  if (event.type === "files-edited") for (const edit of event.edits) noteEdit(edit, reads);
}

/** A difference that was told counts as seen; of a file without one only the change is known. */
function noteEdit({ path, hash, mtimeMs, difference }: Edit, reads: ReadRecords): void {
  const record = reads.get(path);
  reads.set(path, difference === null && record !== undefined ? { ...record, mtimeMs, told: hash } : { hash, mtimeMs });
}

type Edit = Extract<Event, { type: "files-edited" }>["edits"][number];

/** What a tool's output or the session that this one is linked to says that the session has seen. */
function seenIn(event: Event): readonly SeenFile[] {
  if (event.type === "session-started") return event.linked?.seen ?? [];
  if (event.type !== "tool-finished") return [];
  const seen = isObject(event.output) ? event.output["seen"] : [];
  return Array.isArray(seen) ? seen.filter(isSeenFile) : [];
}

const isSeenFile = fields({ path: text, hash: text, mtimeMs: number }) as (value: unknown) => value is SeenFile;

/** Texts are kept for telling what changed; beyond these sizes only that it changed is told. */
const textLimit = 256 * 1024;
const allTextsLimit = 8 * 1024 * 1024;
