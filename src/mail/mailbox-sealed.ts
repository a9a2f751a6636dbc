/** A mailbox whose letters and plans carry the team's seal: what comes without it, or too late, is not handed over. */
import { makeVisible } from "../core/wire/visible.ts";
import { MailboxError, type Address, type Letter, type Mailbox, type PlanKey, type PlanSnapshot } from "./mailbox.ts";
import { sealOf, sealProblem, sealText, unsealText } from "./seal.ts";

export interface SealOptions {
  /** Rejects with MailboxError. */
  readonly secret: (team: string) => Promise<string>;
  /** Where it lies, for people. */
  readonly secretFile: (team: string) => string;
  readonly report: (problem: string) => void;
  readonly now?: () => number;
  /** Ids that were taken from an inbox, where the mailbox itself forgets them sooner than a letter grows too old. */
  readonly taken?: (inbox: Address) => Promise<TakenMemory>;
}

export interface TakenMemory {
  has(id: string): boolean;
  add(id: string): Promise<void>;
  close(): Promise<void>;
}

export function sealMailbox(mailbox: Mailbox, options: SealOptions): Mailbox {
  const { secretFile, report, now = Date.now } = options;
  const secrets = new Map<string, Promise<string>>();
  const told = new Set<string>();
  const secretOf = (team: string): Promise<string> => {
    const known = secrets.get(team) ?? options.secret(team);
    secrets.set(team, known);
    known.catch(() => secrets.delete(team));
    return known;
  };
  /** Says once why a letter does not count. */
  const isSealed = (secret: string, inbox: Address, letter: Letter): boolean => {
    const problem = sealProblem(secret, inbox, letter, now());
    const key = `${inbox.team}/${inbox.agent} ${letter.id}`;
    if (problem !== null && !told.has(key)) report(wordsFor(problem, letter, secretFile(inbox.team)));
    if (problem !== null) told.add(key);
    return problem === null;
  };
  return {
    ...mailbox,
    async send(to, { from, text, timestamp }, sending) {
      const secret = await secretOf(to.team).catch(reasonOf);
      if (typeof secret !== "string") return { kind: "refused", reason: secret.message, mayArrive: false };
      const mac = sealOf(secret, to, { from, text, timestamp, id: sending.id });
      return mailbox.send(to, { from, text, timestamp, mac }, sending);
    },
    async receive(inbox, take, receiving) {
      const secret = await secretOf(inbox.team).catch(reasonOf);
      if (typeof secret !== "string") return { kind: "refused", reason: secret.message };
      const taken = await options.taken?.(inbox);
      try {
        return await mailbox.receive(
          inbox,
          async (letter) => {
            if (!isSealed(secret, inbox, letter) || taken?.has(letter.id) === true) return;
            await take(bare(letter));
            await taken?.add(letter.id);
          },
          receiving,
        );
      } finally {
        await taken?.close();
      }
    },
    async peek(inbox, limit) {
      const secret = await secretOf(inbox.team);
      return (await mailbox.peek(inbox, limit)).filter((letter) => isSealed(secret, inbox, letter)).map(bare);
    },
    snapshots: {
      async put(key, text, { expected }) {
        const secret = await secretOf(key.team).catch(reasonOf);
        if (typeof secret !== "string") return { kind: "refused", reason: secret.message, mayArrive: false };
        const sealed = sealText(secret, key, { revision: expected + 1, text });
        const kept = await mailbox.snapshots.put(key, sealed, { expected });
        if (kept.kind !== "changed" || kept.present === null) return kept;
        const present = opened(secret, key, kept.present);
        if (present !== null) return { kind: "changed", present };
        return { kind: "refused", reason: foreignPlan(key, secretFile(key.team)), mayArrive: false };
      },
      async get(key, revision) {
        const secret = await secretOf(key.team);
        const found = await mailbox.snapshots.get(key, revision);
        const plan = found === null ? null : opened(secret, key, found);
        if (found !== null && plan === null) throw new MailboxError(foreignPlan(key, secretFile(key.team)));
        return plan;
      },
    },
  };
}

/** As it was before it was sealed. */
function bare({ from, text, timestamp, id }: Letter): Letter {
  return { from, text, timestamp, id };
}

function opened(secret: string, key: PlanKey, found: PlanSnapshot): PlanSnapshot | null {
  const text = unsealText(secret, key, found);
  return text === null ? null : { revision: found.revision, text };
}

function reasonOf(error: unknown): MailboxError {
  return error instanceof MailboxError ? error : new MailboxError(String(error));
}

function wordsFor(problem: string, { id, from, timestamp }: Letter, file: string): string {
  const which = `The message ${makeVisible(id)} from ${makeVisible(from)} is left out:`;
  const same = `the members of a team share one secret (${file}); copy it to the other machine, readable for its owner alone, and send the message again.`;
  if (problem === "unsealed") {
    return `${which} it carries no seal of the team. An older Groundplan or another program wrote it: update there, and send it again. On several machines ${same}`;
  }
  if (problem === "foreign")
    return `${which} its seal is not this team's, or it was changed on the way. If a teammate sent it: ${same}`;
  const when = `it is of ${makeVisible(timestamp)}`;
  if (problem === "ahead")
    return `${which} ${when}, which is yet to come here. Set the clocks of both machines, and send it again.`;
  return `${which} ${when}, too long ago. If it still counts, send it again.`;
}

function foreignPlan({ team, plan }: PlanKey, file: string): string {
  return `What is kept as ${makeVisible(plan)} of team ${team} does not carry the seal of the team's secret (${file}): an older Groundplan, a member with another secret or somebody else wrote it. Give all members the same secret; under another --team name everything begins anew.`;
}
