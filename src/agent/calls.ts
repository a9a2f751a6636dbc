/** A model's raw call becomes a judged one: parsed, and with what it would touch. */
import type { Call } from "../core/access.ts";
import type { LookContext, RawCall, Tool } from "./ports.ts";

/** Never throws: what cannot be understood becomes a call with an invalid access. */
export async function prepareCall(raw: RawCall, tools: readonly Tool[], context: LookContext): Promise<Call> {
  const { id, tool: name, input } = raw;
  const invalid = (reason: string): Call => ({
    id,
    tool: name,
    input,
    access: { kind: "invalid", reason },
    subjects: [],
  });
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) return invalid(`There is no tool named ${name}.`);
  const parsed = tool.input.safeParse(input);
  if (!parsed.success) return invalid(parsed.error.message);
  try {
    const { access, subjects } = await tool.claim(parsed.data, context);
    return { id, tool: name, input, access, subjects };
  } catch (error) {
    return invalid(error instanceof Error ? error.message : String(error));
  }
}
