/** The commands of the program, one row each: help, misspellings and what is loaded derive from it. */
import type { CommandRow } from "../command.ts";

export const commandTable: readonly CommandRow[] = [
  {
    name: "check",
    takes: "<command>",
    help: "would this shell command change anything?  --jsonl for many",
    examples: [
      { typed: 'groundplan check "git log --oneline | head"', shows: "read-only: every part of it only reads" },
      { typed: 'groundplan check "sort -o a.txt a.txt"', shows: 'writes: sort -o writes to "a.txt"\n…' },
    ],
    load: async () => (await import("./check.ts")).check,
  },
  {
    name: "scout",
    takes: "<task>",
    help: "the files that matter for a task           --json",
    examples: [{ typed: 'groundplan scout "add a total to each order"', shows: "1.000  src/orders.js\n…" }],
    endsUnread: true,
    load: async () => (await import("./scout.ts")).scout,
  },
  {
    name: "plans",
    help: "every plan again: list, show, diff, search, export, resume, rm, import",
    verbs: ["list", "show", "diff", "search", "export", "resume", "rm", "import"],
    examples: [
      { typed: "groundplan plans list --limit 3", shows: "…  executing  …  1 rev  Add a health check" },
      { typed: "groundplan plans search health", shows: "…Add a health check\n     1  # Add a health check\n…" },
      { typed: "groundplan plans export", shows: "# Add a health check\n…" },
    ],
    endsUnread: true,
    load: async () => (await import("./plans.ts")).plans,
  },
  {
    name: "review",
    takes: "[plan]",
    help: "the review page on a plan, in the browser  --no-open",
    examples: [{ typed: "groundplan review --no-open", shows: "http://127.0.0.1:…" }],
    load: async () => (await import("./review.ts")).review,
  },
  {
    name: "verify",
    takes: "[plan]",
    help: "runs the plan's checks: is it done, and nothing else?  --receipt, --diff, --fix",
    examples: [{ typed: "groundplan verify", shows: "…\n✓ the whole plan\n    $ test -f health.js  ok …" }],
    endsUnread: true,
    load: async () => (await import("./verify/verify.ts")).verify,
  },
  {
    name: "receipt",
    takes: "[plan]",
    help: "proof of an approved plan and what was done, as JSON",
    examples: [{ typed: "groundplan receipt --output receipt.json", shows: "…\ngroundplan: written to …receipt.json" }],
    load: async () => (await import("./receipt.ts")).receipt,
  },
  {
    name: "undo",
    takes: "[session]",
    help: "back to before the last prompt             --to, --list, --dry-run, --files, --conversation",
    examples: [
      { typed: "groundplan undo --list", shows: "p1   …  add a health check\n     1 file, +1 -0\n…" },
      { typed: "groundplan undo --yes", shows: "Back to before: add a health check\n…" },
    ],
    load: async () => (await import("./undo/undo.ts")).undo,
  },
  {
    name: "redo",
    takes: "[session]",
    help: "takes the last undo back",
    examples: [
      { typed: "groundplan redo --yes", shows: "Forward again, as before the undo of: add a health check\n…" },
    ],
    load: async () => (await import("./undo/undo.ts")).redo,
  },
  {
    name: "sessions",
    help: "past sessions: list, show, rm              --all, --json",
    verbs: ["list", "show", "rm"],
    examples: [{ typed: "groundplan sessions list --limit 1", shows: "…  add a health check" }],
    endsUnread: true,
    load: async () => (await import("./sessions.ts")).sessions,
  },
  {
    name: "team",
    help: "teammates and their plans: start, inbox, show, approve, reject, status, stop, take",
    verbs: ["start", "inbox", "show", "approve", "reject", "status", "stop", "take"],
    examples: [{ typed: "groundplan team inbox", shows: "No plan waits in team default." }],
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
    examples: [{ typed: "groundplan install claude --dry-run", shows: "…Nothing was written (--dry-run)." }],
    load: async () => (await import("./install.ts")).install,
  },
  {
    name: "uninstall",
    takes: "<agent>",
    help: "takes them out again                       --project, --dry-run, --yes",
    examples: [{ typed: "groundplan uninstall claude --dry-run", shows: "…Claude Code had nothing of ours in …" }],
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
    examples: [{ typed: "groundplan crashtest --list", shows: "Agents:\n  groundplan …" }],
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
    examples: [{ typed: "groundplan acp --setup", shows: "Model keys in this environment:\n…\nModel: …" }],
    load: async () => (await import("./acp/acp.ts")).acp,
  },
  {
    name: "doctor",
    help: "what is available on this machine",
    examples: [{ typed: "groundplan doctor", shows: "…  sandbox  …\n…  git  …" }],
    endsUnread: true,
    load: async () => (await import("./doctor.ts")).doctor,
  },
  {
    name: "completion",
    takes: "<shell>",
    help: "what makes bash, zsh or fish complete this command line",
    examples: [{ typed: "groundplan completion bash | head -1", shows: "# Completion of groundplan for bash. …" }],
    endsUnread: true,
    load: async () => (await import("./completion.ts")).completionOf(commandTable),
  },
  {
    name: "completion-words",
    takes: "<plans|sessions>",
    help: "what a shell offers in the place of a plan or a session",
    internal: true,
    endsUnread: true,
    load: async () => (await import("./completion-words.ts")).completionWords,
  },
  {
    name: "help",
    takes: "[command]",
    help: "this, or what a command takes, with examples",
    examples: [{ typed: "groundplan help check", shows: "usage: groundplan check <command> …" }],
    endsUnread: true,
    load: async () => (await import("./help.ts")).helpOf(commandTable),
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
