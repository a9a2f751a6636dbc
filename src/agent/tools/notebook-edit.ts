/** Changes one cell of a notebook. */
import * as z from "zod";
import { hashText } from "../../core/plan/hash.ts";
import { cellIds, changeNotebook, parseNotebook, type Notebook } from "../host/files/notebook.ts";
import type { RunContext } from "../ports/host.ts";
import type { ToolOutput } from "../ports/ports.ts";
import { defineTool, type Tool } from "./tool.ts";
import { currentText, replaceText } from "./current-text.ts";
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
  async check(asked, context) {
    const found = await lookUp(asked, context);
    return "content" in found ? found : null;
  },
  async run(asked, context) {
    const found = await lookUp(asked, context);
    return "content" in found ? found : change(found, asked, context);
  },
});

/** The cell that is meant, or why there is none. */
async function lookUp(asked: Input, context: RunContext): Promise<Place | ToolOutput> {
  const path = judgedPathOf(context.access);
  const current = await currentText(path, context);
  if (current.kind === "refused") return current.output;
  if (current.kind === "missing") return refused(await missingFile(path, context));
  const notebook = current.text === null ? null : parseNotebook(current.text);
  if (notebook === null) return refused(context.prompts("tools/notebook-edit/broken", { path }));
  const cell = cellOf(notebook, asked, context);
  if (typeof cell !== "number") return cell;
  return { notebook, text: current.text!, hash: current.hash, at: cell };
}

interface Place {
  readonly notebook: Notebook;
  readonly text: string;
  readonly hash: string;
  /** The cell to change, or the place of the new one. */
  readonly at: number;
}

const doneTexts = {
  replace: "tools/notebook-edit/replaced",
  insert: "tools/notebook-edit/inserted",
  delete: "tools/notebook-edit/deleted",
} as const;

async function change({ notebook, text, hash, at }: Place, asked: Input, context: RunContext): Promise<ToolOutput> {
  const { edit_mode: mode = "replace", new_source: source, cell_type: type } = asked;
  const path = judgedPathOf(context.access);
  const id = hashText(`${hash} ${at} ${source}`).slice(0, 8);
  const changed = changeNotebook(notebook, text, { mode, at, source, type, id });
  const cell = cellIds(mode === "delete" ? notebook : parseNotebook(changed)!)[at]!;
  const output = told(context.prompts(doneTexts[mode], { cell }));
  return replaceText(path, changed, { context, hash, output });
}

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
