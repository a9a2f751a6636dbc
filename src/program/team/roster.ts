/** Who is in the team and what they are about: one record a member, kept beside the plans; never in the way of the work. */
import * as z from "zod";
import { parseJson } from "../../core/wire/shape.ts";
import type { Mailbox, PlanKey, PlanSnapshot } from "../../mail/mailbox.ts";

const member = z.object({
  name: z.string(),
  task: z.string(),
  /** `awaiting_approval`: its task waits for the lead (R12.1). */
  status: z.enum(["planning", "working", "awaiting_approval", "done", "failed", "stopped", "taken"]),
  requestId: z.string().nullable(),
  session: z.string(),
  host: z.string(),
  pid: z.number(),
  changedAt: z.number(),
});

export type Member = Readonly<z.infer<typeof member>>;
export type MemberStatus = Member["status"];

/** What cannot be kept is left. */
export async function keepMember(mailbox: Mailbox, team: string, record: Member): Promise<void> {
  const isKept = await replace(mailbox, { team, plan: `member:${record.name}` }, () => JSON.stringify(record));
  if (!isKept) return;
  await replace(mailbox, { team, plan: "roster" }, (before) => {
    const names = namesIn(before);
    return names.includes(record.name) ? null : JSON.stringify([...names, record.name].slice(-mostMembers));
  });
}

/** Rejects with MailboxError where nothing can be read. */
export async function readMembers(mailbox: Mailbox, team: string): Promise<readonly Member[]> {
  const names = namesIn(await mailbox.snapshots.get({ team, plan: "roster" }));
  const records = await Promise.all(names.map((name) => mailbox.snapshots.get({ team, plan: `member:${name}` })));
  return records.flatMap((record) => {
    const parsed = member.safeParse(parseJson(record?.text ?? ""));
    return parsed.success ? [parsed.data] : [];
  });
}

const mostMembers = 500;
const mostTries = 20;

/** Compare and set until it fits; `change` gives null where nothing is to be changed. False where it could not be kept. */
export async function replace(
  { snapshots }: Mailbox,
  key: PlanKey,
  change: (before: PlanSnapshot | null) => string | null,
): Promise<boolean> {
  try {
    let present = await snapshots.get(key);
    for (let tried = 0; tried < mostTries; tried += 1) {
      const next = change(present);
      if (next === null) return true;
      const kept = await snapshots.put(key, next, { expected: present?.revision ?? 0 });
      if (kept.kind !== "changed") return kept.kind === "kept";
      ({ present } = kept);
    }
    return false;
  } catch {
    return false;
  }
}

function namesIn(roster: PlanSnapshot | null): readonly string[] {
  const parsed = z.array(z.string()).safeParse(parseJson(roster?.text ?? ""));
  return parsed.success ? parsed.data : [];
}
