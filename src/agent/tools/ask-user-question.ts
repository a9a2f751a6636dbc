/** Asks the person; never gives an answer that nobody gave (B8.5). */
import * as z from "zod";
import type { QuestionAnswer } from "../../core/questions.ts";
import type { RunContext } from "../ports/host.ts";
import type { ToolOutput } from "../ports/ports.ts";
import { defineTool, type Tool } from "./tool.ts";
import { refused, told } from "./output.ts";

const question = z.strictObject({
  question: z.string().min(1),
  header: z.string().min(1).max(30).describe("A word or two"),
  options: z
    .array(z.strictObject({ label: z.string().min(1), description: z.string() }))
    .min(2)
    .max(4),
  multiSelect: z.boolean().default(false),
});
const input = z.strictObject({
  questions: z
    .array(question)
    .min(1)
    .max(4)
    .refine((all) => new Set(all.map(({ question }) => question)).size === all.length, {
      error: "each question must be asked once",
    }),
});

type Input = z.infer<typeof input>;

export const askUserQuestionTool: Tool = defineTool<Input>({
  name: "AskUserQuestion",
  claims: ["ask-user"],
  label: "Question",
  show: () => ({ result: "answer" }),
  input,
  describe: (prompts) => prompts("tools/ask-user-question"),
  claim: ({ questions }) => ({ access: { kind: "ask-user", questions }, subjects: [{ rule: "AskUserQuestion" }] }),
  run: async ({ questions }, context) =>
    outputOf(context.answer ?? (await ask(questions, context)), questions, context),
});

/** In a log from before questions were state of the session, the call asks by itself. */
async function ask(questions: Input["questions"], { person, signal, live }: RunContext): Promise<QuestionAnswer> {
  try {
    return (await person.answer({ id: live.callId, questions }, signal))?.answer ?? { status: "not-shown" };
  } catch {
    return { status: "not-shown" };
  }
}

function outputOf(answer: QuestionAnswer, questions: Input["questions"], { prompts }: RunContext): ToolOutput {
  switch (answer.status) {
    case "declined":
      return told(prompts("tools/ask-user-question/declined"));
    case "dismissed":
      return told(prompts("tools/ask-user-question/dismissed"));
    case "not-shown":
      return refused(prompts("tools/ask-user-question/not-shown"));
    case "answered": {
      const byText = new Map(Object.entries(answer.answers));
      const given = questions.map(({ question }) => byText.get(question)?.trim() ?? "");
      const notes = answer.notes?.trim() ?? "";
      if (given.every((text) => text === "") && notes === "") return told(prompts("tools/ask-user-question/dismissed"));
      const lines = questions.map(({ question }, at) => {
        const text = given[at] === "" ? prompts("tools/ask-user-question/missing") : given[at]!;
        return prompts("tools/ask-user-question/line", { question, answer: text });
      });
      const added = notes === "" ? [] : [prompts("tools/ask-user-question/notes", { notes })];
      const output = told(
        [prompts("tools/ask-user-question/answers", { answers: lines.join("\n") }), ...added].join("\n"),
      );
      const answers = questions.map(({ question }, at) => ({ question, answer: given[at]! }));
      return { ...output, answers: answers.filter((one) => one.answer !== ""), ...(notes === "" ? {} : { notes }) };
    }
  }
}
