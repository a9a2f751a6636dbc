/** Replaces exact text in a file. */
import * as z from "zod";
import { defineTool, type RunContext, type Tool, type ToolOutput } from "../ports.ts";
import { currentText, replaceText } from "./current-text.ts";
import { noMatch } from "./edit-hints.ts";
import { refused, told } from "./output.ts";
import { claimWrite, judgedPathOf, missingFile } from "./paths.ts";

const input = z.strictObject({
  file_path: z.string().min(1),
  old_string: z.string(),
  new_string: z.string(),
  replace_all: z.boolean().optional(),
});

type Input = z.infer<typeof input>;

export const editTool: Tool = defineTool<Input>({
  name: "Edit",
  input,
  describe: (prompts) => prompts("tools/edit"),
  claim: ({ file_path }, context) => claimWrite("Edit", file_path, context),
  async run(asked, context) {
    const path = judgedPathOf(context.access);
    const { old_string: from, new_string: to } = asked;
    if (from === to) return refused(context.prompts("results/tool-edit-same"));
    const current = await currentText(path, context);
    if (current.kind === "refused") return current.output;
    if (current.kind === "missing" && from !== "") return refused(await missingFile(path, context));
    if (current.kind === "missing" || (from === "" && current.text === "")) {
      const hash = current.kind === "missing" ? null : current.hash;
      const output = told(context.prompts("results/tool-created", { path }));
      return replaceText(path, to, { context, hash, output });
    }
    if (from === "") return refused(context.prompts("results/tool-edit-exists", { path }));
    if (current.text === null) return refused(context.prompts("results/tool-not-text", { path }));
    return replace({ text: current.text, hash: current.hash }, asked, context);
  },
});

async function replace(
  { text, hash }: { readonly text: string; readonly hash: string },
  asked: Input,
  context: RunContext,
): Promise<ToolOutput> {
  const path = judgedPathOf(context.access);
  const { from, to } = inLineEndsOf(text, { from: asked.old_string, to: asked.new_string });
  const places = placesOf(text, from);
  if (places.length === 0) return refused(noMatch(text, asked.old_string, context));
  if (places.length > 1 && asked.replace_all !== true) {
    const lines = lineNumbers(text, places.slice(0, 10)).join(", ") + (places.length > 10 ? " …" : "");
    return refused(context.prompts("results/tool-edit-many", { path, count: String(places.length), lines }));
  }
  const output =
    places.length === 1
      ? told(context.prompts("results/tool-edited", { path }))
      : told(context.prompts("results/tool-edited-all", { path, count: String(places.length) }));
  return replaceText(path, text.split(from).join(to), { context, hash, output });
}

/** Models write LF; a file of CRLF lines is matched and kept in its own. */
function inLineEndsOf(
  text: string,
  change: { readonly from: string; readonly to: string },
): { readonly from: string; readonly to: string } {
  const crlf = placesOf(text, "\r\n").length;
  const isCrlf = crlf > 0 && crlf * 2 > placesOf(text, "\n").length;
  if (!isCrlf) return change;
  const converted = { from: toCrlf(change.from), to: toCrlf(change.to) };
  return text.includes(converted.from) ? converted : change;
}

function toCrlf(text: string): string {
  return text.replace(/\r?\n/g, "\r\n");
}

function placesOf(text: string, part: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) places.push(at);
  return places;
}

function lineNumbers(text: string, places: readonly number[]): readonly number[] {
  return places.map((place) => placesOf(text.slice(0, place), "\n").length + 1);
}
