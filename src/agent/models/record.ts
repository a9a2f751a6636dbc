/** Looking into values of unknown shape, as libraries throw and logs keep them. */
import { isObject } from "../../core/wire/shape.ts";

export function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

/** Empty when the field is not a text. */
export function textOf(value: unknown, name: string): string {
  const field = fieldOf(value, name);
  return typeof field === "string" ? field : "";
}

/** The entries that are texts. */
export function textsOf(value: unknown): Record<string, string> {
  const entries = Object.entries(isObject(value) ? value : {});
  return Object.fromEntries(entries.flatMap(([name, text]) => (typeof text === "string" ? [[name, text]] : [])));
}
