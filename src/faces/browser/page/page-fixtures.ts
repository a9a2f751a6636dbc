/** States of the page for its tests. */
import { choicesFor } from "../../../core/plan/review.ts";
import type { ReviewState } from "../desks/wire.ts";

export const firstText = "# Plan\n\n- one\n- two\n";
export const secondText = "# Plan\n\n- zero\n- one\n- two\n";

/** The "hash" of a text is the text itself, shortened: the page's own arithmetic is not under test here. */
export function hashOfText(text: string): string {
  return `hash of ${text.slice(0, 40)}`;
}

export function serverState(text: string, changes: Partial<ReviewState> = {}): ReviewState {
  const hash = hashOfText(text);
  const choices = choicesFor({ returnTo: "default", bypassAvailable: false, autoAvailable: true, ceiling: null });
  return {
    version: 1,
    plan: {
      id: "p",
      title: "Plan",
      path: "~/plans/p.md",
      status: "submitted",
      project: "repo",
      branch: null,
      commit: null,
    },
    text,
    hash,
    request: { id: `request for ${hash}`, hash, revision: 1, choices, agent: null, again: null },
    revisions: [{ number: 1, hash, text, at: 1, by: "model" }],
    previous: null,
    comments: [],
    reply: null,
    answers: [],
    decisions: [],
    files: [],
    changed: [],
    usage: null,
    session: { id: "s", live: true },
    answered: null,
    ...changes,
  };
}
