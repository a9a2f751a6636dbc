/** Fresh context: an approved plan is carried out in a session of its own, which knows plan, decisions and files (B3.4, B6.4). */
import type { Effect } from "../../core/effect.ts";
import type { Event, SessionStarted } from "../../core/event.ts";
import { answersIn, type AnsweredQuestion } from "../../core/outcome.ts";
import type { Session } from "../../core/session.ts";
import { freshStart } from "../../prompts/render/opening.ts";
import { hashBytes } from "../host/files/atomic-write.ts";
import type { Host } from "../ports/host.ts";
import type { SeenFile } from "../ports/ports.ts";
import type { SessionReads } from "../store/read-records.ts";

/** What the new session begins with, and what it is told first. */
export interface LinkedSession {
  readonly start: (id: string) => SessionStarted;
  readonly words: string;
}

export interface LinkParts extends Pick<Host, "prompts" | "files" | "clock"> {
  readonly reads: SessionReads;
  readonly decisions: readonly AnsweredQuestion[];
}

type StartLinked = Extract<Effect, { type: "start-linked-session" }>;

export async function linkedSession(parts: LinkParts, session: Session, effect: StartLinked): Promise<LinkedSession> {
  const { planFile: file, plan, notes, comments, mode } = effect;
  const seen = await unchanged(parts);
  const record = session.plans.findLast((one) => one.file === file);
  return {
    start: (id) => ({
      ...startOfChild(session),
      id,
      at: parts.clock.now(),
      actor: { kind: "main" },
      opening: session.opening,
      mode,
      linked: { from: session.id, file, text: plan, seen, ...(record === undefined ? {} : { record }) },
    }),
    words: freshStart(parts.prompts, { file, plan, notes, comments, decisions: parts.decisions }),
  };
}

/** What a session that another one starts has of it. */
export function startOfChild({ roots, reviewable, settings, permissions, auto }: Session) {
  const { bypassAvailable, rules } = permissions;
  const { allow, ask, deny, runners } = rules;
  const { optedIn, gateOpen } = auto;
  const standing = { roots, bypassAvailable, reviewable, rules: { allow, ask, deny }, runners, settings };
  return { type: "session-started", ...standing, auto: { optedIn, gateOpen } } as const;
}

/** The questions that the person answered, from live events and from those of a log. */
export function noteDecisions(event: Event, decisions: AnsweredQuestion[]): void {
  if (event.type === "tool-finished") decisions.push(...answersIn(event.output));
}

/** Files that still are what planning saw: editing them needs no second read. */
async function unchanged({ files, reads }: LinkParts): Promise<readonly SeenFile[]> {
  const recent = [...reads.entries()].slice(-mostFiles);
  const found = await Promise.all(
    recent.map(async ([path, { hash, mtimeMs }]): Promise<SeenFile | null> => {
      const bytes = await files.readBytes(path, { limit: sizeLimit }).catch(() => null);
      return bytes !== null && hashBytes(bytes) === hash ? { path, hash, mtimeMs } : null;
    }),
  );
  return found.filter((one) => one !== null);
}

const mostFiles = 500;
const sizeLimit = 16 * 1024 * 1024;
