/** Writes a whole file. */
import * as z from "zod";
import { defineTool, type Tool } from "./tool.ts";
import { changingFile, currentText } from "./file-change.ts";
import { told } from "./output.ts";
import { claimWrite, judgedPathOf } from "./paths.ts";

const input = z.strictObject({ file_path: z.string().min(1), content: z.string() });

type Input = z.infer<typeof input>;

export const writeTool: Tool = defineTool<Input>({
  name: "Write",
  claims: ["write"],
  show: ({ path, text }) => ({ about: path("file_path"), change: { before: null, after: text("content") } }),
  input,
  describe: (prompts) => prompts("tools/write"),
  claim: ({ file_path }, context) => claimWrite("Write", file_path, context),
  ...changingFile(async ({ content: text }: Input, context) => {
    const current = await currentText(context);
    if ("content" in current) return current;
    const { hash } = current;
    const done = hash === null ? "tools/files/created" : "tools/write/wrote";
    return { text, hash, output: told(context.prompts(done, { path: judgedPathOf(context.access) })) };
  }),
});
