/** The commands of the program, one row each: help, misspellings and what is loaded derive from it. */
import type { Command } from "../command.ts";

export interface CommandRow {
  readonly name: string;
  /** As the help shows it behind the name. */
  readonly takes?: string;
  readonly help: string;
  /** Only tells something: it ends quietly when nobody reads any more. */
  readonly endsUnread?: boolean;
  /** Called by programs; not in the help, and never what a person meant. */
  readonly internal?: boolean;
  readonly load: () => Promise<Command>;
}

export const commandTable: readonly CommandRow[] = [
  {
    name: "check",
    takes: "<command>",
    help: "would this shell command change anything?  --jsonl for many",
    load: async () => (await import("./check.ts")).check,
  },
  {
    name: "scout",
    takes: "<task>",
    help: "the files that matter for a task           --json",
    endsUnread: true,
    load: async () => (await import("./scout.ts")).scout,
  },
  {
    name: "plans",
    help: "every plan again: list, show, diff, search, export, resume, rm, import",
    endsUnread: true,
    load: async () => (await import("./plans.ts")).plans,
  },
  {
    name: "review",
    takes: "[plan]",
    help: "the review page on a plan, in the browser  --no-open",
    load: async () => (await import("./review.ts")).review,
  },
  {
    name: "verify",
    takes: "[plan]",
    help: "runs the plan's checks: is it done, and nothing else?  --receipt, --diff, --fix",
    endsUnread: true,
    load: async () => (await import("./verify/verify.ts")).verify,
  },
  {
    name: "receipt",
    takes: "[plan]",
    help: "proof of an approved plan and what was done, as JSON",
    load: async () => (await import("./receipt.ts")).receipt,
  },
  {
    name: "undo",
    takes: "[session]",
    help: "back to before the last prompt             --to, --list, --dry-run, --files, --conversation",
    load: async () => (await import("./undo/undo.ts")).undo,
  },
  {
    name: "redo",
    takes: "[session]",
    help: "takes the last undo back",
    load: async () => (await import("./undo/undo.ts")).redo,
  },
  {
    name: "sessions",
    help: "past sessions: list, show, rm              --all, --json",
    endsUnread: true,
    load: async () => (await import("./sessions.ts")).sessions,
  },
  {
    name: "team",
    help: "teammates and their plans: start, inbox, show, approve, reject, status, stop, take",
    load: async () => (await import("./team/team.ts")).team,
  },
  {
    name: "reviews",
    help: "the pages of other agents' plans; hooks start it",
    internal: true,
    load: async () => (await import("../reviews/reviews.ts")).reviews,
  },
  {
    name: "install",
    takes: "<agent>",
    help: "guard and review for claude, codex, opencode, gemini  --project, --dry-run, --yes",
    load: async () => (await import("./install.ts")).install,
  },
  {
    name: "uninstall",
    takes: "<agent>",
    help: "takes them out again                       --project, --dry-run, --yes",
    load: async () => (await import("./uninstall.ts")).uninstall,
  },
  {
    name: "hook",
    takes: "<agent> <event>",
    help: "judges a call of another agent, its payload on stdin; `install` writes the entries for it",
    internal: true,
    load: async () => (await import("./hook.ts")).hook,
  },
  {
    name: "crashtest",
    takes: "<agent>",
    help: "does an agent's plan mode hold?            --compare, --json, --html",
    load: async () => (await import("./crashtest/crashtest.ts")).crashtest,
  },
  {
    name: "crashtest-leg",
    help: "one run of an agent, in the cage of a crash test",
    internal: true,
    load: async () => (await import("./crashtest/leg.ts")).crashtestLeg,
  },
  {
    name: "acp",
    help: "an agent for editors: Zed, JetBrains, Neovim, Emacs  --setup",
    load: async () => (await import("./acp/acp.ts")).acp,
  },
  {
    name: "doctor",
    help: "what is available on this machine",
    endsUnread: true,
    load: async () => (await import("./doctor.ts")).doctor,
  },
  {
    name: "run-caged",
    help: "a command of another agent in the cage",
    internal: true,
    load: async () => (await import("./run-caged.ts")).runCaged,
  },
];

export function commandNamed(name: string): CommandRow | null {
  return commandTable.find((row) => row.name === name) ?? null;
}
