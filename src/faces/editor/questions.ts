/** Questions of the model: a form where the editor has forms, else one choice after the other; never an answer that nobody gave (B8.5). */
import {
  methods,
  type AgentContext,
  type ElicitationPropertySchema,
  type PermissionOption,
  type ToolCallUpdate,
} from "@agentclientprotocol/sdk";
import type { OpenQuestions, QuestionAnswer, UserQuestion } from "../../core/questions.ts";
import { fitted, textContent } from "./tool-calls.ts";

/** What the editor chose: null where it cannot be asked, "cancelled" where nobody chose. */
export type AskEditor = (
  toolCall: ToolCallUpdate,
  options: readonly PermissionOption[],
  signal: AbortSignal,
) => Promise<string | null>;

interface FormAsking {
  readonly client: AgentContext;
  readonly sessionId: string;
  readonly callId: string;
  readonly signal: AbortSignal;
}

/** Null: it could not be shown. */
export async function askForm(
  { questions }: OpenQuestions,
  { client, sessionId, callId, signal }: FormAsking,
): Promise<QuestionAnswer | null> {
  const properties = Object.fromEntries(questions.flatMap(fieldsOf));
  const [first] = questions;
  try {
    const reply = await client.request(
      methods.client.elicitation.create,
      {
        mode: "form",
        sessionId,
        toolCallId: callId,
        message: questions.length === 1 ? first!.question : `${questions.length} questions`,
        requestedSchema: { type: "object", properties },
      },
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    );
    if (reply.action === "decline") return { status: "declined" };
    const content = reply.action === "accept" && "content" in reply ? reply.content : null;
    if (content === null || content === undefined) return { status: "dismissed" };
    const given = new Map(Object.entries(content));
    const answers = questions.map((question, at) => [question.question, answerText(question, at, given)] as const);
    return { status: "answered", answers: Object.fromEntries(answers.filter(([, text]) => text !== "")) };
  } catch {
    return signal.aborted ? { status: "dismissed" } : null;
  }
}

/** Nothing is required: words of one's own are an answer, too. */
function fieldsOf(question: UserQuestion, at: number): [string, ElicitationPropertySchema][] {
  const { header, options, multiSelect } = question;
  const choices = options.map(({ label, description }) => ({ const: label, title: label, description }));
  const named = { title: header, description: question.question };
  const picked: ElicitationPropertySchema = multiSelect
    ? { type: "array", ...named, items: { anyOf: choices } }
    : { type: "string", ...named, oneOf: choices };
  return [
    [field(at), picked],
    [`${field(at)}_other`, { type: "string", title: `${header}: something else`, description: "In your own words" }],
  ];
}

function field(at: number): string {
  return `question_${at + 1}`;
}

function answerText({ options }: UserQuestion, at: number, given: ReadonlyMap<string, unknown>): string {
  const value = given.get(field(at));
  const picked = (Array.isArray(value) ? value : [value]).filter((one) => options.some(({ label }) => label === one));
  const other = given.get(`${field(at)}_other`);
  return [...picked, ...(typeof other === "string" && other.trim() !== "" ? [other.trim()] : [])].join(", ");
}

interface ChoiceAsking {
  readonly ask: AskEditor;
  readonly callId: string;
  readonly signal: AbortSignal;
}

/** Null: it could not be shown. */
export async function askChoices(
  { questions }: OpenQuestions,
  { ask, callId, signal }: ChoiceAsking,
): Promise<QuestionAnswer | null> {
  const answers: Record<string, string> = {};
  for (const question of questions) {
    const picked: number[] = [];
    for (let isDone = false; !isDone;) {
      const chosen = await ask(questionCall(question, callId, picked), choicesOf(question, picked), signal);
      if (chosen === null) return null;
      if (chosen === "cancelled") return { status: "dismissed" };
      if (chosen === decline) return { status: "declined" };
      if (chosen !== enough) picked.push(Number(chosen));
      isDone = chosen === enough || !question.multiSelect || picked.length === question.options.length;
    }
    answers[question.question] = picked
      .toSorted((one, other) => one - other)
      .map((at) => question.options[at]!.label)
      .join(", ");
  }
  return { status: "answered", answers };
}

const decline = "decline";
const enough = "enough";

function choicesOf({ options }: UserQuestion, picked: readonly number[]): readonly PermissionOption[] {
  const open = options.flatMap(({ label }, at): PermissionOption[] =>
    picked.includes(at) ? [] : [{ optionId: String(at), name: fitted(label, 200), kind: "allow_once" }],
  );
  const done: PermissionOption[] =
    picked.length === 0 ? [] : [{ optionId: enough, name: "That is all", kind: "allow_once" }];
  return [...open, ...done, { optionId: decline, name: "Decline to answer", kind: "reject_once" }];
}

function questionCall(
  { question, header, options, multiSelect }: UserQuestion,
  toolCallId: string,
  picked: readonly number[],
) {
  const lines = options.map(({ label, description }, at) => {
    const more = description === "" ? "" : `: ${description}`;
    return `- ${picked.includes(at) ? "✓ " : ""}${label}${more}`;
  });
  const several = multiSelect ? ["", "Several are possible, one after the other."] : [];
  return {
    toolCallId,
    kind: "other" as const,
    status: "pending" as const,
    title: fitted(`${header}: ${question}`, 300),
    content: [textContent(fitted([question, "", ...lines, ...several].join("\n"), 4_000))],
  };
}
