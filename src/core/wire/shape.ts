/** Small checks of shape and their composition, for values that come from logs and other programs. */

export type Check = (value: unknown) => boolean;

export const text: Check = (value) => typeof value === "string";
export const number: Check = (value) => typeof value === "number";
export const flag: Check = (value) => typeof value === "boolean";
export const anything: Check = () => true;

export const yes: Check = (value) => value === true;

export function either(one: Check, other: Check): Check {
  return (value) => one(value) || other(value);
}

export function oneOf(...words: readonly string[]): Check {
  return (value) => typeof value === "string" && words.includes(value);
}

export function orNull(check: Check): Check {
  return (value) => value === null || check(value);
}

export function maybe(check: Check): Check {
  return (value) => value === undefined || check(value);
}

export function list(check: Check): Check {
  return (value) => Array.isArray(value) && value.every((item) => check(item));
}

/** By any names. */
export function record(check: Check): Check {
  return (value) => isObject(value) && Object.values(value).every((item) => check(item));
}

/** Other fields than these may stand beside them. */
export function fields(checks: Readonly<Record<string, Check>>): Check {
  const entries = Object.entries(checks);
  return (value) => isObject(value) && entries.every(([name, check]) => check(value[name]));
}

/** An object whose `kind` says which fields it has. */
export function byKind(kinds: Readonly<Record<string, Check>>): Check {
  return (value) => {
    if (!isObject(value) || typeof value["kind"] !== "string" || !Object.hasOwn(kinds, value["kind"])) return false;
    return kinds[value["kind"]]!(value);
  };
}

/** Undefined for a text that is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
