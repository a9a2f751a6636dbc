/** Requests as the session makes them, for the tests of the dialogs. */
import { hashText } from "../../src/core/plan/hash.ts";
import { choicesFor, type Comment, type ReviewRequest } from "../../src/core/review.ts";

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
    choices: choicesFor({ returnTo: "auto", bypassAvailable: true, ceiling: null }),
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
