/**
 * As much of zod as our tools' inputs and most settings are written in, and in its words: in the hook's bundle it stands for
 * zod there, whose start costs more than a whole call. It takes nothing that zod refuses.
 */

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

type Checked =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };

interface Schema {
  /** By this a schema is known from JSON Schema. */
  readonly _zod: true;
  readonly look: (value: unknown) => readonly Issue[];
  readonly min: (least: number) => Schema;
  readonly max: (most: number) => Schema;
  readonly positive: () => Schema;
  readonly regex: (pattern: RegExp, message?: string) => Schema;
  readonly refine: () => Schema;
  readonly optional: () => Schema;
  readonly describe: (text: string) => Schema;
  readonly safeParse: (value: unknown) => Checked;
}

type Look = Schema["look"];

export function string(): Schema {
  return schema((value) => (typeof value === "string" ? [] : expected("string", value)));
}

export function boolean(): Schema {
  return schema((value) => (typeof value === "boolean" ? [] : expected("boolean", value)));
}

export function number(): Schema {
  return schema((value) => (Number.isFinite(value) ? [] : expected("number", value)));
}

export function int(): Schema {
  return schema((value) => {
    if (!Number.isFinite(value)) return expected("number", value);
    if (!Number.isInteger(value)) return expected("int", value);
    return Number.isSafeInteger(value) ? [] : wrong("the number is too large to be exact");
  });
}

export function array(item: Schema): Schema {
  return schema((value) => {
    if (!Array.isArray(value)) return expected("array", value);
    return value.flatMap((one, at) => within(at, item.look(one)));
  });
}

/** A key that is not named is wrong. */
export function strictObject(shape: Readonly<Record<string, Schema>>): Schema {
  return schema((value) => {
    if (!isRecord(value)) return expected("object", value);
    const known = Object.entries(shape).flatMap(([name, item]) => within(name, item.look(value[name])));
    const unknown = Object.keys(value).filter((name) => !Object.hasOwn(shape, name));
    return [...known, ...(unknown.length === 0 ? [] : wrong(unrecognized(unknown)))];
  });
}

export function record(key: Schema, item: Schema): Schema {
  return schema((value) => {
    if (!isRecord(value)) return expected("record", value);
    return Object.entries(value).flatMap(([name, one]) => within(name, [...key.look(name), ...item.look(one)]));
  });
}

export function union(schemas: readonly Schema[]): Schema {
  return schema((value) => (schemas.some(({ look }) => look(value).length === 0) ? [] : wrong("Invalid input")));
}

/** What is checked in other ways is left to zod itself. */
export function url(): Schema {
  return schema(unsure);
}

export function partialRecord(): Schema {
  return schema(unsure);
}

function oneOf(values: readonly string[]): Schema {
  const listed = values.map((value) => `"${value}"`).join("|");
  return schema((value) =>
    (values as readonly unknown[]).includes(value) ? [] : wrong(`Invalid option: expected one of ${listed}`),
  );
}

function nothing(): Schema {
  return schema((value) => (value === null ? [] : expected("null", value)));
}

export { oneOf as enum, nothing as null };

function schema(look: Look): Schema {
  /** Looked at only where it is of the right kind. */
  const also = (isRight: (value: never) => boolean, message: (value: never) => string): Schema =>
    schema((value) => {
      const found = look(value);
      if (found.some(({ message: said }) => said.startsWith("Invalid input"))) return found;
      return isRight(value as never) ? found : [...found, ...wrong(message(value as never))];
    });
  const self: Schema = {
    _zod: true,
    look,
    min: (least) =>
      also(
        (value) => sizeOf(value) >= least,
        (value) => `Too small: expected ${sized(value, `>=${least}`)}`,
      ),
    max: (most) =>
      also(
        (value) => sizeOf(value) <= most,
        (value) => `Too big: expected ${sized(value, `<=${most}`)}`,
      ),
    positive: () =>
      also(
        (value) => sizeOf(value) > 0,
        (value) => `Too small: expected ${sized(value, ">0")}`,
      ),
    regex: (pattern, message = `Invalid string: must match pattern ${pattern}`) =>
      also(
        (value) => pattern.test(value),
        () => message,
      ),
    refine: () => schema(unsure),
    optional: () => schema((value) => (value === undefined ? [] : look(value))),
    describe: () => self,
    safeParse(value) {
      const issues = look(value);
      return issues.length === 0 ? { success: true, data: value } : { success: false, error: { issues } };
    },
  };
  return self;
}

function unsure(): readonly Issue[] {
  return wrong("Invalid input: not checked here");
}

function within(key: PropertyKey, issues: readonly Issue[]): readonly Issue[] {
  return issues.map(({ path, message }) => ({ path: [key, ...path], message }));
}

function wrong(message: string): readonly Issue[] {
  return [{ path: [], message }];
}

function expected(kind: string, value: unknown): readonly Issue[] {
  return wrong(`Invalid input: expected ${kind}, received ${kindOf(value)}`);
}

function unrecognized(names: readonly string[]): string {
  return `Unrecognized key${names.length > 1 ? "s" : ""}: ${names.map((name) => `"${name}"`).join(", ")}`;
}

type Sized = string | number | readonly unknown[];

function sizeOf(value: Sized): number {
  return typeof value === "number" ? value : value.length;
}

function sized(value: Sized, bound: string): string {
  if (typeof value === "number") return `number to be ${bound}`;
  return typeof value === "string" ? `string to have ${bound} characters` : `array to have ${bound} items`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : typeof value;
}
