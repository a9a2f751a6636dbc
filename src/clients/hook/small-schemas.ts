/** As much of zod as our tools' inputs are written in, and in its words: in the hook's bundle it stands for zod there, whose start costs more than a whole call. */

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

type Checked = { readonly success: true; readonly data: unknown } | { readonly success: false; readonly error: Failure };
interface Failure {
  readonly issues: readonly Issue[];
}

interface Schema {
  /** By this a schema is known from JSON Schema. */
  readonly _zod: true;
  readonly mayMiss: boolean;
  readonly check: (value: unknown) => readonly Issue[];
  readonly min: (least: number) => Schema;
  readonly max: (most: number) => Schema;
  readonly regex: (pattern: RegExp) => Schema;
  readonly optional: () => Schema;
  readonly describe: (text: string) => Schema;
  readonly safeParse: (value: unknown) => Checked;
}

type Check = (value: never) => string | null;

interface Kind {
  /** What is wrong with a value as such; then nothing else is looked at. */
  readonly wrong: (value: unknown) => string | null;
  readonly checks?: readonly Check[];
  readonly mayMiss?: boolean;
}

export function string(): Schema {
  return schema({ wrong: (value) => (typeof value === "string" ? null : expected("string", value)) });
}

export function boolean(): Schema {
  return schema({ wrong: (value) => (typeof value === "boolean" ? null : expected("boolean", value)) });
}

export function int(): Schema {
  return schema({
    wrong: (value) => {
      if (typeof value !== "number" || !Number.isFinite(value)) return expected("number", value);
      if (!Number.isInteger(value)) return expected("int", value);
      return Number.isSafeInteger(value) ? null : "the number is too large to be exact";
    },
  });
}

function oneOf(values: readonly string[]): Schema {
  const listed = values.map((value) => `"${value}"`).join("|");
  return schema({
    wrong: (value) =>
      typeof value === "string" && values.includes(value) ? null : `Invalid option: expected one of ${listed}`,
  });
}
export { oneOf as enum };

/** A key that is not named is wrong. */
export function strictObject(shape: Readonly<Record<string, Schema>>): Pick<Schema, "_zod" | "safeParse"> {
  const names = Object.keys(shape);
  return {
    _zod: true,
    safeParse(value) {
      if (typeof value !== "object" || value === null || Array.isArray(value))
        return failed([{ path: [], message: expected("object", value) }]);
      const given = value as Readonly<Record<string, unknown>>;
      const wrong = names.flatMap((name) => shape[name]!.check(given[name]).map((issue) => ({ ...issue, path: [name] })));
      const unknown = Object.keys(given).filter((name) => !Object.hasOwn(shape, name));
      const all = unknown.length === 0 ? wrong : [...wrong, { path: [], message: unrecognized(unknown) }];
      if (all.length > 0) return failed(all);
      return { success: true, data: Object.fromEntries(names.filter((name) => name in given).map((name) => [name, given[name]])) };
    },
  };
}

function schema(kind: Kind): Schema {
  const { wrong, checks = [], mayMiss = false } = kind;
  const withCheck = (check: Check): Schema => schema({ ...kind, checks: [...checks, check] });
  const check = (value: unknown): readonly Issue[] => {
    if (mayMiss && value === undefined) return [];
    const problem = wrong(value);
    const problems = problem === null ? checks.map((one) => one(value as never)) : [problem];
    return problems.filter((message) => message !== null).map((message) => ({ path: [], message }));
  };
  const self: Schema = {
    _zod: true,
    mayMiss,
    check,
    min: (least) => withCheck((value) => (sizeOf(value) >= least ? null : `Too small: expected ${sized(value)}>=${least}${unit(value)}`)),
    max: (most) => withCheck((value) => (sizeOf(value) <= most ? null : `Too big: expected ${sized(value)}<=${most}${unit(value)}`)),
    regex: (pattern) => withCheck((value) => (pattern.test(value) ? null : `Invalid string: must match pattern ${pattern}`)),
    optional: () => schema({ ...kind, mayMiss: true }),
    describe: () => self,
    safeParse(value) {
      const issues = check(value);
      return issues.length === 0 ? { success: true, data: value } : failed(issues);
    },
  };
  return self;
}

function failed(issues: readonly Issue[]): Checked {
  return { success: false, error: { issues } };
}

function sizeOf(value: string | number): number {
  return typeof value === "string" ? value.length : value;
}

function sized(value: string | number): string {
  return typeof value === "string" ? "string to have " : "number to be ";
}

function unit(value: string | number): string {
  return typeof value === "string" ? " characters" : "";
}

function unrecognized(names: readonly string[]): string {
  return `Unrecognized key${names.length > 1 ? "s" : ""}: ${names.map((name) => `"${name}"`).join(", ")}`;
}

function expected(kind: string, value: unknown): string {
  return `Invalid input: expected ${kind}, received ${kindOf(value)}`;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : typeof value;
}
