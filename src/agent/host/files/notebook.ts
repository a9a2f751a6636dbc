/** Jupyter notebooks: reading them as cells, changing one cell, and nothing else of the file. */
import * as z from "zod";
import { isObject } from "../../../core/wire/shape.ts";

const cellShape = z.looseObject({
  id: z.string().optional(),
  cell_type: z.string(),
  source: z.union([z.string(), z.array(z.string())]),
  outputs: z.array(z.looseObject({})).optional(),
});
const notebookShape = z.looseObject({
  cells: z.array(cellShape),
  nbformat: z.number().optional(),
  nbformat_minor: z.number().optional(),
});

export type Notebook = z.infer<typeof notebookShape>;
type Cell = z.infer<typeof cellShape>;

export interface CellChange {
  readonly mode: "replace" | "insert" | "delete";
  readonly at: number;
  readonly source: string;
  readonly type: "code" | "markdown" | undefined;
  /** For a new cell, where the format wants one. */
  readonly id: string;
}

/** Null: not a notebook. */
export function parseNotebook(text: string): Notebook | null {
  try {
    return notebookShape.parse(JSON.parse(text.replace(/^\uFEFF/, "")));
  } catch {
    return null;
  }
}

/** Cells by their ids, or `cell-0`, `cell-1` … where they have none. */
export function cellIds({ cells }: Notebook): readonly string[] {
  return cells.map(({ id }, at) => id ?? `cell-${at}`);
}

export function renderNotebook(notebook: Notebook): string {
  const ids = cellIds(notebook);
  return notebook.cells
    .map((cell, at) => {
      const outputs = (cell.outputs ?? []).map(renderOutput).filter((text) => text !== "");
      const result = outputs.length === 0 ? "" : `\n<output>\n${outputs.join("\n")}\n</output>`;
      return `<cell id="${ids[at]}" type="${cell.cell_type}">\n${joined(cell.source)}${result}\n</cell>`;
    })
    .join("\n");
}

/** The text of the changed notebook, indented as the old one. */
export function changeNotebook(notebook: Notebook, oldText: string, change: CellChange): string {
  const cells = [...notebook.cells];
  if (change.mode === "delete") cells.splice(change.at, 1);
  else if (change.mode === "insert") cells.splice(change.at, 0, newCell(notebook, change));
  else cells[change.at] = withSource(cells[change.at]!, change);
  const indent = /^[{[]\r?\n([ \t]+)/.exec(oldText.replace(/^\uFEFF/, ""))?.[1];
  const text = JSON.stringify({ ...notebook, cells }, null, indent);
  return oldText.endsWith("\n") ? `${text}\n` : text;
}

function newCell(notebook: Notebook, { type = "code", source, id }: CellChange): Cell {
  const hasIds = (notebook.nbformat ?? 4) > 4 || (notebook.nbformat_minor ?? 0) >= 5;
  const base = { ...(hasIds ? { id } : {}), cell_type: type, metadata: {}, source: linesOf(source) };
  return type === "code" ? { ...base, execution_count: null, outputs: [] } : base;
}

/** Outputs of the old source would be lies about the new one. */
function withSource(cell: Cell, { type, source }: CellChange): Cell {
  const kind = type ?? cell.cell_type;
  const { outputs: _, execution_count: __, ...rest } = cell;
  const changed = { ...rest, cell_type: kind, source: typeof cell.source === "string" ? source : linesOf(source) };
  return kind === "code" ? { ...changed, execution_count: null, outputs: [] } : changed;
}

function linesOf(source: string): string[] {
  return source === "" ? [] : source.split(/(?<=\n)/);
}

const longestOutput = 4000;

function renderOutput(output: Readonly<Record<string, unknown>>): string {
  const kinds = isObject(output["data"]) ? output["data"] : {};
  const text = output["text"] ?? kinds["text/plain"];
  const images = Object.keys(kinds).filter((kind) => kind.startsWith("image/"));
  const error = output["output_type"] === "error" ? `${joined(output["ename"])}: ${joined(output["evalue"])}` : "";
  const whole = [joined(text), ...images.map((kind) => `[${kind}]`), error].filter((part) => part !== "").join("\n");
  return whole.length > longestOutput ? `${whole.slice(0, longestOutput)}…` : whole;
}

function joined(text: unknown): string {
  if (Array.isArray(text)) return text.filter((part) => typeof part === "string").join("");
  return typeof text === "string" ? text : "";
}
