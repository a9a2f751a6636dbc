/** A tool's input: checked, and described to the model. */
import * as z from "zod";
import type { ToolDescription } from "../ports/model.ts";
import type { JsonSchema, Tool } from "./tool.ts";

/** `never`: what each tool's own functions take. */
export type ParsedInput = { readonly input: never } | { readonly problem: string };

export async function parseInput(tool: Tool, input: unknown): Promise<ParsedInput> {
  const schema = isZod(tool.input) ? tool.input : (await import("./json-schema.ts")).zodOf(tool.input);
  const parsed = schema.safeParse(input);
  return parsed.success ? { input: parsed.data as never } : { problem: problemsOf(parsed.error) };
}

/** Foreign schemas are told as they are: their servers check what ours leave out. */
export function inputSchema({ input }: Tool): ToolDescription["schema"] {
  if (!isZod(input)) return { type: "object", ...input };
  return trimmed(z.toJSONSchema(input, { io: "input", unrepresentable: "any" })) as ToolDescription["schema"];
}

function isZod(input: z.ZodType | JsonSchema): input is z.ZodType {
  return "_zod" in input;
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

/** What the model has no use for costs bytes in every request. */
function trimmed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(trimmed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, part]) => !isNoise(key, part))
      .map(([key, part]) => [key, trimmed(part)]),
  );
}

/** Lengths and bounds are checked by us; a call that breaks them is told so. */
function isNoise(key: string, part: unknown): boolean {
  if (key === "$schema" || key === "minLength" || key === "maxLength" || key === "pattern")
    return typeof part !== "object";
  if (key === "additionalProperties") return part === false || isEmpty(part);
  return (key === "minimum" || key === "maximum") && typeof part === "number";
}

function isEmpty(part: unknown): boolean {
  return typeof part === "object" && part !== null && Object.keys(part).length === 0;
}
