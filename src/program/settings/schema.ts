/** The JSON schema of a settings file, made of the same shape that checks it. */
import * as z from "zod";
import { defaultSettings } from "../../core/settings/settings.ts";
import { settingsShape } from "../../core/settings/shape.ts";

export function settingsSchemaText(): string {
  const { $schema, properties = {}, ...schema } = z.toJSONSchema(settingsShape, { target: "draft-7", io: "input" });
  const told = Object.entries(properties).map(([key, property]) => [key, withDefault(key, property)] as const);
  const titled = {
    $schema,
    title: "Groundplan settings",
    allowComments: true,
    allowTrailingCommas: true,
    ...schema,
    properties: Object.fromEntries(told),
  };
  return `${JSON.stringify(titled, null, 2)}\n`;
}

function withDefault(key: string, property: unknown): unknown {
  const value: unknown = Object.entries(defaultSettings).find(([name]) => name === key)?.[1];
  const isPlain = typeof value === "string" || typeof value === "boolean";
  return isPlain && typeof property === "object" ? { ...property, default: value } : property;
}
