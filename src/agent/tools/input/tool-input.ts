/** A tool's input, checked; whoever embeds a session loads no schema library for it before there is a tool. */
import type * as z from "zod";
import type { JsonSchema, Tool } from "../tool.ts";

/** `never`: what each tool's own functions take. */
export type ParsedInput = { readonly input: never } | { readonly problem: string };

export async function parseInput(tool: Tool, input: unknown): Promise<ParsedInput> {
  const schema = isZod(tool.input) ? tool.input : (await import("./json-schema.ts")).zodOf(tool.input);
  const parsed = schema.safeParse(input);
  return parsed.success ? { input: parsed.data as never } : { problem: problemsOf(parsed.error) };
}

export function isZod(input: z.ZodType | JsonSchema): input is z.ZodType {
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
