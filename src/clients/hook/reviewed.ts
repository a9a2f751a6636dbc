/** A plan that another agent presents: given to our review, and its answer put into terms of that client (B11.5). */
import { configHome, homeDirectory, projectRoot } from "../../agent/host/config-home.ts";
import { loadPrompts } from "../../prompts/index.ts";
import type { Client, GuardAnswer, HookInput, Occasion } from "../client.ts";
import { layDown } from "./approved-file.ts";
import { reviewPlaceOf } from "../review/review-place.ts";
import { presentPlan, tellAnswered, type PlanAnswer } from "../review/present-plan.ts";

type PlanOccasion = Extract<Occasion, { kind: "plan" }>;

export interface ReviewRoom {
  readonly client: Client;
  readonly environment: HookInput["environment"];
  readonly signal?: AbortSignal;
  readonly tell?: (line: string) => void;
  /** A person is asked: the time of a person begins. */
  readonly onReview?: () => void;
}

export interface PlanRoom extends ReviewRoom {
  /** The client's own dialog, with an event of its own, comes after this one. */
  readonly isAhead: boolean;
}

/** A person may take days; the entries' own time limit is four of them, and a client that reaches it might go on by itself. */
const longestMs = (4 * 24 * 60 - 10) * 60_000;
/** Nobody is asked: beside it the client's own dialog is open. */
const collectMs = 20_000;

/** Strict (`review: "browser-only"`): asked ahead of the client's own dialog, which gets that answer and opens nothing else. */
export async function reviewed(occasion: PlanOccasion, room: PlanRoom): Promise<GuardAnswer> {
  const { client, environment, signal, tell, isAhead } = room;
  const { session, directory, plan, planFile, headless } = occasion;
  const place = await placeAt(directory, environment);
  if (typeof place !== "string") {
    return { kind: "refuse", reason: loadPrompts()("clients/settings", place) };
  }
  const isStrict = place === "browser-only";
  if (isAhead && !isStrict) return { kind: "leave-to-client" };
  const step = !isStrict || client.reviewsAt === undefined ? null : isAhead ? "ask" : "collect";
  room.onReview?.();
  /** Nobody sees what a hook says while it waits, and no dialog is there: the refusal says how it is shown, and what is answered there counts for the next call. */
  const unseen = new AbortController();
  const answer = await presentPlan({
    home: homeOf(environment),
    client: client.name,
    session,
    directory,
    plan,
    offer: client.offer,
    ...(step === null ? {} : { step }),
    deadlineMs: step === "collect" ? collectMs : longestMs,
    environment,
    signal: AbortSignal.any([unseen.signal, ...(signal === undefined ? [] : [signal])]),
    onLink(link, opened) {
      if (opened) return;
      tell?.(`Review the plan: ${link}`);
      if (step === "ask") unseen.abort();
    },
  });
  const said = inTheirTerms(answer, client, headless);
  if (isStrict && said.kind === "leave-to-client") {
    const why = unseen.signal.aborted ? loadPrompts()("clients/no-browser") : whyOf(answer);
    return onlyThere(why);
  }
  if (said.kind !== "approve") return said;
  /** Approved; only the dialog's own event can carry the bytes and the mode. */
  if (step === "ask") return { kind: "leave-to-client" };
  const problem = await layDown(said.plan, planFile, client);
  return problem === null ? said : notReviewed(problem);
}

export async function tellElsewhere(
  { session, how }: Extract<Occasion, { kind: "answered" }>,
  { client, environment }: ReviewRoom,
): Promise<void> {
  await tellAnswered({ home: homeOf(environment), client: client.name, session, how, environment });
}

/** Where no person sits at the client its own dialog would approve by itself: then nothing is left to it. */
function inTheirTerms(answer: PlanAnswer, client: Client, headless: boolean): GuardAnswer {
  switch (answer.kind) {
    case "approved": {
      const mode = client.offer.modes.find(({ ours }) => ours === answer.mode);
      if (mode === undefined) return notReviewed("the mode that was chosen is not one of this agent's");
      return { kind: "approve", plan: answer.plan, mode: mode.theirs, notes: answer.notes };
    }
    case "sent-back":
      return { kind: "send-back", feedback: answer.feedback };
    case "leave-to-client":
      return headless ? notReviewed("its review is left to this agent's own dialog") : { kind: "leave-to-client" };
    case "over":
      return headless ? notReviewed(whyOf(answer), "clients/present-again") : { kind: "leave-to-client" };
  }
}

function whyOf(answer: PlanAnswer): string {
  return answer.kind === "over" ? answer.why.replace(/\.+$/, "") : "its review was left to this agent's own dialog";
}

/** The model is never told the link: whoever has it answers. */
function onlyThere(why: string): GuardAnswer {
  const prompts = loadPrompts();
  return { kind: "refuse", reason: prompts("clients/browser-only", { why, how: prompts("clients/present-again") }) };
}

async function placeAt(directory: string, environment: ReviewRoom["environment"]) {
  const root = await projectRoot(directory);
  return reviewPlaceOf({ home: homeOf(environment), root, directory, environment });
}

function notReviewed(
  why: string,
  how: "clients/present-again" | "clients/review-later" = "clients/review-later",
): GuardAnswer {
  const prompts = loadPrompts();
  return { kind: "refuse", reason: prompts("clients/not-reviewed", { why, how: prompts(how) }) };
}

function homeOf(environment: ReviewRoom["environment"]): string {
  return configHome({ environment, directory: homeDirectory() });
}
