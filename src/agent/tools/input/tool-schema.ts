/** A tool's input, described to the model. */
import * as z from "zod";
import type { ToolDescription } from "../../ports/model.ts";
import { isZod } from "./tool-input.ts";
import type { Tool } from "../tool.ts";

/** Foreign schemas are told as they are: their servers check what ours leave out. */
export function inputSchema({ input }: Tool): ToolDescription["schema"] {
  if (!isZod(input)) return { type: "object", ...input };
  return trimmed(z.toJSONSchema(input, { io: "input", unrepresentable: "any" })) as ToolDescription["schema"];
}

/** What the model has no use for costs bytes in every request. */
function trimmed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(trimmed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, part]) => !isNoise(key, part))
      .map(([key, part]) => [key, trimmed(part)]),
  );
}

/** Lengths and bounds are checked by us; a call that breaks them is told so. */
function isNoise(key: string, part: unknown): boolean {
  if (key === "$schema" || key === "minLength" || key === "maxLength" || key === "pattern")
    return typeof part !== "object";
  if (key === "additionalProperties") return part === false || isEmpty(part);
  return (key === "minimum" || key === "maximum") && typeof part === "number";
}

function isEmpty(part: unknown): boolean {
  return typeof part === "object" && part !== null && Object.keys(part).length === 0;
}
