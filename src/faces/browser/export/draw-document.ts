/** Draws a plan's file by the page's own renderer, which the build keeps beside the page: it is loaded only for this. */
import { stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pageFolder } from "../server/assets.ts";
import type { ExportedPlan, PageExport } from "./exported-plan.ts";

/** Null where the page was not built into this installation. */
export async function drawDocument(plan: ExportedPlan): Promise<string | null> {
  const folder = await pageFolder();
  const file = folder === null ? null : join(folder, "export.cjs");
  if (file === null || (await stat(file).catch(() => null)) === null) return null;
  const { planDocument } = createRequire(import.meta.url)(file) as PageExport;
  return planDocument(plan);
}
