/** What a teammate has worked out so far, kept beside the plans, so that its plan can go on elsewhere when it is gone (R14.4). */
import * as z from "zod";
import type { SessionHandle } from "../../agent/ports/handle.ts";
import type { Session } from "../../core/session.ts";
import type { PlanRecord } from "../../core/plan/ledger.ts";
import { isBlank } from "../../core/plan/hash.ts";
import { isPlanRecord } from "../../core/wire/event-shape.ts";
import type { Mailbox, PlanSnapshot } from "../../mail/mailbox.ts";
import { parseJson } from "../../core/wire/shape.ts";
import { commentShape } from "../../core/wire/verdict-shape.ts";
import { replace } from "./roster.ts";

const work = z.object({
  session: z.string(),
  task: z.string(),
  text: z.string(),
  record: z.custom<PlanRecord>(isPlanRecord),
  comments: z.array(commentShape),
  /** What the lead said last, while its wish is not met yet. */
  feedback: z.string(),
  /** Nothing further comes from this session. */
  isLast: z.boolean(),
});

export type Work = Readonly<z.infer<typeof work>>;

/** Keeps it where it can be taken up; never in the way of the work. */
export function createWorkKeeper({ mailbox, task, ...at }: TeammateName & { mailbox: Mailbox; task: string }) {
  let session: SessionHandle | null = null;
  let under: Promise<unknown> = Promise.resolve();
  let kept: Session | null = null;

  const keep = (isLast: boolean): Promise<unknown> =>
    (under = under.then(async () => {
      const state = session?.state ?? null;
      const work = state === null ? null : workOf(state, task);
      if (work === null || (!isLast && kept !== null && isSame(kept, state!))) return;
      kept = state;
      await replace(mailbox, workKey(at), () => JSON.stringify({ ...work, isLast }));
    }));

  return {
    /** Keeps what is there, and each change from now on until the signal. */
    follow(handle: SessionHandle, signal: AbortSignal): void {
      session = handle;
      void keep(false);
      const stop = handle.subscribe((happening) => {
        if (happening.kind === "event" && !isSame(happening.before, happening.session)) void keep(false);
      });
      signal.addEventListener("abort", stop, { once: true });
    },
    /** Keeps it once more, as the last of this session. */
    handOver: () => keep(true),
    settled: () => under,
  };
}

/** Null while there is no plan. */
function workOf({ id, plan, plans }: Session, task: string): Work | null {
  const file = plan.file ?? plan.approved?.file;
  const record = plans.findLast((one) => one.file === file);
  const text = plan.text ?? plan.approved?.text ?? record?.revisions.at(-1)?.text ?? "";
  if (record === undefined || isBlank(text)) return null;
  const { comments, rejected } = plan;
  const kept = { ...record, revisions: newestOf(record.revisions) };
  return { session: id, task, text, record: kept, comments, feedback: rejected?.feedback ?? "", isLast: false } as Work;
}

function isSame(one: Session, other: Session): boolean {
  const { text, comments, rejected } = one.plan;
  const { plan } = other;
  return text === plan.text && comments === plan.comments && rejected === plan.rejected && one.plans === other.plans;
}

/** Rejects with MailboxError. */
export async function readWork(mailbox: Mailbox, at: TeammateName): Promise<Work | null> {
  const parsed = work.safeParse(parseJson((await mailbox.snapshots.get(workKey(at)))?.text ?? ""));
  return parsed.success ? parsed.data : null;
}

export interface TeammateName {
  readonly team: string;
  readonly name: string;
}

const claim = z.object({
  /** The local session that goes on with the plan. */
  into: z.string(),
  by: z.string(),
  host: z.string(),
  pid: z.number(),
  at: z.number(),
  /** That session is there. */
  isDone: z.boolean(),
});

/** Who took the plan of a session, or is about to. */
export type TakeClaim = Readonly<z.infer<typeof claim>>;

export interface KeptClaim {
  readonly claim: TakeClaim;
  readonly revision: number;
}

/** Rejects with MailboxError. */
export async function readClaim(mailbox: Mailbox, team: string, session: string): Promise<KeptClaim | null> {
  return claimIn(await mailbox.snapshots.get({ team, plan: `take:${session}` }));
}

/** One of several that want it at once gets it; the others are told who. */
export async function putClaim(
  mailbox: Mailbox,
  { team, session, expected }: { readonly team: string; readonly session: string; readonly expected: number },
  wanted: TakeClaim,
): Promise<{ readonly kept: number } | { readonly other: TakeClaim } | { readonly problem: string }> {
  const key = { team, plan: `take:${session}` };
  const kept = await mailbox.snapshots.put(key, JSON.stringify(wanted), { expected });
  if (kept.kind === "kept") return { kept: kept.revision };
  if (kept.kind === "refused") return { problem: kept.reason };
  const other = claimIn(kept.present);
  return other === null ? { problem: "what is kept of it cannot be read" } : { other: other.claim };
}

function claimIn(found: PlanSnapshot | null): KeptClaim | null {
  const parsed = claim.safeParse(parseJson(found?.text ?? ""));
  return found !== null && parsed.success ? { claim: parsed.data, revision: found.revision } : null;
}

function workKey({ team, name }: TeammateName) {
  return { team, plan: `work:${name}` };
}

/** The newest ones that fit; the last one always does. */
function newestOf(revisions: PlanRecord["revisions"]): PlanRecord["revisions"] {
  let left = mostCharacters;
  const first = revisions.findLastIndex(({ text }) => (left -= text.length) < 0);
  const newest = revisions.slice(Math.min(first + 1, Math.max(0, revisions.length - 1)));
  return newest.map(({ hash, text, at, by }, index) => ({ number: index + 1, hash, text, at, by }));
}

const mostCharacters = 2_000_000;
