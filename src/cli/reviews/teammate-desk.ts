/** A teammate's plan on a page of its own: it is the lead's to answer, and the answer goes the way of `groundplan team approve`. */
import { userInfo } from "node:os";
import type { PlanEntry } from "../../agent/library/entry.ts";
import { workingModes, type WorkingMode } from "../../core/mode.ts";
import type { Session } from "../../core/session.ts";
import { verdictOf, type Choice } from "../../core/verdict.ts";
import { objectionTo } from "../../faces/browser/desks/answer-check.ts";
import { answeredFor, type AnsweredFrom, type ReviewDesk, type Taken } from "../../faces/browser/desks/desk.ts";
import { offeredDesk } from "../../faces/browser/desks/offered.ts";
import type { OpenRequest, VerdictBody } from "../../faces/browser/desks/wire.ts";
import type { Mailbox } from "../../mail/mailbox.ts";
import { resolveSettings } from "../../program/settings/resolve.ts";
import { openTeamMailbox } from "../../program/team/place.ts";
import { answerPlan, lookAtInbox, type LeadDecision, type PendingPlan } from "../../program/team/requests.ts";
import { isUsageError } from "../../program/usage-error.ts";
import { plainWish } from "../../program/wish.ts";

export interface TeamPlace {
  /** The config home. */
  readonly home: string;
  /** One line for the person. */
  readonly tell: (line: string) => void;
}

type Teammate = Extract<Session["actor"], { readonly kind: "teammate" }>;

/** What waits for the lead, by the team's mailbox, while `use` runs; null where it needs no answer any more, or cannot be seen. */
export async function withTeammatePlan<Value>(
  { file, project }: Pick<PlanEntry, "file" | "project">,
  { place, actor }: { readonly place: TeamPlace; readonly actor: Teammate },
  use: (pending: PendingPlan, mailbox: Mailbox) => Promise<Value>,
): Promise<Value | null> {
  if (project === null) return null;
  const { home, tell } = place;
  const where = { environment: process.env, directory: project, root: project, home, tell };
  const resolved = await resolveSettings({ wish: plainWish, ...where });
  if (isUsageError(resolved)) return null;
  const { settings } = resolved;
  const mailbox = await openTeamMailbox({ settings, home, environment: process.env, tell, reachMs });
  if (isUsageError(mailbox)) return null;
  try {
    const { pending } = await lookAtInbox(mailbox, actor.team, Date.now());
    const own = pending.find(({ path, from }) => path === file && from === actor.name);
    return own === undefined ? null : await use(own, mailbox);
  } catch {
    return null;
  } finally {
    await mailbox.close();
  }
}

const reachMs = 2_000;

export interface TeammateDeskOptions {
  readonly entry: PlanEntry;
  readonly actor: Teammate;
  readonly place: TeamPlace;
  /** Shows the session's plan, and can decide nothing on it. */
  readonly desk: ReviewDesk;
}

/** Granted is what the teammate's request names; whether the lead's own session could do as much is not asked, as in `team approve`. */
export function teammateDesk({ entry, actor, place, desk }: TeammateDeskOptions): ReviewDesk {
  let answered: AnsweredFrom | null = null;
  let modes: readonly WorkingMode[] = ["default"];
  const look = <Value>(use: (pending: PendingPlan, mailbox: Mailbox) => Promise<Value>): Promise<Value | null> =>
    withTeammatePlan(entry, { place, actor }, use);

  const decide = async (body: VerdictBody, tab: string | null): Promise<Taken> => {
    const taken = await look(async (pending, mailbox): Promise<Taken | "counts"> => {
      const objection = objectionTo(requestFor(pending), body);
      if (objection !== null) return objection;
      const by = { user: userInfo().username, surface: "browser" };
      const now = Date.now();
      const answering = await answerPlan(mailbox, pending, { decision: decisionOf(body), by, now });
      if (answering.kind !== "answered") return answering.kind === "closed" ? "answered" : "write-failed";
      answered = { requestId: pending.id, by, kind: body.kind, mode: body.mode ?? null, at: now, tab };
      return "counts";
    });
    if (taken === "counts") return null;
    return taken ?? (answered === null ? "stale" : "answered");
  };

  const own: ReviewDesk = {
    ...desk,
    async state(tab) {
      const state = await desk.state(tab);
      const pending = await look((found) => Promise.resolve(found));
      if (pending === null) return { ...state, request: null, answered: answeredFor(answered, tab) ?? state.answered };
      modes = modesOf(pending);
      const { plan: text, hash, previous } = pending;
      return { ...state, text, hash, previous, request: requestFor(pending), answered: null };
    },
    decide,
  };
  return offeredDesk(own, () => ({ title: actor.name, modes, setsMode: true, edit: true, notes: true }));
}

function requestFor(pending: PendingPlan): OpenRequest {
  const { id, hash, revision, agent } = pending;
  const approve = modesOf(pending).map((mode): Choice => ({ kind: "approve", mode, label: labels[mode] ?? "earlier" }));
  return { id, hash, revision, agent, again: null, choices: [...approve, { kind: "revise" }] };
}

/** Those that a page has words for, the least first. */
function modesOf({ message }: PendingPlan): readonly WorkingMode[] {
  const granted: readonly WorkingMode[] = message.modes ?? workingModes;
  const usual = (["default", "acceptEdits"] as const).filter((mode) => granted.includes(mode));
  return usual.length > 0 ? usual : granted.slice(0, 1);
}

const labels: Partial<Record<WorkingMode, "each-edit" | "accept-edits">> = {
  default: "each-edit",
  acceptEdits: "accept-edits",
};

function decisionOf(body: VerdictBody): LeadDecision {
  const verdict = verdictOf(body);
  if (verdict.kind === "approve") {
    const { kind: _, fresh: __, ...words } = verdict;
    return { approve: true, ...words };
  }
  if (verdict.kind !== "revise") return { approve: false, feedback: "" };
  const { kind: _, ...words } = verdict;
  return { approve: false, ...words };
}
