/** Requests as the session makes them, for the tests of the dialogs. */
import type { PermissionAsk } from "../../src/agent/ports/ports.ts";
import type { UserQuestion } from "../../src/core/questions.ts";
import type { Call, CommandAccess } from "../../src/core/decide/access.ts";
import type { Question } from "../../src/core/decide/decision.ts";
import { offersFor, type OfferFacts } from "../../src/core/decide/offers.ts";
import { freshSession } from "../../src/core/session.ts";
import { approvalWith } from "../../src/faces/terminal/dialogs/approval/approval.ts";
import { hearRenewedChoices } from "../../src/faces/terminal/renewed-choices.ts";
import type { TerminalPersonOptions } from "../../src/faces/terminal/person.ts";
import { hashText } from "../../src/core/plan/hash.ts";
import { choicesFor, type ReviewRequest } from "../../src/core/plan/review.ts";
import type { Comment } from "../../src/core/verdict.ts";

/** What is offered stays as it was asked. */
export const approvalDialog = approvalWith(() => null);

export const smallPlan = `# Add a login page

## Why
People cannot sign in with **OAuth** yet; see [the issue](https://example.org/12).

## Steps
1. Add \`src/login.ts\` with the route and its handler
2. Reuse \`openSession()\` of \`src/session.ts\`, which already checks the token and refreshes it
   - [ ] cover the expired token
   - [x] keep the old cookie

\`\`\`ts
export function login(request: Request): Response {
  return openSession(request);
}
\`\`\`

| file | change |
|---|---|
| src/login.ts | new |
| src/routes.ts | one line |

> Nothing else changes.

## Verify
Run \`npm test -- login\`.`;

export function review(over: Partial<ReviewRequest> = {}): ReviewRequest {
  const plan = over.plan ?? smallPlan;
  return {
    id: "review-1",
    callId: "call-1",
    planFile: "/home/ada/.groundplan/plans/calm-baking-otter.md",
    plan,
    hash: hashText(plan),
    modeRevision: 1,
    revision: 1,
    previous: null,
    comments: [],
    choices: choicesFor({ returnTo: "auto", bypassAvailable: true, autoAvailable: true, ceiling: null }),
    again: null,
    stale: [],
    changed: [],
    agent: null,
    ...over,
  };
}

export function longPlan(lines: number): string {
  return Array.from({ length: lines }, (_, index) => `${index + 1}. step number ${index + 1} of the plan`).join("\n");
}

export const comment: Comment = {
  id: "old-1",
  kind: "change",
  from: 9,
  to: 9,
  quote: "   - [ ] cover the expired token",
  text: "Say which test covers it",
};

const project = "/home/ada/shop";

/** The call of a permission question, as a tool would have claimed it. */
export function asked(question: Question, call: Partial<Call> = {}): PermissionAsk {
  const whole: Call = { id: "call-1", tool: "Bash", input: {}, access: null, subjects: [], ...call };
  return { id: "ask-1", question, call: whole, offers: offersFor(whole, question, standing) };
}

const { permissions } = freshSession();
const standing: OfferFacts = {
  permissions: { ...permissions, rules: { ...permissions.rules, runners: ["Bash"] } },
  roots: { project, home: "/home/ada" },
  settings: { planScope: "warn" },
};

export function commandAsk(command: string, over: Partial<CommandAccess> = {}): PermissionAsk {
  const access: CommandAccess = {
    kind: "command",
    command,
    directory: project,
    verdict: "writes",
    reason: "rm removes files",
    sandboxed: false,
    network: false,
    files: null,
    ...over,
  };
  const question: Question = { kind: "command", reason: access.reason, part: access.part ?? null };
  return asked(question, { input: { command }, access, subjects: [{ rule: "Bash", parts: command.split(" && ") }] });
}

export function unprovenAsk(command: string): PermissionAsk {
  const ask = commandAsk(command, { verdict: "unproven", reason: "make runs whatever the Makefile says" });
  const reason = "make runs whatever the Makefile says";
  return { ...ask, question: { kind: "unproven", command, directory: project, reason, part: "make" } };
}

export function editAsk(from: string, to: string, path = `${project}/src/cart.ts`): PermissionAsk {
  const input = { file_path: path, old_string: from, new_string: to };
  const access = { kind: "write", path, place: "project" } as const;
  return asked(
    { kind: "edit", path, guarded: false },
    { tool: "Edit", input, access, subjects: [{ rule: "Edit", path }] },
  );
}

export const enterAsk = asked({ kind: "enter-plan" }, { tool: "EnterPlanMode", access: { kind: "enter-plan" } });

export const oneQuestion: readonly UserQuestion[] = [
  {
    question: "Which library should format the dates?",
    header: "Dates",
    options: [
      { label: "date-fns", description: "Small functions, already in the lock file" },
      { label: "Luxon", description: "Knows time zones, 70 KB more" },
    ],
    multiSelect: false,
  },
];

export const threeQuestions: readonly UserQuestion[] = [
  ...oneQuestion,
  {
    question: "Where should the tests go?",
    header: "Tests",
    options: [
      { label: "Beside the files", description: "As the rest of the project does" },
      { label: "In test/", description: "One folder for all" },
    ],
    multiSelect: false,
  },
  {
    question: "Which browsers must it support?",
    header: "Browsers",
    options: [
      { label: "Firefox", description: "" },
      { label: "Chrome", description: "" },
      { label: "Safari", description: "Also on phones" },
    ],
    multiSelect: true,
  },
];

export const permissionOptions: TerminalPersonOptions = {
  user: "ada",
  offers: hearRenewedChoices(),
  mode: () => "default",
  standing: () => standing,
  readText: async () => "export const tax = 7;\nexport function total(sum: number): number {\n  return sum;\n}\n",
};
