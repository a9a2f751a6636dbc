/** Checks input against a JSON Schema of foreign make; loaded when the first such tool is called. */
import * as z from "zod";
import type { JsonSchema } from "../tool.ts";

/** Keywords that cannot be checked here are left to the server; a schema that cannot be read at all asks for an object. */
export function zodOf(schema: JsonSchema): z.ZodType {
  try {
    return z.fromJSONSchema({ type: "object", ...(checkable(schema) as JsonSchema) });
  } catch {
    return z.looseObject({});
  }
}

function checkable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(checkable);
  if (typeof schema !== "object" || schema === null) return schema;
  const fields = Object.entries(schema).filter(([key]) => !unchecked.has(key));
  return Object.fromEntries(fields.map(([key, part]) => [key, partOf(key, part)]));
}

/** Below some keywords stand names or plain values, not schemas. */
function partOf(key: string, part: unknown): unknown {
  if (plain.has(key)) return part;
  if (!byName.has(key) || typeof part !== "object" || part === null) return checkable(part);
  return Object.fromEntries(Object.entries(part).map(([name, schema]) => [name, checkable(schema)]));
}

const unchecked = new Set([
  "not",
  "if",
  "then",
  "else",
  "dependentSchemas",
  "dependentRequired",
  "unevaluatedItems",
  "unevaluatedProperties",
]);
const plain = new Set(["enum", "const", "default", "examples", "required"]);
const byName = new Set(["properties", "patternProperties", "$defs", "definitions"]);
