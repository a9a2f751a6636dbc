/** What is wrong with a setting and what to do about it, in words: misplaced, misspelt or of the wrong kind (B8.4). */
import type * as z from "zod";
import { settingsShape } from "../../core/settings/shape.ts";
import { nearest } from "../../core/nearest.ts";
import { isObject } from "../../core/wire/shape.ts";

type Issue = z.core.$ZodIssue;

export interface Complaint {
  readonly path: readonly PropertyKey[];
  readonly about: "key" | "value";
  readonly message: string;
}

export function explain(issue: Issue): Complaint[] {
  const path = issue.path.map(String);
  const key = path.join(".");
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((name) => ({ path: [...path, name], about: "key", message: unknownKey(path, name) }));
    case "invalid_key":
      return [{ path, about: "key", message: `"${key}": ${issue.issues[0]?.message ?? "this name is not possible"}.` }];
    case "invalid_type":
      return [value(path, `"${key}" must be ${kindOf(issue.expected)}.`, "The settings must be an object: { … }.")];
    case "invalid_value":
      return [value(path, `"${key}" must be ${oneOf(issue.values)}${meant(issue)}`)];
    case "invalid_union":
      return [value(path, `"${key}" must be ${unionOf(issue)}.`)];
    case "too_small":
      return [
        value(path, `"${key}" ${issue.origin === "number" ? `must be above ${issue.minimum}` : "must not be empty"}.`),
      ];
    case "too_big":
      return [value(path, `"${key}" must be at most ${issue.maximum}.`)];
    case "invalid_format":
      return [
        value(path, `"${key}": ${issue.format === "url" ? "write a whole address, as in https://…" : issue.message}.`),
      ];
    case "custom":
    case "invalid_element":
    case "not_multiple_of":
      return [value(path, `"${key}": ${issue.message}.`)];
  }
}

function value(path: readonly string[], message: string, atTop = message): Complaint {
  return { path, about: "value", message: path.length === 0 ? atTop : message };
}

/** Misplaced goes before misspelt: the name is right, the place is not. */
function unknownKey(path: readonly string[], name: string): string {
  const here = path.join(".");
  const inside = here === "" ? "" : ` inside "${here}"`;
  const place = placesOf(name).find((found) => found !== here);
  if (place === "") return `"${name}" does not belong${inside}; move it to the top level.`;
  if (place !== undefined) return `"${name}" does not belong${inside || " here"}; move it into "${place}".`;
  const known = keysAt(path);
  const near = nearest(name, known) ?? nearest(name, Object.keys(settingsShape.shape));
  if (near !== null) return `unknown setting "${name}"${inside}; did you mean "${near}"?`;
  return `unknown setting "${name}"${inside}; ${here === "" ? "remove it" : `known there: ${known.join(", ")}`}.`;
}

interface Key {
  readonly key: string;
  /** The object it belongs to, dotted; empty for the top level. */
  readonly place: string;
}

/** The keys of the settings and of their fixed groups. */
function allKeys(): Key[] {
  const fields = Object.entries(settingsShape.shape);
  const inner = fields.flatMap(([place, schema]) =>
    Object.keys(fieldsOf(schema.unwrap())).map((key) => ({ key, place })),
  );
  return [...fields.map(([key]) => ({ key, place: "" })), ...inner];
}

function placesOf(name: string): string[] {
  return allKeys()
    .filter(({ key }) => key === name)
    .map(({ place }) => place);
}

function keysAt(path: readonly string[]): string[] {
  let schema: unknown = settingsShape;
  for (const part of path) {
    const fields = fieldsOf(schema);
    schema = unwrapped(Object.hasOwn(fields, part) ? fields[part] : innerOf(schema));
  }
  return Object.keys(fieldsOf(unwrapped(schema))).concat(optionsOf(schema));
}

function fieldsOf(schema: unknown): Readonly<Record<string, unknown>> {
  return isObject(schema) && isObject(schema["shape"]) ? schema["shape"] : {};
}

/** What an array or a record holds. */
function innerOf(schema: unknown): unknown {
  return isObject(schema) ? (schema["element"] ?? schema["valueType"]) : undefined;
}

/** The keys of a record that admits a few alone. */
function optionsOf(schema: unknown): string[] {
  const keys = isObject(schema) ? schema["keyType"] : undefined;
  return isObject(keys) && Array.isArray(keys["options"]) ? keys["options"].map(String) : [];
}

function unwrapped(schema: unknown): unknown {
  return isObject(schema) && typeof schema["unwrap"] === "function" && "innerType" in (schema["def"] as object)
    ? (schema["unwrap"] as () => unknown)()
    : schema;
}

function kindOf(expected: string): string {
  return kinds[expected] ?? expected;
}

const kinds: Readonly<Record<string, string>> = {
  string: "a text in double quotes",
  boolean: "true or false",
  number: "a number",
  int: "a whole number",
  array: "a list: [ … ]",
  object: "an object: { … }",
  record: "an object: { … }",
  null: "null",
};

function oneOf(values: readonly unknown[]): string {
  const shown = values.map((one) => JSON.stringify(one));
  return shown.length === 1 ? shown[0]! : `one of ${shown.join(", ")}`;
}

function meant({ input, values }: Extract<Issue, { code: "invalid_value" }>): string {
  const near = typeof input === "string" ? nearest(input, values.map(String)) : null;
  return near === null ? "." : `; did you mean "${near}"?`;
}

function unionOf({ errors }: Extract<Issue, { code: "invalid_union" }>): string {
  const expected = errors.flatMap((issues) =>
    issues.flatMap((issue) => ("expected" in issue ? [kindOf(issue.expected)] : [])),
  );
  return [...new Set(expected)].join(", or ");
}
