/** Questions and permissions by lines. */
import type { QuestionAnswer, UserQuestion } from "../../../../core/questions.ts";
import { safeText } from "../../view/safe-text.ts";
import { unstyled } from "../../view/theme.ts";
import { choicesOf, type Permission } from "../permission.ts";
import { permissionContent } from "../permission-content.ts";
import type { PermissionRequest } from "../../../../agent/answers/permission-request.ts";
import { splitWord, type PlainDesk } from "./ask-lines.ts";
import { answersOf, answerText, openedQuestions, unanswered, type AnswerDraft } from "../questions/state.ts";
import { boxOf } from "../../keys/text-box.ts";

export async function plainQuestions(
  questions: readonly UserQuestion[],
  { print, ask }: PlainDesk,
): Promise<QuestionAnswer> {
  const answering: AnswerDraft[] = [];
  for (const [index, question] of questions.entries()) {
    print(questionText(question, questions.length === 1 ? "" : ` ${index + 1} of ${questions.length}`));
    const line = await ask("Your answer (a number, or your own words; empty: none; x: decline all; q: stop):");
    if (line === null || line.toLowerCase() === "q") return { status: "dismissed" };
    if (line.toLowerCase() === "x") return { status: "declined" };
    answering.push(answered(question, line));
  }
  const state = { ...openedQuestions(questions), answering };
  print(["Your answers:", ...questions.map((question, index) => reviewed(question, answering[index]!))].join("\n"));
  const line = await ask("Send them? y, or y and notes: send; x: decline; anything else: stop:");
  const { word, rest } = splitWord(line ?? "");
  if (word === "x") return { status: "declined" };
  const answer = word === "y" ? answersOf({ ...state, notes: boxOf(rest) }) : null;
  return answer ?? { status: "dismissed" };
}

export async function plainPermission(
  request: PermissionRequest,
  { print, ask }: PlainDesk,
): Promise<Permission | null> {
  print(permissionText(request));
  const choices = choicesOf(request);
  for (;;) {
    const line = await ask("Your choice (empty: no):");
    if (line === null) return null;
    const { word, rest } = splitWord(line);
    if (word === "") return { allowed: false };
    const choice = choices.find(({ letter }, index) => word === letter || word === String(index + 1));
    if (choice?.does === "allow") return { allowed: true };
    if (choice?.does === "session") return { allowed: true, forSession: request.offers.session };
    if (choice?.does === "stop") return { allowed: false, stop: true };
    if (choice?.does === "deny" || choice?.does === "reason")
      return { allowed: false, ...(rest === "" ? {} : { reason: rest }) };
    if (choice?.does === "remember") {
      const kept = await plainRules(request, { print, ask });
      if (kept === null) return null;
      if (kept.length > 0) return { allowed: true, remember: kept };
      continue;
    }
    print(`"${safeText(word.slice(0, 40))}" is no choice.`);
  }
}

/** Null where no more lines come; none: back to the choices. */
async function plainRules(request: PermissionRequest, { print, ask }: PlainDesk): Promise<readonly string[] | null> {
  let rules = request.offers.always;
  for (;;) {
    const { rules: shown, coversThis } = request.preview(rules);
    const isGood = shown.every(({ problem }) => problem === null);
    const told = shown.map(({ words, problem }) =>
      problem === null ? `Covers ${words}` : `Not understood: ${problem}`,
    );
    const missed = coversThis || !isGood ? [] : ["It does not cover this one: that would be asked about again."];
    print([`This goes into your local settings: ${rules.join(", ")}`, ...told, ...missed].map(safeText).join("\n"));
    const line = await ask("Write it and allow? y: yes; another rule: instead of it; empty: back:");
    if (line === null) return null;
    if (line.trim() === "") return [];
    if (line.toLowerCase() === "y") {
      if (isGood) return rules;
    } else rules = [line.trim()];
  }
}

function questionText({ question, options, multiSelect }: UserQuestion, which: string): string {
  const listed = options.map(({ label, description }, index) => {
    const more = description === "" ? "" : `: ${safeText(description)}`;
    return `${index + 1}. ${safeText(label)}${more}`;
  });
  const several = multiSelect ? ["Several are possible: 1,3"] : [];
  return [`Question${which}: ${safeText(question)}`, ...listed, ...several].join("\n");
}

/** Numbers that are all options are options; everything else is the person's own words. */
function answered({ options, multiSelect }: UserQuestion, line: string): AnswerDraft {
  const numbers = line.split(/[\s,]+/).map(Number);
  const areOptions =
    line !== "" && numbers.every((number) => Number.isInteger(number) && number >= 1 && number <= options.length);
  const picked = [...new Set(numbers.map((number) => number - 1))];
  if (areOptions && (multiSelect || picked.length === 1)) return { ...unanswered, picked };
  return line === "" ? unanswered : { ...unanswered, picked: [options.length], other: boxOf(line) };
}

function reviewed(question: UserQuestion, answering: AnswerDraft): string {
  const answer = answerText(question, answering);
  return `${safeText(question.question)} ${answer === "" ? "(not answered)" : safeText(answer)}`;
}

function permissionText(request: PermissionRequest): string {
  const content = permissionContent(request, unstyled());
  const body = content.pages(10_000);
  const rows = Array.from({ length: body.length }, (_, index) => body.rows(index)).flat();
  const { question } = request.ask;
  const part =
    "part" in question && question.part !== null ? [`The part that decided: ${safeText(question.part)}`] : [];
  const choices = choicesOf(request).map(({ letter, label }, index) => `${index + 1} or ${letter}: ${label}`);
  const reason = choicesOf(request).some(({ does }) => does === "reason")
    ? ["Words behind a no go along: n use make"]
    : [];
  return [
    `${content.title} (${request.mode} mode)`,
    ...content.warnings.map(safeText),
    ...content.notes.map(safeText),
    ...rows,
    ...part,
    ...choices,
    ...reason,
  ].join("\n");
}
