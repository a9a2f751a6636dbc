/** Scout's way through plan mode: look, read, ask at most once, write the plan, submit it, work feedback in. */
import { resolve } from "node:path";
import type { UserQuestion } from "../../core/questions.ts";
import { wishOf } from "../../core/verdict.ts";
import { answerTo, introduction, placesIn, whereAnswer } from "./answers.ts";
import { fieldOf, type Conversation, type Made } from "./conversation.ts";
import { weigh, type Draft } from "./draft.ts";
import { isPlanWrite, pathsIn, wishHeader, type Errand } from "./errand.ts";
import { readFeedback, remarksOf, type PlanFeedback, type Remark, type Wishes } from "./feedback.ts";
import { gatherFindings, seenIn, testsOf, type Findings } from "./findings.ts";
import { findOf, firstLook, readOf, type WantedCall } from "./look.ts";
import { coded } from "../rank/names.ts";
import { writePlan } from "./plan.ts";
import { chosenIn, questionFor } from "./question.ts";
import type { Ranking } from "../rank/rank.ts";
import { select, type Selection } from "../rank/select.ts";

export interface ScoutOptions {
  /** Where the tools work. */
  readonly directory: string;
  readonly rank: (task: string) => Promise<Ranking>;
}

/** Scout says something, calls tools, or both. */
export interface Turn {
  readonly say: string;
  readonly calls: readonly WantedCall[];
}

export function saying(say: string): Turn {
  return { say, calls: [] };
}

function calling(...calls: readonly WantedCall[]): Turn {
  return { say: "", calls };
}

const mostRounds = 6;

export async function nextStep(conversation: Conversation, errand: Errand, options: ScoutOptions): Promise<Turn> {
  const { calls, task } = errand;
  if (calls.length === 0 && isWhereQuestion(task.text)) return saying(whereAnswer(await options.rank(task.text)));
  const questions = openQuestions(errand);
  if (questions !== null) return answer(questions, await prepare(errand, options));
  const submitted = afterSubmission(conversation, errand);
  if (submitted !== null) return submitted;
  if (isWritten(conversation, errand)) return calling(exit);
  const draft = await prepare(errand, options);
  if (calls.length === 0) return look(draft);
  return missingReads(draft, calls) ?? ask(draft, calls) ?? writeDown(draft, conversation, errand);
}

const exit: WantedCall = { tool: "ExitPlanMode", input: {} };

/** `where is …`, `which file …`: asked for a place, not for a plan. */
function isWhereQuestion(text: string): boolean {
  return /^\s*(?:where|which files?|what files?|wo|où|dónde)\b[^\n]*\?\s*$/i.test(text);
}

/** The plan was submitted, and nothing was said that calls for another one. */
function afterSubmission({ words, planFile }: Conversation, { calls, feedback, task }: Errand): Turn | null {
  const last = calls.findLast(({ tool }) => tool === "ExitPlanMode");
  const isNewer = ({ at }: { readonly at: number }): boolean => last !== undefined && at > last.at;
  if (last === undefined || isSentBack(last) || feedback.some(isNewer)) return null;
  if (calls.some((call) => isNewer(call) && isPlanWrite(call, planFile))) return null;
  if (last.outcome?.kind === "submitted")
    return saying(`The plan in ${coded(planFile ?? "")} is with the team lead. I wait for the answer.`);
  if (last.outcome?.kind === "revise" && wishOf(last.outcome) === "ask") return askWish(calls, last);
  if (words.some(isNewer) && task.at < last.at) return calling(exit);
  const reason = last.isError ? ` (${last.result.split("\n")[0]})` : "";
  return saying(`The plan stays as it is in ${coded(planFile ?? "")}${reason}. ${wishRequest}`);
}

const wishRequest = "Say what should change: a file to leave out or to add, a narrower scope, no tests.";

function askWish(calls: readonly Made[], last: Made): Turn {
  if (calls.some(({ tool, at }) => tool === "AskUserQuestion" && at > last.at)) return saying(wishRequest);
  const options = [
    { label: "Without tests", description: "Leave the steps for tests out" },
    { label: "Shorter plan", description: "Say which files matter in your own words" },
  ];
  const question = "What should change in the plan? Name files to leave out or to add, or a narrower scope.";
  return asking({ question, header: wishHeader, options, multiSelect: false });
}

function asking(question: UserQuestion): Turn {
  return calling({ tool: "AskUserQuestion", input: { questions: [question] } });
}

async function prepare({ task, feedback, calls }: Errand, options: ScoutOptions): Promise<Draft> {
  const first = await options.rank(task.text);
  const place = { root: first.root, directory: options.directory };
  const known = [...new Set([...first.files.map(({ path }) => path), ...pathsIn(calls), ...seenIn(calls, place)])];
  const told = readFeedback(feedback, known);
  const chosen = chosenIn(calls);
  const more = [...told.more, ...(chosen?.more ?? [])];
  const ranking: Ranking =
    more.length === 0 ? first : { ...(await options.rank([task.text, ...more].join("\n\n"))), root: first.root };
  const wishes: Wishes = told.only.length > 0 ? told : { ...told, only: chosen?.only ?? [] };
  const selection = select(task.text, ranking, wishes);
  const findings = gatherFindings(calls, place, [task.text, ...more].join("\n\n"));
  return {
    task: task.text,
    ranking,
    selection,
    findings,
    ...weigh(selection, findings),
    wishes,
    decisions: chosen === null ? [] : [chosen.decision],
    headings: missingHeadings(calls),
    known,
  };
}

function missingHeadings(calls: readonly Made[]): readonly string[] {
  const outcome = calls.findLast(isSentBack)?.outcome;
  return outcome?.kind === "sent-back" ? outcome.missing : [];
}

function look({ task, ranking, selection }: Draft): Turn {
  const paths = [...selection.change.map(({ path }) => path), ...selection.tests.slice(0, 2)];
  const looks = firstLook(task, ranking, paths);
  const calls = looks.length > 0 ? looks : [{ tool: "Glob", input: { pattern: "**/*", path: ranking.root } }];
  const top = selection.change[0];
  const where = top === undefined ? "" : ` I begin at ${coded(top.path)}.`;
  return { say: `${introduction}\n\nI look for the places that this task touches.${where}`, calls };
}

/** Files of the plan, and the tests beside them, that nobody has read yet. */
function missingReads({ ranking, selection, findings, wishes, known }: Draft, calls: readonly Made[]): Turn | null {
  const rounds = new Set(calls.filter(({ tool }) => tool === "Read" || tool === "Glob").map(({ at }) => at)).size;
  if (rounds >= mostRounds) return null;
  const asked = new Set(calls.map(({ input }) => input["pattern"]));
  const strange = wishes.also.filter((name) => !known.includes(name)).map((name) => findOf(name, ranking));
  const unasked = strange.filter(({ input }) => !asked.has(input["pattern"]));
  if (unasked.length > 0) return calling(...unasked);
  const wanted = [
    ...selection.change.map(({ path }) => path),
    ...(wishes.tests === "none" ? [] : testsToRead(selection, findings)),
  ];
  const unread = [...new Set(wanted)].filter((path) => !findings.texts.has(path) && !findings.unread.has(path));
  return unread.length === 0 ? null : calling(...unread.map((path) => readOf(path, ranking)));
}

function testsToRead({ change, tests }: Selection, findings: Findings): readonly string[] {
  return [...new Set([...testsOf(change, findings, tests), ...tests])].slice(0, 3);
}

function ask(draft: Draft, calls: readonly Made[]): Turn | null {
  if (calls.some(({ tool }) => tool === "AskUserQuestion" || tool === "Write")) return null;
  const question = questionFor(draft);
  return question === null ? null : asking(question);
}

/** Whether the plan stands in its file, with all that was said about it so far. */
function isWritten({ planFile }: Conversation, errand: Errand): boolean {
  return errand.calls.some((call) => isPlanWrite(call, planFile) && call.at > lastDemand(errand));
}

/** When something was said last that calls for another text. */
function lastDemand({ calls, feedback }: Errand): number {
  return Math.max(feedback.at(-1)?.at ?? -1, calls.findLast(isSentBack)?.at ?? -1);
}

function isSentBack({ outcome }: Made): boolean {
  return outcome?.kind === "sent-back";
}

function writeDown(draft: Draft, { planFile }: Conversation, errand: Errand): Turn {
  const { calls, feedback } = errand;
  const plan = writePlan(draft);
  if (planFile === null) return saying(`${plan}\nThis plan could not be saved: there is no plan file.`);
  const write = calls.findLast((call) => isPlanWrite(call, planFile));
  const since = lastDemand(errand);
  const failed = calls.filter(
    ({ tool, input, isError, at }) => tool === "Write" && input["file_path"] === planFile && isError && at > since,
  );
  const read = calls.findLast(
    ({ tool, input, at }) => tool === "Read" && at > since && resolve(String(input["file_path"])) === resolve(planFile),
  );
  if (failed.length > 1) return saying(`${plan}\nThis plan could not be saved: ${failed.at(-1)!.result}`);
  if (failed.length === 1 && read === undefined) return calling({ tool: "Read", input: { file_path: planFile } });
  const before = write === undefined ? null : fieldOf(write, "content");
  const present = read === undefined || read.isError ? null : read.result.replace(/^\d+\t/gm, "");
  const wanted =
    present !== null && before !== null && present.trim() !== before.trim() ? withRecord(present, draft.wishes) : plan;
  const content = wanted === before ? `${wanted}\nRevised; nothing else changed.\n` : wanted;
  const say = write === undefined ? "" : revisedText(draft, feedback.at(-1));
  return { say, calls: [{ tool: "Write", input: { file_path: planFile, content } }] };
}

/** What became of the last remarks, questions answered. */
function revisedText(draft: Draft, last: PlanFeedback | undefined): string {
  if (last === undefined) return "Plan revised.";
  const done = readFeedback([last], draft.known).record.map((remark) => remark.done);
  const answers = remarksOf(last)
    .filter(({ said }) => said.endsWith("?"))
    .map((remark) => answerRemark(remark, draft));
  return [`Plan revised: ${done.join("; ")}.`, ...answers].join("\n\n");
}

function answerRemark({ said, about }: Remark, { known, ranking, findings }: Draft): string {
  const spoken = known.filter((path) => said.includes(path) || about.includes(path));
  return answerTo(said, spoken, { ranking, findings });
}

/** Somebody edited the plan: their text stays, and the remarks are put below it. */
function withRecord(present: string, { record }: Wishes): string {
  const lines = record.map(({ said }) => `- “${said}”: open; the plan above was edited by hand and stays as it is.`);
  return `${present.trimEnd()}\n\n## Feedback\n${lines.join("\n")}\n`;
}

/** The last verdict was made of questions alone. */
function openQuestions({ calls }: Errand): readonly Remark[] | null {
  const outcome = calls.at(-1)?.outcome;
  if (outcome?.kind !== "revise" || wishOf(outcome) !== "answer") return null;
  return remarksOf({ text: outcome.feedback, comments: outcome.comments });
}

function answer(questions: readonly Remark[], draft: Draft): Turn {
  const answers = questions.map((remark) => answerRemark(remark, draft));
  return { say: answers.length === 0 ? placesIn(draft.ranking) : answers.join("\n\n"), calls: [exit] };
}
