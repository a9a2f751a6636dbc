/** Path globs of permission rules: `*`, `**`, `?`, `[…]`, `{a,b}` over forward slashes, matched in bounded time. */

export interface Glob {
  test(path: string): boolean;
}

/**
 * `dir/**` also matches `dir` itself, so that a rule on a folder's content holds for a search of that folder. `base` stands
 * before the glob and is taken literally, as is a glob that makes no sense or is very long. All places where the
 * match can stand are followed at once: the time is the product of both lengths, whatever a hostile project wrote
 * (a matcher by regular expressions takes minutes for `*a` eight times).
 */
export function parseGlob(glob: string, base = ""): Glob {
  const machine: Machine = { states: [] };
  const isWhole = glob.length <= longestGlob && addGlob(machine, literal(base), glob);
  if (!isWhole) machine.states.splice(0, Infinity, ...literal(base + glob));
  const { states } = machine;
  const { before, after } = fixedEnds(states);
  return { test: (path) => path.startsWith(before) && path.endsWith(after) && run(states, path) };
}

/** What every match begins and ends with: most paths are told apart by these alone. */
function fixedEnds(states: readonly State[]): { readonly before: string; readonly after: string } {
  const letters = states.map((state) => (isFixed(state) ? state.letter : null));
  const first = letters.indexOf(null);
  const landings = states.flatMap((state) => (state.kind === "fork" ? state.to : []));
  const last = Math.max(letters.lastIndexOf(null) + 1, ...landings);
  return {
    before: letters.slice(0, first < 0 ? undefined : first).join(""),
    after: letters.slice(last).join(""),
  };
}

function isFixed(state: State): state is { readonly kind: "one"; readonly letter: string } {
  return state.kind === "one" && typeof state.letter === "string";
}

const longestGlob = 1024;

/** A letter itself, one of several, anything, or anything but a slash. */
type Letter = string | Choice;

interface Choice {
  readonly isNegated: boolean;
  readonly ranges: readonly (readonly [from: string, to: string])[];
}

const anything: Choice = { isNegated: true, ranges: [] };
const inName: Choice = { isNegated: true, ranges: [["/", "/"]] };

/** One step: it takes a letter and goes on, may stay where it is, or leads on without one. */
type State =
  | { readonly kind: "one"; readonly letter: Letter }
  | { readonly kind: "many"; readonly letter: Choice }
  /** Without taking anything, to each of these. */
  | { readonly kind: "fork"; readonly to: number[] };

interface Machine {
  readonly states: State[];
}

/** False where a brace or a range makes no sense. */
function addGlob(machine: Machine, before: readonly State[], glob: string): boolean {
  const { states } = machine;
  states.push(...before);
  const signs = Array.from(glob);
  const open: { fork: number[]; ends: number[][] }[] = [];
  for (let at = 0; at < signs.length; at += 1) {
    const sign = signs[at]!;
    const starts = (text: string): boolean => text === signs.slice(at, at + text.length).join("");
    const brace = open.at(-1);
    if (starts("/**/")) {
      addOptional(states, [{ kind: "many", letter: anything }, one("/")], [one("/")]);
      at += 3;
    } else if (starts("/**") && at + 3 === signs.length) {
      addOptional(states, [one("/"), { kind: "many", letter: anything }], []);
      at += 2;
    } else if (starts("**")) {
      states.push({ kind: "many", letter: anything });
      at += 1;
    } else if (sign === "*") states.push({ kind: "many", letter: inName });
    else if (sign === "?") states.push(one(inName));
    else if (sign === "{" && signs.indexOf("}", at) > at) {
      const fork = [states.length + 1];
      states.push({ kind: "fork", to: fork });
      open.push({ fork, ends: [] });
    } else if (sign === "}" && brace !== undefined) {
      for (const end of brace.ends) end.push(states.length);
      open.pop();
    } else if (sign === "," && brace !== undefined) {
      const end: number[] = [];
      states.push({ kind: "fork", to: end });
      brace.ends.push(end);
      brace.fork.push(states.length);
    } else if (sign === "[" && signs.indexOf("]", at + 2) > at) {
      const end = signs.indexOf("]", at + 2);
      const set = setOf(signs.slice(at + 1, end));
      if (set === null) return false;
      states.push(one(set));
      at = end;
    } else states.push(one(sign));
  }
  return open.length === 0;
}

/** `always`, then either `between` or nothing. */
function addOptional(states: State[], between: readonly State[], always: readonly State[]): void {
  states.push(...always);
  states.push({ kind: "fork", to: [states.length + 1, states.length + 1 + between.length] });
  states.push(...between);
}

function one(letter: Letter): State {
  return { kind: "one", letter };
}

function literal(text: string): State[] {
  return Array.from(text, one);
}

function setOf(signs: readonly string[]): Choice | null {
  const isNegated = signs[0] === "!" || signs[0] === "^";
  const members = isNegated ? signs.slice(1) : signs;
  const ranges: [string, string][] = [];
  for (let at = 0; at < members.length; at += 1) {
    const isRange = members[at + 1] === "-" && at + 2 < members.length;
    ranges.push([members[at]!, members[isRange ? at + 2 : at]!]);
    if (isRange) at += 2;
  }
  return ranges.some(([from, to]) => codeOf(from) > codeOf(to)) ? null : { isNegated, ranges };
}

function run(states: readonly State[], path: string): boolean {
  let here = new Set<number>();
  reach(states, here, 0);
  for (const sign of path) {
    const next = new Set<number>();
    for (const at of here) {
      const state = states[at];
      if (state === undefined || state.kind === "fork" || !isLetter(state.letter, sign)) continue;
      reach(states, next, state.kind === "many" ? at : at + 1);
    }
    if (next.size === 0) return false;
    here = next;
  }
  return here.has(states.length);
}

/** Adds a place and all that it leads to without a letter. */
function reach(states: readonly State[], places: Set<number>, from: number): void {
  const open = [from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (places.has(at)) continue;
    places.add(at);
    const state = states[at];
    if (state?.kind === "many") open.push(at + 1);
    if (state?.kind === "fork") open.push(...state.to);
  }
}

function isLetter(letter: Letter, sign: string): boolean {
  if (typeof letter === "string") return letter === sign;
  const code = codeOf(sign);
  return letter.ranges.some(([from, to]) => codeOf(from) <= code && code <= codeOf(to)) !== letter.isNegated;
}

function codeOf(sign: string): number {
  return sign.codePointAt(0)!;
}
