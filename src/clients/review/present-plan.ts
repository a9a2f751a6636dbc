/** The hook's side of the review: a plan of another agent is given to the page process, and the person's answer comes back. */
import { readdir } from "node:fs/promises";
import { errorText } from "../../core/error-text.ts";
import { isBlank } from "../../core/plan/blank.ts";
import { hashText } from "../../core/plan/hash.ts";
import { loadPrompts } from "../../prompts/index.ts";
import { passedOn } from "./passed-on.ts";
import { askProcess, reachProcess } from "./page-process.ts";
import type { AnsweredElsewhere, PlanAnswer, PlanPresentation } from "./plan-answer.ts";
import {
  readPresentLine,
  waitingFolder,
  waitingPrefix,
  type AnsweredBody,
  type PresentBody,
  type ReceivedBody,
} from "./wire.ts";

export type { AnsweredElsewhere, PlanAnswer, PlanPresentation } from "./plan-answer.ts";

/** Never rejects. */
export async function presentPlan(presentation: PlanPresentation): Promise<PlanAnswer> {
  const prompts = loadPrompts();
  const refused = refusalOf(presentation.plan);
  if (refused === "too-long") {
    return { kind: "sent-back", feedback: prompts("clients-review/too-long", { limit: "2 MB" }) };
  }
  if (refused !== null) return { kind: "sent-back", feedback: prompts(`clients-review/${refused}`) };
  const { deadlineMs, signal } = presentation;
  const over = AbortSignal.any([AbortSignal.timeout(deadlineMs), ...(signal === undefined ? [] : [signal])]);
  const seen: Seen = { link: null, until: Date.now() + deadlineMs };
  let problem: string | null = null;
  /** Whoever ends the page process ends no review: the next one goes on from the log. */
  for (let tries = 0; tries < mostTries && !over.aborted; tries += 1) {
    try {
      const answer = await askOnce(presentation, over, seen);
      if (answer !== null) return answer.kind === "over" ? { ...answer, link: answer.link ?? seen.link } : answer;
    } catch (error) {
      problem = errorText(error);
    }
  }
  const why =
    over.aborted || problem === null
      ? prompts("clients-review/time-over")
      : prompts("clients-review/no-page", { problem });
  return { kind: "over", why, link: seen.link };
}

/** What waits for that session was answered in the client, or is over: the page says so. Never rejects; where nothing waits it starts nothing. */
export async function tellAnswered(answered: AnsweredElsewhere): Promise<void> {
  const { home, client, session, how } = answered;
  try {
    const names = await readdir(waitingFolder(home));
    if (!names.some((name) => name.startsWith(waitingPrefix(client, session)))) return;
    const signal = AbortSignal.timeout(answeredMs);
    const place = await reachProcess({ ...answered, signal });
    const body: AnsweredBody = { client, session, how };
    await askProcess(place, { path: "/answered", body, signal, hear: () => undefined });
  } catch {
    return;
  }
}

/** What cannot be shown as it is. */
function refusalOf(plan: string): "empty" | "too-long" | "not-text" | null {
  if (isBlank(plan)) return "empty";
  if (Buffer.byteLength(plan, "utf8") > mostBytes) return "too-long";
  return /\p{Cs}/u.test(plan) ? "not-text" : null;
}

const mostBytes = 2 * 1024 * 1024;
const mostTries = 4;
const answeredMs = 20_000;

interface Seen {
  link: string | null;
  /** When the hook stops to wait. */
  readonly until: number;
}

/** Null where the page process was gone before it answered. */
async function askOnce(presentation: PlanPresentation, signal: AbortSignal, seen: Seen): Promise<PlanAnswer | null> {
  const { home, client, session, directory, plan, offer, environment = process.env, starter } = presentation;
  const place = await reachProcess({ home, environment, signal, ...(starter === undefined ? {} : { starter }) });
  const body: PresentBody = {
    client,
    session,
    directory,
    plan,
    offer,
    ...(presentation.step === undefined ? {} : { step: presentation.step }),
    environment: passedOn(environment),
    until: seen.until,
  };
  let answer: PlanAnswer | null = null;
  const hear = (line: string): void => {
    const said = readPresentLine(line);
    if (said === null) return;
    if ("answer" in said) answer = said.answer;
    else {
      const isNews = seen.link === null || !said.opened;
      seen.link = said.link;
      if (isNews) presentation.onLink?.(said.link, said.opened);
    }
  };
  await askProcess(place, { path: "/present", body, signal, hear });
  if (isKept(answer)) await acknowledge(presentation, signal);
  return answer;
}

/** Every other one was given to this hook alone. */
function isKept(answer: PlanAnswer | null): boolean {
  return answer?.kind === "approved" || answer?.kind === "sent-back";
}

/** One that cannot be acknowledged does not count here: it waits for whoever asks next, and is said once. */
async function acknowledge(presentation: PlanPresentation, signal: AbortSignal): Promise<void> {
  const { home, client, session, directory, plan, environment = process.env, starter } = presentation;
  const place = await reachProcess({ home, environment, signal, ...(starter === undefined ? {} : { starter }) });
  const body: ReceivedBody = { client, session, directory, hash: hashText(plan) };
  await askProcess(place, { path: "/received", body, signal, hear: () => undefined });
}
