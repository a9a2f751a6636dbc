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
import { until } from "../support/until.ts";

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
  /** For the teammate it is so many milliseconds later at once. */
  readonly timePasses: (milliseconds: number) => void;
  /** As `kill -9` would: nothing is said to anybody. */
  readonly vanish: () => void;
}

export interface StoryOptions {
  readonly name?: string;
  readonly planRequired?: boolean;
  readonly answerWithin?: number;
  /** How often the teammate looks at its clock, and where answers are kept, while it waits. */
  readonly everyMs?: number;
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

/** So long a plan waits for its answer: no machine is so busy that a story comes to that by itself. */
export const anHour = 3_600_000;
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
    answerWithin = anHour,
    everyMs,
    person = scriptedPerson(),
    mode = "acceptEdits",
    name = "bo",
  } = options;
  let ahead = options.later ?? 0;
  const clock = (): number => Date.now() + ahead;
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
    ...(everyMs === undefined ? {} : { everyMs }),
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
    timePasses: (milliseconds) => void (ahead += milliseconds),
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
  return until("a plan comes in", async () => (await lookAtInbox(mailbox, "default", Date.now())).pending[0] ?? null);
}

/** Waits until this holds. */
export async function eventually(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  await until(what, holds);
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
