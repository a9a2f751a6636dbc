/** A teammate's plan before the lead's person, one at a time, and what becomes of the verdict. */
import { askSurface } from "../../agent/answers/ask-surface.ts";
import type { SendRefused, SessionHandle, TeamNews } from "../../agent/ports/handle.ts";
import type { Person, ReviewAnswer, Send } from "../../agent/ports/ports.ts";
import { isPlanning, narrower, workingModeOf, workingModes, type WorkingMode } from "../../core/mode.ts";
import { choicesFor, type ReviewRequest } from "../../core/plan/review.ts";
import type { Answerer, Choice, Verdict } from "../../core/verdict.ts";
import type { Mailbox } from "../../mail/mailbox.ts";
import { underWay, within } from "../../mail/pause.ts";
import { answerPlan, type LeadDecision, type PendingPlan } from "./requests.ts";

export interface LeadOptions {
  readonly mailbox: Mailbox;
  readonly team: string;
  readonly person: Person;
  /** The lead's own session: nothing is granted that it has not itself. */
  readonly session?: Pick<SessionHandle, "state" | "subscribe">;
  /** Teammates that run inside of the lead's session, by name: under its plan gate (B1.7). */
  readonly isInside?: (name: string) => boolean;
  readonly now: () => number;
  readonly tell: (news: TeamNews) => void;
  /** How often the inbox is looked at. */
  readonly everyMs?: number;
}

export interface Showing {
  shown(): PendingPlan | null;
  /** The first that the person has not left; resolves to whether it was answered or left, and the next may come. */
  show(pending: readonly PendingPlan[]): Promise<boolean>;
  /** Nobody needs to answer it any more. */
  close(plan: PendingPlan, why: string): void;
  /** What may be granted is another now: the plan is taken away, and comes back with other choices. */
  showAgain(): void;
  /** Resolves when no answer is on its way, or after a while. */
  settled(): Promise<unknown>;
}

export function showPlans(options: LeadOptions, gone: AbortSignal): Showing {
  const { mailbox, now, tell, person } = options;
  /** Shown here, and left unanswered by the person: not shown again by this surface. */
  const left = new Set<string>();
  const answers = underWay();
  let shown: { readonly plan: PendingPlan; readonly review: AbortController } | null = null;

  const showAgain = (): void => {
    shown?.review.abort();
    shown = null;
  };

  const ask = async (plan: PendingPlan): Promise<void> => {
    const review = new AbortController();
    const own = { plan, review };
    shown = own;
    const signal = AbortSignal.any([review.signal, gone]);
    const leave = (): void => {
      left.add(plan.id);
      if (shown === own) shown = null;
    };
    const send: Send<ReviewAnswer> = async ({ verdict, by }) => {
      if (signal.aborted) return { reason: "unknown-request" };
      leave();
      review.abort();
      const decision = decisionOf(verdict, plan, ceilingFor(plan, options));
      if (decision !== null) return answers.track(give(plan, decision, by));
      tell({ type: "team.left", id: plan.id, from: plan.agent });
      return { reason: "nothing-to-do" };
    };
    const request = reviewOf(plan, ceilingFor(plan, options));
    try {
      if (await askSurface((given) => person.review(request, signal, given), { send, signal })) return;
    } catch (error) {
      tell({ type: "team.closed", id: plan.id, why: `it could not be shown: ${String(error)}` });
    }
    leave();
    tell({ type: "team.left", id: plan.id, from: plan.agent });
  };

  const give = async (plan: PendingPlan, decision: LeadDecision, by: Answerer): Promise<SendRefused | null> => {
    const answering = await answerPlan(mailbox, plan, { decision, by, now: now(), signal: gone });
    switch (answering.kind) {
      case "answered":
        tell(answeredNews(plan, decision));
        return null;
      case "closed":
        tell({ type: "team.closed", id: plan.id, why: answering.why });
        return { reason: "already-answered" };
      case "failed":
        tell({ type: "team.closed", id: plan.id, why: `not answered: ${answering.reason}` });
        left.delete(plan.id);
        return { reason: "stale-request" };
    }
  };

  return {
    shown: () => shown?.plan ?? null,
    async show(pending) {
      const next = pending.find(({ id }) => !left.has(id));
      if (shown !== null || next === undefined) return false;
      await ask(next);
      return left.has(next.id);
    },
    close(plan, why) {
      if (shown?.plan !== plan) return;
      tell({ type: "team.closed", id: plan.id, why });
      showAgain();
    },
    showAgain,
    settled: () => within(answers.settled(), longestGoodbye),
  };
}

function answeredNews({ id, agent: from, title, message }: PendingPlan, decision: LeadDecision): TeamNews {
  const mode = decision.approve ? (decision.mode ?? message.returnTo ?? null) : null;
  return { type: "team.answered", id, from, title, approved: decision.approve, mode };
}

/** Milliseconds for an answer that is on its way when the lead goes. */
const longestGoodbye = 5_000;

/** What the lead may grant: its own mode at most, and while it plans itself nothing that changes files unasked. */
function ceilingFor(plan: PendingPlan, { session, isInside }: LeadOptions): WorkingMode | "nothing" | null {
  if (session === undefined) return null;
  const { permissions } = session.state;
  if (!isPlanning(permissions)) return workingModeOf(permissions);
  return isInside?.(plan.from) === true ? "nothing" : "default";
}

function reviewOf(plan: PendingPlan, ceiling: WorkingMode | "nothing" | null): ReviewRequest {
  const { id, path, plan: text, hash, revision, previous, agent, deadline, message } = plan;
  return {
    id,
    callId: id,
    planFile: path,
    plan: text,
    hash,
    modeRevision: 0,
    revision,
    previous,
    comments: [],
    choices: choicesOf(plan, ceiling),
    again: message.again ?? null,
    stale: [],
    changed: message.changed ?? [],
    agent,
    ...(deadline === null ? {} : { deadline }),
  };
}

/** A lead says yes, with a mode, or no, with feedback; saving and giving up are the teammate's own. */
function choicesOf({ message }: PendingPlan, ceiling: WorkingMode | "nothing" | null): readonly Choice[] {
  const { modes = workingModes, returnTo = "default" } = message;
  const bypassAvailable = modes.includes("bypassPermissions");
  const most = ceiling === "nothing" ? null : ceiling;
  const autoAvailable = modes.includes("auto");
  return choicesFor({ returnTo, bypassAvailable, autoAvailable, ceiling: most }).filter(
    (choice) => choice.kind === "revise" || (choice.kind === "approve" && ceiling !== "nothing"),
  );
}

/** Null where the verdict is no answer to a teammate. */
function decisionOf(verdict: Verdict, plan: PendingPlan, ceiling: WorkingMode | "nothing" | null): LeadDecision | null {
  if (verdict.kind === "revise") {
    const { kind: _, ...said } = verdict;
    return { approve: false, ...said };
  }
  if (verdict.kind !== "approve" || ceiling === "nothing") return null;
  const { kind: _, fresh: __, ...said } = verdict;
  const wanted = verdict.mode ?? plan.message.returnTo ?? "default";
  const mode = ceiling === null ? verdict.mode : narrower(wanted, ceiling);
  return { approve: true, ...said, ...(mode === undefined ? {} : { mode }) };
}
