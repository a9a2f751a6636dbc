/** Changes one cell of a notebook. */
import * as z from "zod";
import { hashText } from "../../core/plan/hash.ts";
import { cellIds, changeNotebook, parseNotebook, type Notebook } from "../host/files/notebook.ts";
import type { RunContext } from "../ports/host.ts";
import type { ToolOutput } from "../ports/ports.ts";
import { defineTool, type Tool } from "./tool.ts";
import { changingFile, currentText, type FileChange } from "./file-change.ts";
import { refused, told } from "./output.ts";
import { claimWrite, judgedPathOf, missingFile } from "./paths.ts";

const input = z.strictObject({
  notebook_path: z.string().min(1),
  cell_id: z.string().optional(),
  new_source: z.string(),
  cell_type: z.enum(["code", "markdown"]).optional(),
  edit_mode: z.enum(["replace", "insert", "delete"]).optional(),
});

type Input = z.infer<typeof input>;

export const notebookEditTool: Tool = defineTool<Input>({
  name: "NotebookEdit",
  claims: ["write"],
  show: ({ path }) => ({ about: path("notebook_path") }),
  deferred: "large-list",
  searchHint: "jupyter notebook cells ipynb",
  input,
  describe: (prompts) => prompts("tools/notebook-edit"),
  claim: ({ notebook_path }, context) => claimWrite("NotebookEdit", notebook_path, context),
  ...changingFile(prepare),
});

const doneTexts = {
  replace: "tools/notebook-edit/replaced",
  insert: "tools/notebook-edit/inserted",
  delete: "tools/notebook-edit/deleted",
} as const;

async function prepare(asked: Input, context: RunContext): Promise<FileChange | ToolOutput> {
  const path = judgedPathOf(context.access);
  const current = await currentText(context);
  if ("content" in current) return current;
  const { text: before, hash } = current;
  if (hash === null) return refused(await missingFile(path, context));
  const notebook = before === null ? null : parseNotebook(before);
  if (before === null || notebook === null) return refused(context.prompts("tools/notebook-edit/broken", { path }));
  const at = cellOf(notebook, asked, context);
  if (typeof at !== "number") return at;
  const { edit_mode: mode = "replace", new_source: source, cell_type: type } = asked;
  const id = hashText(`${hash} ${at} ${source}`).slice(0, 8);
  const text = changeNotebook(notebook, before, { mode, at, source, type, id });
  const cell = cellIds(mode === "delete" ? notebook : parseNotebook(text)!)[at]!;
  return { text, hash, output: told(context.prompts(doneTexts[mode], { cell })) };
}

/** The cell to change, or the place of the new one; or why there is none. */
function cellOf(notebook: Notebook, { cell_id: id, edit_mode: mode }: Input, context: RunContext): number | ToolOutput {
  const path = judgedPathOf(context.access);
  const cells = cellIds(notebook);
  const at = id === undefined ? -1 : cells.indexOf(id);
  if (id !== undefined && at < 0) {
    return refused(context.prompts("tools/notebook-edit/no-cell", { path, cell: id, cells: cells.join(", ") }));
  }
  if (mode === "insert") return at + 1;
  if (id !== undefined) return at;
  return refused(context.prompts("tools/notebook-edit/needs-cell", { path, cells: cells.join(", ") }));
}
