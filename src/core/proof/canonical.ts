/** JSON in exactly one form: keys sorted, two blanks a level, whole numbers, ASCII alone; what Python's `json.dumps(…, sort_keys=True, indent=2)` writes. */
import { hashText } from "../plan/hash.ts";

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Ends with a newline. */
export function canonicalJson(value: Json): string {
  return `${written(value, "\n")}\n`;
}

/** SHA-256 of the canonical text. */
export function digestOf(value: Json): string {
  return hashText(canonicalJson(value));
}

function written(value: Json, lineStart: string): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return quoted(value);
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) throw new RangeError(`${value} has no canonical form`);
    return String(value === 0 ? 0 : value);
  }
  const inner = `${lineStart}  `;
  if (isList(value))
    return enclosed(
      "[]",
      value.map((part) => written(part, inner)),
      lineStart,
    );
  const keys = Object.keys(value).toSorted((one, other) => (one < other ? -1 : 1));
  const members = keys.map((key) => `${quoted(key)}: ${written(value[key]!, inner)}`);
  return enclosed("{}", members, lineStart);
}

function enclosed(brackets: "[]" | "{}", parts: readonly string[], lineStart: string): string {
  if (parts.length === 0) return brackets;
  const inner = `${lineStart}  `;
  return `${brackets[0]}${inner}${parts.join(`,${inner}`)}${lineStart}${brackets[1]}`;
}

function isList(value: readonly Json[] | { readonly [key: string]: Json }): value is readonly Json[] {
  return Array.isArray(value);
}

function quoted(text: string): string {
  const beyondAscii = /[^\0-\x7f]/g;
  return JSON.stringify(text).replace(beyondAscii, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
