/** Replaces exact text in a file. */
import * as z from "zod";
import type { RunContext } from "../ports/host.ts";
import type { ToolOutput } from "../ports/ports.ts";
import { defineTool, type Tool } from "./tool.ts";
import { changingFile, currentText, type FileChange } from "./file-change.ts";
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
  ...changingFile(prepare),
});

async function prepare(asked: Input, context: RunContext): Promise<FileChange | ToolOutput> {
  const { prompts } = context;
  const path = judgedPathOf(context.access);
  const { old_string: from, new_string: to } = asked;
  if (from === to) return refused(prompts("tools/edit/same"));
  const current = await currentText(context);
  if ("content" in current) return current;
  const { text, hash } = current;
  if (hash === null && from !== "") return refused(await missingFile(path, context));
  if (from === "" && text === "") return { text: to, hash, output: told(prompts("tools/files/created", { path })) };
  if (from === "") return refused(prompts("tools/edit/exists", { path }));
  if (text === null) return refused(prompts("tools/files/not-text", { path }));
  return replace({ text, hash }, asked, context);
}

function replace(
  { text, hash }: { readonly text: string; readonly hash: string | null },
  asked: Input,
  context: RunContext,
): FileChange | ToolOutput {
  const { prompts } = context;
  const path = judgedPathOf(context.access);
  const { from, to } = inLineEndsOf(text, { from: asked.old_string, to: asked.new_string });
  const places = placesOf(text, from);
  const count = String(places.length);
  if (places.length === 0) return refused(noMatch(text, asked.old_string, context));
  if (places.length > 1 && asked.replace_all !== true) {
    const lines = lineNumbers(text, places.slice(0, 10)).join(", ") + (places.length > 10 ? " …" : "");
    return refused(prompts("tools/edit/many", { path, count, lines }));
  }
  const said =
    places.length === 1 ? prompts("tools/edit/edited", { path }) : prompts("tools/edit/edited-all", { path, count });
  return { text: text.split(from).join(to), hash, output: told(said) };
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

/** What to say when the text to replace is not there: the likeliest slip, with the place. */
function noMatch(text: string, wanted: string, context: RunContext): string {
  const hint = hintFor(text, wanted, context);
  return context.prompts("tools/edit/no-match", { path: judgedPathOf(context.access), hint });
}

const longestExcerpt = 1500;
/** Larger files are not searched for what is merely like it. */
const largestText = 2 * 1024 * 1024;

function hintFor(text: string, wanted: string, { prompts }: RunContext): string {
  const asked = wanted.split("\n");
  if (asked.every((line) => line.trim() === "" || /^\s*\d+\t/.test(line))) return prompts("tools/edit/hint-numbers");
  if (text.length > largestText) return prompts("tools/edit/hint-none");
  const lines = text.split("\n");
  const at = indexOfLoose(lines, trimBlank(asked));
  if (at !== null) {
    const excerpt = lines.slice(at.from, at.to).join("\n").slice(0, longestExcerpt);
    return prompts("tools/edit/hint-space", { from: String(at.from + 1), to: String(at.to), text: excerpt });
  }
  const first = loose(asked.find((line) => line.trim() !== "") ?? "");
  const found = first === "" ? [] : lines.flatMap((line, number) => (loose(line) === first ? [number + 1] : []));
  if (found.length === 0) return prompts("tools/edit/hint-none");
  return prompts("tools/edit/hint-first", { lines: found.slice(0, 5).join(", ") });
}

/** Where the lines stand if white space does not count, lines of it included. */
function indexOfLoose(
  lines: readonly string[],
  wanted: readonly string[],
): { readonly from: number; readonly to: number } | null {
  const have = lines.map(loose);
  const want = wanted.map(loose);
  if (want.length === 0) return null;
  for (let from = 0; from + want.length <= have.length; from += 1) {
    if (want.every((line, at) => have[from + at] === line)) return { from, to: from + want.length };
  }
  return null;
}

function loose(line: string): string {
  return line.replace(/\s+/g, " ").trim();
}

function trimBlank(lines: readonly string[]): readonly string[] {
  const from = lines.findIndex((line) => line.trim() !== "");
  const to = lines.findLastIndex((line) => line.trim() !== "");
  return from < 0 ? [] : lines.slice(from, to + 1);
}
