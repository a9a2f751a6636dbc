/** A teammate in memory with a real inbox on disk, and a lead that says whatever the story wants. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { TeamNews } from "../../src/agent/ports/handle.ts";
import type { Person } from "../../src/agent/ports/ports.ts";
import { items } from "../../src/core/chain.ts";
import type { Event } from "../../src/core/event.ts";
import { hashText } from "../../src/core/plan/hash.ts";
import { createFileMailbox } from "../../src/mail/files/mailbox.ts";
import type { Mailbox } from "../../src/mail/mailbox.ts";
import { openMailbox } from "../../src/mail/open-mailbox.ts";
import { lookAtInbox, type PendingPlan } from "../../src/program/team/requests.ts";
import { createTeammate, type Teammate } from "../../src/program/team/teammate.ts";
import {
  scriptedModel,
  scriptedPerson,
  startHarness,
  type Harness,
  type ScriptedStep,
} from "../../src/testing/index.ts";
import { memoryFiles, type MemoryFiles } from "../../src/testing/memory-files.ts";
import { writePlan } from "../scenarios/plan-writer.ts";
import { remove } from "../support/remove.ts";

export interface Story {
  readonly harness: Harness;
  readonly teammate: Teammate;
  readonly mailbox: Mailbox;
  readonly news: readonly TeamNews[];
  /** What the lead sees, as soon as it sees something. */
  readonly incoming: () => Promise<PendingPlan>;
  /** The lead says this, whatever it is. */
  readonly leadSays: (
    text: object | string,
    options?: { readonly id?: string; readonly from?: string },
  ) => Promise<void>;
  /** Files of the project, by content. */
  readonly tree: () => Readonly<Record<string, string>>;
  /** Resolves when the session has nothing more to do. */
  readonly settled: () => Promise<void>;
  /** As `kill -9` would: nothing is said to anybody. */
  readonly vanish: () => void;
}

export interface StoryOptions {
  readonly name?: string;
  readonly planRequired?: boolean;
  readonly answerWithin?: number;
  readonly person?: Person;
  readonly steps?: readonly ScriptedStep[];
  readonly home?: string;
  readonly files?: MemoryFiles;
  readonly past?: readonly Event[];
  readonly mailbox?: Mailbox;
  /** Milliseconds by which the teammate's clock is ahead: so much later is it. */
  readonly later?: number;
  /** The mode that the teammate was started with. */
  readonly mode?: "default" | "acceptEdits" | "plan";
}

export const plan = "# Plan\n1. write `app.ts`";
/** The tree before anything was approved, and after. */
export const untouched = { "/repo/README.md": "# Repo\n" };
export const worked = { ...untouched, "/repo/app.ts": "done" };
export const by = { user: "ada", surface: "test" };
export const better = "# Plan\n1. write `app.ts`\n2. test it";
const edit = { tool: "Write", input: { file_path: "/repo/app.ts", content: "done" } };

/** Writes a plan, submits it, waits; what the lead says decides how it goes on. */
export const planThenWork: readonly ScriptedStep[] = [
  writePlan(plan),
  { calls: [{ tool: "ExitPlanMode" }] },
  "I wait.",
  (request) =>
    JSON.stringify(request.messages).includes("did not approve the plan")
      ? (writePlan(better) as (asked: typeof request) => ScriptedStep)(request)
      : edit,
  (request) =>
    JSON.stringify(request.messages).includes("did not approve the plan") ? { tool: "ExitPlanMode" } : "Done.",
  "I wait.",
  edit,
  "Done.",
];

export async function tellStory(options: StoryOptions = {}): Promise<Story> {
  const home = options.home ?? homeFolder();
  const {
    planRequired = true,
    answerWithin = 50_000,
    person = scriptedPerson(),
    mode = "acceptEdits",
    name = "bo",
    later = 0,
  } = options;
  const clock = (): number => Date.now() + later;
  const mailbox = options.mailbox ?? createFileMailbox({ home });
  const files = options.files ?? memoryFiles({ "/repo/README.md": "# Repo\n" });
  const news: TeamNews[] = [];
  let gone = false;
  const teammate = createTeammate({
    mailbox,
    name,
    team: "default",
    task: "write app.ts",
    person,
    now: clock,
    tell: (one) => void news.push(one),
    onShutdown: () => void harness.session.send({ type: "turn-cancelled" }),
  });
  const harness: Harness = await startHarness({
    model: scriptedModel(...(options.steps ?? planThenWork)),
    person,
    files,
    mode,
    now: clock,
    actor: { kind: "teammate", name, team: "default", planRequired, answerWithin },
    submitPlan: (submission) => teammate.submitPlan(submission),
    ...(options.past === undefined ? {} : { past: options.past }),
  });
  teammate.join(harness.session);
  return {
    harness,
    teammate,
    mailbox,
    news,
    incoming: () => incoming(mailbox),
    leadSays: async (text, { id = `lead-${Math.random()}`, from = "team-lead" } = {}) => {
      const message = { from, text: typeof text === "string" ? text : JSON.stringify(text), timestamp: now() };
      const sent = await mailbox.send({ team: "default", agent: name }, message, { id });
      if (sent.kind !== "sent") throw new Error(sent.reason);
    },
    tree: () => Object.fromEntries([...files.contents].filter(([path]) => path.startsWith("/repo/"))),
    settled: () => harness.session.settled(),
    vanish() {
      if (gone) return;
      gone = true;
      harness.session.close();
      void teammate.leave("failed");
    },
  };
}

/** What a member of a team on this machine reads and writes. */
export function sealedFiles(home: string): Promise<Mailbox> {
  return openMailbox({ transport: "files", home, environment: {}, report: () => undefined });
}

/** The lead's answer as section 12 has it, without anything of ours. */
export function answerTo(id: string, approve: boolean, more: object = {}): object {
  return { type: "plan_approval_response", requestId: id, approve, timestamp: now(), ...more };
}

/** What became of the plan: the verdicts that counted, in order. */
export function verdictsOf({ harness }: Story): readonly string[] {
  return items(harness.session.state.transcript).flatMap((entry) =>
    entry.kind === "lead" ? [entry.verdict.kind] : [],
  );
}

export function reasonsOf({ news }: Story): readonly string[] {
  return news.flatMap((one) => (one.type === "team.ignored" ? [one.reason] : []));
}

export async function incoming(mailbox: Mailbox): Promise<PendingPlan> {
  for (const end = performance.now() + patience; performance.now() < end;) {
    const { pending } = await lookAtInbox(mailbox, "default", Date.now());
    if (pending.length > 0) return pending[0]!;
    await pause(5);
  }
  throw new Error("No plan came in.");
}

/** Waits until this holds. */
export async function eventually(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = performance.now() + patience; performance.now() < end;) {
    if (await holds()) return;
    await pause(10);
  }
  throw new Error(`It never came: ${what}`);
}

/** Milliseconds; a machine may be busy with other things. */
const patience = 120_000;

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Gone with the test. */
export function homeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "groundplan-team-"));
  onTestFinished(() => remove(folder));
  return folder;
}

export const planHash = hashText(plan);

function now(): string {
  return new Date().toISOString();
}
