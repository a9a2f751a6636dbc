/** A config home, a project and a browser that only notes what it was opened with, for reviews of other agents' plans by the real page process. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { ClientName, ReviewOffer } from "../../src/clients/client.ts";
import { presentPlan, tellAnswered, type PlanAnswer } from "../../src/clients/review/present-plan.ts";
import { readPageRecord, recordFile, type PageRecord } from "../../src/clients/review/wire.ts";
import type { ReviewState } from "../../src/faces/browser/desks/wire.ts";
import { visit, type Page } from "../browser/stage.ts";
import { patience, until } from "../support/until.ts";
import { filesBelow } from "../support/walk.ts";
import { realFolder } from "../support/folder.ts";
import { writeProgram } from "../support/write-program.ts";

export const program = fileURLToPath(new URL("../../dist/bin/groundplan.js", import.meta.url));

export const everything: ReviewOffer = {
  modes: [
    { ours: "default", theirs: "default" },
    { ours: "acceptEdits", theirs: "acceptEdits" },
  ],
  editable: true,
  notes: true,
};

export interface Presenting {
  readonly client?: ClientName;
  readonly session?: string;
  readonly plan: string;
  readonly offer?: ReviewOffer;
  readonly deadlineMs?: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly directory?: string;
  /** How long the page process stays when nothing is open. */
  readonly grace?: number;
  readonly starter?: readonly [program: string, ...args: string[]];
}

export interface Presented {
  readonly answer: Promise<PlanAnswer>;
  /** The link and whether a browser was opened, once told. */
  readonly link: () => Promise<{ readonly link: string; readonly opened: boolean }>;
  /** As the person who was sent there. */
  readonly page: () => Promise<Page>;
  /** The hook is ended by its client. */
  readonly kill: () => void;
}

export type ReviewStage = ReturnType<typeof reviewStage>;

/** `below`: where the config home lies in the test's folder. */
export function reviewStage(below = "home") {
  const folder = realFolder("-review");
  const home = join(folder, below);
  const repository = join(folder, "repo");
  mkdirSync(join(repository, ".git"), { recursive: true });
  writeFileSync(join(repository, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(repository, "a.ts"), "export const a = 1;\n");
  const noted = join(folder, "opened");
  const browser = join(folder, "browser");
  writeProgram(browser, `#!/bin/sh\nprintf '%s\\n' "$1" >> '${noted}'\n`);
  const environment = { PATH: process.env["PATH"]!, HOME: folder, BROWSER: browser };
  const record = (): PageRecord | null =>
    existsSync(recordFile(home)) ? readPageRecord(readFileSync(recordFile(home), "utf8")) : null;
  const end = (signal: NodeJS.Signals = "SIGKILL"): number | null => {
    const { pid = null, socket = null } = record() ?? {};
    if (pid === null || socket === null) return null;
    try {
      process.kill(pid, signal);
    } catch {
      return null;
    }
    return pid;
  };
  onTestFinished(async () => {
    const pid = end();
    if (pid !== null) await until("the page process is gone", () => !isAlive(pid));
  });

  const present = ({ plan, ...given }: Presenting): Presented => {
    const told: { readonly link: string; readonly opened: boolean }[] = [];
    const killed = new AbortController();
    const answer = presentPlan({
      home,
      client: given.client ?? "claude",
      session: given.session ?? "s1",
      directory: given.directory ?? repository,
      plan,
      offer: given.offer ?? everything,
      deadlineMs: given.deadlineMs ?? patience,
      signal: killed.signal,
      environment: { ...environment, ...given.environment },
      starter: given.starter ?? [process.execPath, program, "reviews", "--grace", String(given.grace ?? 60_000)],
      onLink: (link, opened) => void told.push({ link, opened }),
    });
    const link = () => until("the link is told", () => told.at(-1) ?? null);
    return {
      answer,
      link,
      page: async () => visit((await link()).link),
      kill: () => killed.abort(),
    };
  };
  return {
    folder,
    home,
    repository,
    environment,
    record,
    end,
    present,
    files: () => filesBelow(home),
    /** `groundplan plans …`, whose answer is JSON. */
    plans: (...args: readonly string[]): Record<string, unknown> =>
      JSON.parse(
        execFileSync(process.execPath, [program, "plans", ...args], {
          cwd: repository,
          env: { ...environment, GROUNDPLAN_HOME: home },
          encoding: "utf8",
        }),
      ) as Record<string, unknown>,
    /** What the browser was opened with, oldest first: files that lead on to the link. */
    opened: (): readonly string[] => (existsSync(noted) ? (readFileSync(noted, "utf8").match(/.+(?=\n)/g) ?? []) : []),
    tell: (how: "approved" | "rejected" | "over", { client = "claude", session = "s1" }: Partial<Presenting> = {}) =>
      tellAnswered({ home, client, session, how, environment }),
  };
}

/** The page, once it asks. */
export function asked(page: Page, text?: string): Promise<ReviewState> {
  return until("the plan is asked about", async () => {
    const state = await page.state();
    return state.request === null || (text !== undefined && state.text !== text) ? null : state;
  });
}

export async function decide(page: Page, verdict: Readonly<Record<string, unknown>>): Promise<number> {
  const { request, hash } = await asked(page);
  const { status } = await page.post("verdict", { requestId: request!.id, hash, ...verdict });
  return status;
}

/** The address that a file for the browser leads on to. */
export function linkIn(entry: string): string {
  return /url=([^"]+)"/.exec(readFileSync(fileURLToPath(entry), "utf8"))![1]!;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
