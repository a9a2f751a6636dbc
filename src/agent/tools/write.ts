/** Writes a whole file. */
import * as z from "zod";
import { defineTool, type Tool } from "./tool.ts";
import { currentText, replaceText } from "./current-text.ts";
import { told } from "./output.ts";
import { claimWrite, judgedPathOf } from "./paths.ts";

const input = z.strictObject({ file_path: z.string().min(1), content: z.string() });

export const writeTool: Tool = defineTool<z.infer<typeof input>>({
  name: "Write",
  claims: ["write"],
  show: ({ path, text }) => ({ about: path("file_path"), change: { before: null, after: text("content") } }),
  input,
  describe: (prompts) => prompts("tools/write"),
  claim: ({ file_path }, context) => claimWrite("Write", file_path, context),
  async check(_, context) {
    const current = await currentText(judgedPathOf(context.access), context);
    return current.kind === "refused" ? current.output : null;
  },
  async run({ content }, context) {
    const path = judgedPathOf(context.access);
    const current = await currentText(path, context);
    if (current.kind === "refused") return current.output;
    const [hash, said] =
      current.kind === "missing"
        ? [null, context.prompts("tools/files/created", { path })]
        : [current.hash, context.prompts("tools/write/wrote", { path })];
    return replaceText(path, content, { context, hash, output: told(said) });
  },
});
