/** Settings as they mostly are, small and valid plain JSON, without what explains the others: that takes longer to load than a call to judge. */
import { isObject, parseJson } from "../../core/wire/shape.ts";
import type { SettingsFile } from "../../core/settings/shape.ts";
import type { ParsedSettings } from "../../program/settings/text.ts";

/** What is not plainly valid is read in the usual way, which has the last word on it. */
export async function parseQuickly(text: string, file: string): Promise<ParsedSettings> {
  const settings = await plainSettings(text).catch(() => null);
  if (settings !== null) return { settings, problems: [] };
  const { parseSettings } = await import("../../program/settings/text.ts");
  return parseSettings(text, file);
}

/** Null where it is not sure. */
export async function plainSettings(text: string): Promise<SettingsFile | null> {
  const value = text.length > mostText ? undefined : parseJson(text);
  if (!isObject(value) || keysWritten(text) !== keysIn(value)) return null;
  const { settingsShape } = await import("../../core/settings/shape.ts");
  return settingsShape.safeParse(value).data ?? null;
}

const mostText = 10_000;

/** How many names stand before a colon, in a text that is JSON. */
function keysWritten(text: string): number {
  const words = text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g);
  return [...words].filter(([, colon]) => colon !== undefined).length;
}

/** As many as were written, unless one was said twice or is `__proto__`. */
function keysIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + keysIn(item), 0);
  if (!isObject(value)) return 0;
  const own = Object.keys(value).filter((name) => name !== "__proto__");
  return own.reduce((sum, name) => sum + keysIn(value[name]), own.length);
}
