/** The state of one analysis: where the shell stands, what its variables hold, what was found so far. */
import type { Function as FunctionNode } from "unbash";
import type { Judgement, ShellCommand, ShellSituation, Span } from "./types.ts";

/** What is known of a variable's value. */
export interface Variable {
  /** Every value it can have, when all are literal. */
  readonly values: readonly string[] | null;
  /** Safe to evaluate in arithmetic: a number, unset, or from the cleaned environment. */
  readonly numeric: boolean;
  /** Never begins with `-` and is never the name of a network device: literal file names or a glob with a directory. */
  readonly path: boolean;
  /** One word without blanks and globs: it does not split. */
  readonly token?: boolean;
  /** Surely an integer. */
  readonly digits?: boolean;
  /** Declared as an integer: whatever is assigned to it is evaluated. */
  readonly integer?: boolean;
  /** Read-only: an assignment fails, and the shell may go on with the old value. */
  readonly fixed?: boolean;
  /** Declared as an associative array: its indexes are not evaluated. */
  readonly associative?: boolean;
  /** Never begins with `/`. */
  readonly relative?: boolean;
  /** May be an array: a declaration evaluates what looks like a list. */
  readonly array?: boolean;
}

/** The directories in which the shell may stand. */
export interface ShellPlace {
  /** Null: unknown. */
  readonly paths: readonly string[] | null;
  /** Unknown, but inside of the repository it started in. */
  readonly sameRepository: boolean;
  /** Where `cd -` leads; absent: unknown. */
  readonly previous?: readonly string[] | null;
}

export type FunctionBody = FunctionNode["body"];

export interface WalkFindings {
  worst: Judgement;
  reason: string;
  span: Span | null;
  readonly parts: Set<string>;
  readonly reads: Set<string>;
  /** Null once something other than a plain edit of literal paths was met. */
  edits: Set<string> | null;
  network: boolean;
  readonly gitDirectories: Set<string>;
  readonly commands: ShellCommand[];
  /** A command is started that could not be made out. */
  opaque: boolean;
  /** A text is run that may start any program. */
  starts: boolean;
  /** What the command that is being judged reads. */
  noted: Noted;
  readonly doubts: Doubts;
}

/** Which parts are not proved to only read, and where they stand. */
export interface Doubts {
  /** The part that is being judged, behind those that it stands in: a shell that runs it, a substitution's command. */
  readonly within: string[];
  readonly parts: Set<string>;
  /** Parts that also write a file by a redirection. */
  readonly redirected: Set<string>;
  /** Something is not proved that belongs to no part. */
  stray: boolean;
  /** The directories in which such parts may run; null: unknown. */
  places: Set<string> | null;
}

function noDoubts(): Doubts {
  return { within: [], parts: new Set(), redirected: new Set(), stray: false, places: new Set() };
}

export interface Noted {
  readonly paths: Set<string>;
  /** Every path is literal. */
  known: boolean;
  /** Those that options name, or may name: their content is read also where that of operands is not. */
  readonly named: Set<string>;
  namedKnown: boolean;
}

export function newNoted(): Noted {
  return { paths: new Set(), known: true, named: new Set(), namedKnown: true };
}

export interface Walk {
  readonly situation: ShellSituation;
  readonly findings: WalkFindings;
  variables: Map<string, Variable>;
  place: ShellPlace;
  functions: Map<string, FunctionBody>;
  /** Bounds the work: calls of functions and loops judge a body again. */
  readonly effort: Analysis;
  /** Nesting of scripts inside of arguments. */
  readonly depth: number;
  /** Where the outermost text of a nested script stands; null when positions are those of the given text. */
  readonly within: Span | null;
  /** Inside of a function: `local` fails elsewhere, and the shell goes on. */
  readonly calling?: boolean;
  /** The words that come through the pipe are never options: one by one, or ended by NUL. */
  readonly piped?: "words" | "paths" | "relative" | null;
}

/** Shared by all forks of one analysis. */
export interface Analysis {
  spent: number;
  readonly defined: Set<FunctionBody>;
  /** Names that are functions somewhere, and names that were judged as commands: none may be both. */
  readonly named: Set<string>;
  readonly ruled: Set<string>;
  /** How things stood at each `break`, `continue` and `return`. */
  readonly exits: Walk[];
  /** A variable was declared that may be local to a function. */
  declares: boolean;
  /** An expansion may fail: the shell then leaves out the rest of the line. */
  mayAbort: boolean;
  readonly called: Set<FunctionBody>;
}

export interface ShellRefusal {
  readonly judgement: "writes" | "unproven";
  readonly reason: string;
  readonly span?: Span | null;
  /** The literal absolute paths that a plain edit would touch. */
  readonly paths?: readonly string[];
}

export const environment: Variable = { values: null, numeric: true, path: false };
export const unknown: Variable = { values: null, numeric: false, path: false };
export const number: Variable = { values: null, numeric: true, path: false, digits: true };

export function startWalk(situation: ShellSituation): Walk {
  return {
    situation,
    findings: {
      worst: "read-only",
      reason: "",
      span: null,
      parts: new Set(),
      reads: new Set(),
      edits: new Set(),
      network: false,
      gitDirectories: new Set(),
      commands: [],
      opaque: false,
      starts: false,
      noted: newNoted(),
      doubts: noDoubts(),
    },
    variables: new Map(),
    place: { paths: [situation.directory], sameRepository: true },
    functions: new Map(),
    effort: {
      spent: 0,
      defined: new Set(),
      called: new Set(),
      named: new Set(),
      ruled: new Set(),
      exits: [],
      declares: false,
      mayAbort: false,
    },
    depth: 0,
    within: null,
  };
}

export function unproven(reason: string, span?: Span | null): ShellRefusal {
  return { judgement: "unproven", reason, ...(span === undefined ? {} : { span }) };
}

export function writes(reason: string, span?: Span | null): ShellRefusal {
  return { judgement: "writes", reason, ...(span === undefined ? {} : { span }) };
}

/** The worst wins; among equals the first. */
export function report(walk: Walk, refusal: ShellRefusal, span: Span): void {
  const { findings } = walk;
  doubt(walk);
  if (refusal.paths === undefined) findings.edits = null;
  for (const path of refusal.paths ?? []) findings.edits?.add(path);
  if (findings.worst === "writes" || findings.worst === refusal.judgement) return;
  findings.worst = refusal.judgement;
  findings.reason = refusal.reason;
  findings.span = walk.within ?? refusal.span ?? span;
}

export function doubt({ findings: { doubts }, place }: Walk): void {
  doubts.stray ||= doubts.within.length === 0;
  for (const part of doubts.within) doubts.parts.add(part);
  if (place.paths === null) doubts.places = null;
  for (const path of place.paths ?? []) doubts.places?.add(path);
}

/** The same for what was not looked into: any program may be started there. */
export function reportUnseen(walk: Walk, reason: string, span: Span): void {
  walk.findings.opaque = true;
  report(walk, unproven(reason), span);
}

/** A copy whose changes of place and variables are not seen outside: a subshell, a pipeline's part, a substitution. */
export function fork(walk: Walk, changes: Partial<Pick<Walk, "depth" | "within" | "piped" | "calling">> = {}): Walk {
  return { ...walk, piped: null, ...changes, variables: new Map(walk.variables), functions: new Map(walk.functions) };
}

/** What holds after either of two ways was gone. */
export function join(walk: Walk, other: Walk): boolean {
  let changed = false;
  for (const name of new Set([...walk.variables.keys(), ...other.variables.keys()])) {
    const mine = walk.variables.get(name) ?? environment;
    const joined = joinVariables(mine, other.variables.get(name) ?? environment);
    if (joined === mine) continue;
    walk.variables.set(name, joined);
    changed = true;
  }
  for (const [name, body] of walk.functions) if (other.functions.get(name) !== body) walk.functions.delete(name);
  const place = joinPlaces(walk.place, other.place);
  changed ||= place !== walk.place;
  walk.place = place;
  return changed;
}

/** What holds when it was also left early, at one of the exits after the first `from`. */
export function joinExits(walk: Walk, from: number): boolean {
  return walk.effort.exits.slice(from).reduce((changed, exit) => join(walk, exit) || changed, false);
}

/** Takes over what another way of going left behind. */
export function adopt(walk: Walk, other: Walk): void {
  walk.variables = other.variables;
  walk.functions = other.functions;
  walk.place = other.place;
}

export function joinPlaces(one: ShellPlace, other: ShellPlace): ShellPlace {
  if (one === other) return one;
  const paths = one.paths === null || other.paths === null ? null : [...new Set([...one.paths, ...other.paths])];
  const kept = paths === null || paths.length > mostPlaces ? null : paths;
  const sameRepository = one.sameRepository && other.sameRepository;
  const same = kept?.length === one.paths?.length && sameRepository === one.sameRepository;
  const leads = one.previous === undefined || one.previous?.join("\0") === other.previous?.join("\0");
  return same && leads ? one : { paths: kept, sameRepository };
}

const mostPlaces = 4;
const mostValues = 16;

/** What both must have to be kept, and what one of the two brings with it. */
const inBoth = ["numeric", "path", "token", "associative", "relative"] as const;
const inEither = ["integer", "array", "fixed"] as const;

export function joinVariables(one: Variable, other: Variable): Variable {
  if (one === other) return one;
  const all = one.values === null || other.values === null ? null : [...new Set([...one.values, ...other.values])];
  const values = all === null || all.length > mostValues ? null : all;
  const joined: Variable = {
    values,
    numeric: false,
    path: false,
    digits: isDigits(one) && isDigits(other),
    ...Object.fromEntries(inBoth.map((name) => [name, one[name] === true && other[name] === true])),
    ...Object.fromEntries(inEither.map((name) => [name, one[name] === true || other[name] === true])),
  };
  const same = [...inBoth, ...inEither].every((name) => joined[name] === (one[name] === true));
  return same && joined.digits === isDigits(one) && values?.length === one.values?.length ? one : joined;
}

export function isDigits(variable: Variable): boolean {
  return variable.digits ?? variable.values?.every((value) => /^-?\d+$/.test(value)) ?? false;
}
