/** Approvals by real sessions: each teammate plans with a scripted model, asks its lead, and works only after the yes. */
import { attachLead } from "../src/program/team/lead.ts";
import type { Mailbox } from "../src/mail/mailbox.ts";
import { createTeammate } from "../src/program/team/teammate.ts";
import { approveShown, scriptedModel, scriptedPerson, startHarness } from "../src/testing/index.ts";
import { writePlan } from "../test/scenarios/plan-writer.ts";

export interface SessionTimes {
  /** From a plan's submission to its approval. */
  readonly waits: readonly number[];
  readonly seconds: number;
}

/** The lead looks as often as it does in a terminal, and its person answers at once. */
export async function approveSessions(open: () => Mailbox, size: number, plan: string): Promise<SessionTimes> {
  const opened: Mailbox[] = [];
  const fresh = (): Mailbox => {
    const mailbox = open();
    opened.push(mailbox);
    return mailbox;
  };
  const person = scriptedPerson({ reviews: Array.from({ length: size }, () => approveShown()) });
  const mates = await Promise.all(Array.from({ length: size }, (_, at) => startMate(`mate-${at}`, fresh(), plan)));
  const began = performance.now();
  const lead = attachLead({ mailbox: fresh(), team: "default", person, now: Date.now, tell: () => undefined });
  const waits = await Promise.all(mates.map((mate) => mate.work()));
  const seconds = (performance.now() - began) / 1000;
  await lead.close();
  await Promise.all(mates.map((mate) => mate.leave()));
  await Promise.all(opened.map((mailbox) => mailbox.close()));
  return { waits, seconds };
}

async function startMate(name: string, mailbox: Mailbox, plan: string) {
  const person = scriptedPerson();
  const teammate = createTeammate({
    mailbox,
    name,
    team: "default",
    task: "write app.ts",
    person,
    now: Date.now,
    tell: () => undefined,
    onShutdown: () => undefined,
  });
  const edit = { tool: "Write", input: { file_path: "/repo/app.ts", content: "done" } };
  const { session, files, seen } = await startHarness({
    model: scriptedModel(writePlan(plan), { tool: "ExitPlanMode" }, "I wait.", edit, "Done."),
    person,
    mode: "acceptEdits",
    now: Date.now,
    actor: { kind: "teammate", name, team: "default", planRequired: true, answerWithin: 600_000 },
    submitPlan: (submission) => teammate.submitPlan(submission),
  });
  teammate.join(session);
  return {
    async work(): Promise<number> {
      let submitted = 0;
      let approved = 0;
      session.subscribe(() => {
        if (submitted === 0 && session.state.plan.awaiting !== null) submitted = performance.now();
        if (approved === 0 && session.state.plan.approved !== null) approved = performance.now();
      });
      await session.send({ type: "user-said", text: "write app.ts" });
      await session.settled();
      if (files.contents.get("/repo/app.ts") !== "done") throw new Error(`${name} did not work: ${seen.at(-1)?.type}`);
      return approved - submitted;
    },
    leave: () => teammate.leave("done"),
  };
}
