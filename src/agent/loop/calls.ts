/** A model's raw call becomes a judged one: parsed, and with what it would touch. */
import type { Call } from "../../core/decide/access.ts";
import type { LookContext } from "../ports/host.ts";
import type { RawCall } from "../ports/ports.ts";
import type { Tool } from "../tools/tool.ts";
import { parseInput } from "../tools/input/tool-input.ts";

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
    const parsed = await parseInput(tool, input);
    if ("problem" in parsed) return invalid(parsed.problem);
    const { access, subjects } = await tool.claim(parsed.input, context);
    if (access.kind !== "invalid" && !tool.claims.includes(access.kind))
      return invalid(`${name} may not claim ${access.kind}, only ${tool.claims.join(", ")}`);
    return { id, tool: name, input, access, subjects };
  } catch (error) {
    return invalid(error instanceof Error ? error.message : String(error));
  }
}
