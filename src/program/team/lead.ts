/** A lead: plans of teammates come to the same review as the lead's own, and the verdict goes back (R12.2, B2.6). */
import { errorText } from "../../core/error-text.ts";
import { pause } from "../../mail/pause.ts";
import { showPlans, type LeadOptions } from "./lead-review.ts";
import { closedWhy, lookAtInbox, tidyInbox, type Inbox } from "./requests.ts";

export interface Lead {
  /** Stops looking; an answer under way is still sent, what was not answered stays in the inbox. */
  close(): Promise<void>;
}

export function attachLead(options: LeadOptions): Lead {
  const { mailbox, team, now, tell, session, everyMs = 300 } = options;
  const gone = new AbortController();
  const showing = showPlans(options, gone.signal);
  const tellInbox = tellOnce(tell);
  /** Raised when there is reason to look at once. */
  let nudge = new AbortController();
  let trouble = "";

  const look = async (): Promise<void> => {
    const inbox = await lookAtInbox(mailbox, team, now());
    tellInbox(inbox);
    const open = showing.shown();
    if (open !== null && inbox.pending.every(({ id }) => id !== open.id))
      showing.close(open, inbox.dead.get(open.id) ?? (await closedWhy(mailbox, open)) ?? "withdrawn");
    void showing.show(inbox.pending).then((isLeft) => isLeft && nudge.abort());
    await tidyInbox(mailbox, team, inbox);
  };

  const stop = session?.subscribe((happening) => {
    if (happening.kind !== "event") return;
    const { before, session: after } = happening;
    if (before.permissions.revision !== after.permissions.revision) showing.showAgain();
  });

  const looking = (async () => {
    while (!gone.signal.aborted) {
      nudge = new AbortController();
      try {
        await look();
        trouble = "";
      } catch (error) {
        const detail = errorText(error);
        if (detail !== trouble) tell({ type: "team.connection", state: "refused", detail });
        trouble = detail;
      }
      await pause(everyMs, AbortSignal.any([gone.signal, nudge.signal]));
    }
  })();

  return {
    async close() {
      gone.abort();
      stop?.();
      await looking;
      await showing.settled();
    },
  };
}

/** Each request, and each letter that does not count, is told when it is first seen. */
function tellOnce(tell: LeadOptions["tell"]): (inbox: Inbox) => void {
  const told = new Set<string>();
  return ({ dead, pending }) => {
    for (const [id, why] of dead) {
      if (why.startsWith("A message") && !told.has(id)) tell({ type: "team.ignored", from: "", reason: why });
      told.add(id);
    }
    for (const { id, agent, title, path, hash, plan, deadline } of pending) {
      if (!told.has(id)) tell({ type: "team.request", id, from: agent, title, path, hash, text: plan, deadline });
      told.add(id);
    }
  };
}
