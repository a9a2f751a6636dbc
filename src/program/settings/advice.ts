/** What is wrong with a setting and what to do about it, in words: misplaced, misspelt or of the wrong kind (B8.4). */
import * as z from "zod";
import { settingsShape } from "../../core/settings/shape.ts";
import { nearest } from "../../core/nearest.ts";
import { isObject } from "../../core/wire/shape.ts";

type Issue = z.core.$ZodIssue;

export interface Complaint {
  readonly path: (string | number)[];
  readonly about: "key" | "value";
  readonly message: string;
}

/** At most so many, the first. What is known of the settings is looked up once for all of them. */
export function explain(issues: readonly Issue[], most: number): Complaint[] {
  const schema = z.toJSONSchema(settingsShape, { io: "input" });
  const single = issues.flatMap((issue): Issue[] =>
    issue.code === "unrecognized_keys" ? issue.keys.map((name) => ({ ...issue, keys: [name] })) : [issue],
  );
  return single.slice(0, most).flatMap((issue) => explained(issue, schema));
}

function explained(issue: Issue, schema: unknown): Complaint[] {
  const path = issue.path.map((part) => (typeof part === "number" ? part : String(part)));
  const key = path.join(".");
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((name) => ({
        path: [...path, name],
        about: "key",
        message: unknownKey(path, name, schema),
      }));
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

function value(path: Complaint["path"], message: string, atTop = message): Complaint {
  return { path, about: "value", message: path.length === 0 ? atTop : message };
}

/** Misplaced goes before misspelt: the name is right, the place is not. */
function unknownKey(path: Complaint["path"], name: string, schema: unknown): string {
  const here = path.join(".");
  const inside = here === "" ? "" : ` inside "${here}"`;
  const place = placesOf(name, schema).find((found) => found !== here);
  if (place === "") return `"${name}" does not belong${inside}; move it to the top level.`;
  if (place !== undefined) return `"${name}" does not belong${inside || " here"}; move it into "${place}".`;
  const known = keysAt(path, schema);
  const near = nearest(name, known) ?? nearest(name, Object.keys(settingsShape.shape));
  if (near !== null) return `unknown setting "${name}"${inside}; did you mean "${near}"?`;
  return `unknown setting "${name}"${inside}; ${here === "" ? "remove it" : `known there: ${known.join(", ")}`}.`;
}

/** The objects that the key belongs to, among the settings and their fixed groups; empty for the top level. */
function placesOf(name: string, schema: unknown): string[] {
  const fields = Object.entries(Object(part(schema, "properties")) as Readonly<Record<string, unknown>>);
  const groups = fields.filter(([, group]) => part(part(group, "properties"), name) !== undefined);
  return [...fields.filter(([key]) => key === name).map(() => ""), ...groups.map(([place]) => place)];
}

function keysAt(path: Complaint["path"], whole: unknown): string[] {
  let schema = whole;
  for (const key of path)
    schema =
      part(part(schema, "properties"), String(key)) ?? part(schema, "items") ?? part(schema, "additionalProperties");
  /** A record may admit a few keys alone. */
  const names = part(part(schema, "propertyNames"), "enum");
  return Object.keys(Object(part(schema, "properties"))).concat(Array.isArray(names) ? names.map(String) : []);
}

function part(schema: unknown, name: string): unknown {
  return isObject(schema) && Object.hasOwn(schema, name) ? schema[name] : undefined;
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
