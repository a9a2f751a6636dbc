/**
 * The notation of the tables: `-a --all -n= --lines=< -o=> --color? -# * | data in*`.
 *
 * Options: nothing after the name: a flag; `=` takes a value; `=<` takes an input path; `=>` takes an output path;
 * `?` may have a value attached; `=@` takes one that must be attached; `!` writes or runs a program; `=^` takes a value
 * and stands in for the first operand. `%`: flags take `=true` and `=false`.
 * `~`: with nothing at all it prints, or copies its input; without it the bare command is not known to read.
 * `-#`: a number as an option. `+#`: `+N` operands. `*`: every other option is harmless, so a word that may become one is.
 * `.`: options end at the first operand. After `|` the operands: `in`, `data`, `out`; `in*`: any number of them.
 */

export type Arity = "flag" | "value" | "optional" | "attached" | "refused";

export interface OptionSpec {
  readonly arity: Arity;
  readonly input: boolean;
  readonly output: boolean;
  readonly replacesOperand: boolean;
}

export type Role = "in" | "data" | "out";

export interface Spec {
  readonly options: ReadonlyMap<string, OptionSpec>;
  /** Unlisted options are harmless. */
  readonly open: boolean;
  /** Some option's value is a file that is read. */
  readonly readsValues: boolean;
  /** Options are not looked for after the first operand. */
  readonly ordered: boolean;
  readonly numbers: boolean;
  /** Flags take `=true` and `=false`. */
  readonly booleans: boolean;
  /** With nothing at all it prints, or copies its input. */
  readonly bare: boolean;
  readonly operands: readonly Role[];
  /** The role of all further operands; null: there may be none. */
  readonly rest: Role | null;
}

const roles: ReadonlyMap<string, Role> = new Map([
  ["in", "in"],
  ["data", "data"],
  ["out", "out"],
]);

const memo = new Map<string, Spec>();

export function readSpec(text: string): Spec {
  const known = memo.get(text);
  if (known !== undefined) return known;
  const spec = parseSpec(text);
  memo.set(text, spec);
  return spec;
}

function parseSpec(text: string): Spec {
  const [left = "", right = ""] = text.split("|");
  const options = new Map<string, OptionSpec>();
  const marks = new Set<string>();
  for (const token of left.split(" ")) {
    if (token === "") continue;
    const match = /^(--?[\w.:@+%?-]*?)(=<\^|=<|=>|=\^|=@|=|\?|!)?$/.exec(token);
    if (match === null || token === "-#") marks.add(token);
    else options.set(match[1]!, optionOf(match[2] ?? ""));
  }
  const operands: Role[] = [];
  let rest: Role | null = null;
  for (const token of right.split(" ")) {
    if (token === "") continue;
    const role = roles.get(token.replace("*", ""));
    if (role === undefined) throw new Error(`no role ${token} in the table ${text}`);
    if (token.endsWith("*")) rest = role;
    else operands.push(role);
  }
  return {
    options,
    open: marks.has("*"),
    readsValues: [...options.values()].some(({ input }) => input),
    ordered: marks.has("."),
    numbers: marks.has("-#"),
    booleans: marks.has("%"),
    bare: marks.has("~"),
    operands,
    rest,
  };
}

const arities: ReadonlyMap<string, Arity> = new Map([
  ["", "flag"],
  ["?", "optional"],
  ["=@", "attached"],
  ["!", "refused"],
]);

function optionOf(suffix: string): OptionSpec {
  return {
    arity: arities.get(suffix) ?? "value",
    input: suffix.startsWith("=<"),
    output: suffix === "=>",
    replacesOperand: suffix.endsWith("^"),
  };
}
