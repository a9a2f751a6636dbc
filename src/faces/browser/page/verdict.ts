/** The person's choice as it is said and as it is sent, and how a request ended. */
import { choiceLabel, modeName, type Choice, type Comment, type PlacedComment } from "../../../core/verdict.ts";
import { withoutAnchor } from "../../../core/plan/anchors.ts";
import { makeVisible } from "../../../core/wire/visible.ts";
import type { Answered, CommentsBody, ReviewState, VerdictBody } from "../desks/wire.ts";
import type { PageState, UnsentWords } from "./state.ts";
import { answerText, wordsWithYes } from "./suggestions.ts";

/** A loose file has no session whose mode could change; some agents let nobody choose theirs. */
export function hasNoMode({ session, client }: Pick<ReviewState, "session" | "client">): boolean {
  return session === null || client?.mode === false;
}

export function labelOf(choice: Choice, isLoose: boolean): string {
  return isLoose && choice.kind === "approve" ? "Approve" : choiceLabel(choice);
}

/** Of a loose file the decision alone is told; nothing follows from it here. */
export function choiceHint(choice: Choice, isLoose: boolean): string {
  if (isLoose) return looseHints[choice.kind];
  return choice.kind === "approve" ? approveHints[choice.label] : hints[choice.kind];
}

const hints: Record<Exclude<Choice["kind"], "approve">, string> = {
  "approve-fresh": "A new session starts from the plan alone.",
  save: "Leaves plan mode; nothing starts.",
  revise: "Goes back with your comments and feedback.",
  abandon: "Leaves plan mode; the plan is marked abandoned.",
};

const looseHints: Record<Choice["kind"], string> = {
  approve: "Exactly this text; whoever asked is told.",
  "approve-fresh": "",
  save: "",
  revise: "Goes back with your comments and feedback.",
  abandon: "Whoever asked is told that it is not wanted.",
};

const approveHints = {
  "each-edit": "You are asked before every change.",
  "accept-edits": "Files are edited without asking; commands still ask.",
  earlier: "As before plan mode.",
  "skip-permissions": "Nothing asks any more.",
} as const;

/** What is sent for a choice on the text that is shown; `null` while nothing is asked. */
export function verdictFor(state: PageState, choice: Choice): VerdictBody | null {
  const { shown, words } = state;
  if (shown === null || shown.requestId === null) return null;
  const base = { requestId: shown.requestId, hash: shown.hash };
  switch (choice.kind) {
    case "approve":
    case "approve-fresh": {
      const fresh = choice.kind === "approve" ? {} : { fresh: true };
      const text = answerText(state);
      const plan = text === shown.text ? {} : { plan: text };
      return {
        ...base,
        kind: "approve",
        mode: choice.mode,
        ...fresh,
        ...plan,
        ...notesOf(state, shown.facts.comments),
      };
    }
    case "revise":
      return { ...base, kind: "revise", ...editOf(words), ...saidOf(words, shown.facts.comments) };
    case "save":
    case "abandon":
      return { ...base, kind: choice.kind };
  }
}

export function commentsFor({ shown, words }: PageState): CommentsBody | null {
  if (shown === null) return null;
  return { hash: shown.hash, ...editOf(words), ...saidOf(words, shown.facts.comments) };
}

function editOf({ edit }: UnsentWords): Pick<CommentsBody, "plan"> {
  return edit === null ? {} : { plan: edit };
}

/** A comment that was added to, with everything said so far: it takes the earlier one's place. */
export function withReply(comment: PlacedComment, reply: string): Comment {
  return { ...withoutAnchor(comment), followUps: [...(comment.followUps ?? []), reply.trim()] };
}

/** A yes settles nothing by itself: what was said goes along with it. */
function notesOf(state: PageState, earlier: readonly PlacedComment[]): Pick<VerdictBody, "notes" | "comments"> {
  const { feedback: notes, comments } = saidOf({ ...state.words, drafts: wordsWithYes(state) }, earlier);
  return { ...(notes === "" ? {} : { notes }), ...(comments.length === 0 ? {} : { comments }) };
}

function saidOf(words: UnsentWords, earlier: readonly PlacedComment[]) {
  const replied = earlier.flatMap((comment) => {
    const reply = words.replies[comment.id];
    return reply === undefined || reply.trim() === "" || words.resolved.includes(comment.id)
      ? []
      : [withReply(comment, reply)];
  });
  return { feedback: words.message.trim(), comments: [...replied, ...words.drafts], resolved: words.resolved };
}

/** `session` is the one that is answered: none for a loose file. */
export function outcomeText(
  { by, kind, mode, here }: Answered,
  server: Pick<ReviewState, "session" | "client">,
): string {
  const { session } = server;
  if (kind === "withdrawn" || by === null) return "The question was taken back: nothing was decided.";
  const who = here ? "You" : `${makeVisible(by.user)} (${makeVisible(by.surface)})`;
  const means = mode === null || hasNoMode(server) ? "" : ` Mode: ${modeName(mode)}.`;
  const later = session?.live === false ? " The session hears of it when it is resumed." : "";
  const next = session?.live === true ? " The next revision appears here by itself." : later;
  switch (kind) {
    case "approve":
      return `${who} approved the plan.${means}${later}`;
    case "revise":
      return `${who} sent the plan back.${next}`;
    case "save":
      return `${who} saved the plan for later. Nothing was started.`;
    case "abandon":
      return `${who} abandoned the plan.`;
    case "dismiss":
      return `${who} closed the question. Nothing was approved.`;
  }
}
