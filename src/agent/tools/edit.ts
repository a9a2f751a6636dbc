/** Replaces exact text in a file. */
import * as z from "zod";
import type { RunContext } from "../ports/host.ts";
import type { ToolOutput } from "../ports/ports.ts";
import { defineTool, type Tool } from "./tool.ts";
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
  claims: ["write"],
  show: ({ path, text }) => ({
    about: path("file_path"),
    change: { before: text("old_string"), after: text("new_string") },
  }),
  input,
  describe: (prompts) => prompts("tools/edit"),
  claim: ({ file_path }, context) => claimWrite("Edit", file_path, context),
  async check(asked, context) {
    const edit = await prepare(asked, context);
    return "refused" in edit ? edit.refused : null;
  },
  async run(asked, context) {
    const edit = await prepare(asked, context);
    if ("refused" in edit) return edit.refused;
    const { text, hash, output } = edit;
    return replaceText(judgedPathOf(context.access), text, { context, hash, output });
  },
});

type Prepared =
  | { readonly refused: ToolOutput }
  /** The whole new text, the hash of what it replaces, and what the model hears then. */
  | { readonly text: string; readonly hash: string | null; readonly output: ToolOutput };

async function prepare(asked: Input, context: RunContext): Promise<Prepared> {
  const path = judgedPathOf(context.access);
  const { old_string: from, new_string: to } = asked;
  if (from === to) return not(context.prompts("tools/edit/same"));
  const current = await currentText(path, context);
  if (current.kind === "refused") return { refused: current.output };
  if (current.kind === "missing" && from !== "") return not(await missingFile(path, context));
  if (current.kind === "missing" || (from === "" && current.text === "")) {
    const hash = current.kind === "missing" ? null : current.hash;
    return { text: to, hash, output: told(context.prompts("tools/files/created", { path })) };
  }
  if (from === "") return not(context.prompts("tools/edit/exists", { path }));
  if (current.text === null) return not(context.prompts("tools/files/not-text", { path }));
  return replace({ text: current.text, hash: current.hash }, asked, context);
}

function not(why: string): Prepared {
  return { refused: refused(why) };
}

function replace(
  { text, hash }: { readonly text: string; readonly hash: string },
  asked: Input,
  context: RunContext,
): Prepared {
  const path = judgedPathOf(context.access);
  const { from, to } = inLineEndsOf(text, { from: asked.old_string, to: asked.new_string });
  const places = placesOf(text, from);
  if (places.length === 0) return not(noMatch(text, asked.old_string, context));
  if (places.length > 1 && asked.replace_all !== true) {
    const lines = lineNumbers(text, places.slice(0, 10)).join(", ") + (places.length > 10 ? " …" : "");
    return not(context.prompts("tools/edit/many", { path, count: String(places.length), lines }));
  }
  const output =
    places.length === 1
      ? told(context.prompts("tools/edit/edited", { path }))
      : told(context.prompts("tools/edit/edited-all", { path, count: String(places.length) }));
  return { text: text.split(from).join(to), hash, output };
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
