/** A model's raw call becomes a judged one: parsed, and with what it would touch. */
import type * as z from "zod";
import type { Call } from "../../core/decide/access.ts";
import type { LookContext, RawCall, Tool } from "../ports/ports.ts";

/** Never throws: what cannot be understood becomes a call with an invalid access. */
export async function prepareCall(raw: RawCall, tools: readonly Tool[], context: LookContext): Promise<Call> {
  const { id, tool: name, input } = raw;
  const invalid = (reason: string): Call => ({
    id,
    tool: name,
    input,
    access: { kind: "invalid", reason: reason.replace(/\.$/, "") },
    subjects: [],
  });
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) {
    return invalid(`there is no tool named ${name}, only ${tools.map((known) => known.name).join(", ")}`);
  }
  if (raw.invalidInput !== undefined) return invalid("The input was not a JSON object.");
  try {
    const parsed = tool.input.safeParse(input);
    if (!parsed.success) return invalid(problemsOf(parsed.error));
    const { access, subjects } = await tool.claim(parsed.data, context);
    return { id, tool: name, input, access, subjects };
  } catch (error) {
    return invalid(error instanceof Error ? error.message : String(error));
  }
}

const mostProblems = 5;

/** Which field, and what was expected there. */
function problemsOf({ issues }: z.ZodError): string {
  const said = issues.slice(0, mostProblems).map((issue) => {
    const place = issue.path.map(String).join(".");
    return place === "" ? issue.message : `${place}: ${lowered(issue.message)}`;
  });
  const rest = issues.length > mostProblems ? [`and ${issues.length - mostProblems} more`] : [];
  return [...said, ...rest].join("; ");
}

function lowered(message: string): string {
  return message.replace(/^Invalid input: /, "").replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}
