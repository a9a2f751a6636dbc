/** Reads the arguments of a command by its table: which are options, their values, operands; or why it cannot be known. */
import type { Arg } from "./args.ts";
import { literalArg, noteMaybe, noteNamed, noteRead, unknownArg, valuesOf } from "./args.ts";
import type { Rule, ShellCall } from "./call.ts";
import type { OptionSpec, Role, Spec } from "./spec.ts";
import { readSpec } from "./spec.ts";
import type { ShellRefusal } from "./walk.ts";
import { unproven, writes } from "./walk.ts";

export interface Parsed {
  /** The options given, by the name in the table; the last value, null without one. */
  readonly options: ReadonlyMap<string, Arg | null>;
  /** Every option in its order, the repeated ones as well. */
  readonly given: readonly (readonly [name: string, value: Arg | null])[];
  readonly operands: readonly Arg[];
  /** Some option supplied what would otherwise be the first operand. */
  readonly replaced: boolean;
}

/** Options alone; operands are left to the caller. */
export function parseOptions(call: ShellCall, text: string): Parsed | ShellRefusal {
  const spec = readSpec(text);
  const reading: Reading = { call, spec, options: new Map(), given: [], operands: [], replaced: false, at: 0 };
  const { args } = call;
  while (reading.at < args.length) {
    const arg = args[reading.at]!;
    reading.at += 1;
    if (arg.text === "--") {
      reading.operands.push(...args.slice(reading.at));
      break;
    }
    const refusal = isOperand(arg, spec) ? null : readOption(reading, arg);
    if (refusal !== null) return refusal;
    if (!isOperand(arg, spec)) continue;
    if (arg.mayBeOption && spec.readsValues) noteMaybe(unknownArg(arg.span, { many: false }), call.walk);
    if (spec.ordered) {
      reading.operands.push(arg, ...args.slice(reading.at));
      break;
    }
    reading.operands.push(arg);
  }
  const { options, given, operands, replaced } = reading;
  return { options, given, operands, replaced };
}

export function asksForHelp({ args }: ShellCall): boolean {
  return args.length === 1 && /^--(help|version)$/.test(args[0]!.text ?? "");
}

export function applyRule(call: ShellCall, rule: string | Rule): ShellRefusal | null {
  return typeof rule === "string" ? judgeBySpec(call, rule) : rule(call);
}

/** The whole judgement for a command that is described by its table alone. */
export function judgeBySpec(call: ShellCall, text: string): ShellRefusal | null {
  if (asksForHelp(call)) return null;
  const parsed = parseOptions(call, text);
  return "judgement" in parsed ? parsed : judgeOperands(call, parsed, readSpec(text));
}

/** The binutils read options from a file that is given as `@file`, and some load a plugin. */
export function withoutOptionFiles(options: string): Rule {
  return (call) => {
    const given = call.args.find((arg) => (valuesOf(arg) ?? [arg.head]).some((text) => text.startsWith("@")));
    return given === undefined ? judgeBySpec(call, options) : unproven(`${call.name} ${show(given)}`, given.span);
  };
}

/** Reads only with one of the options, given as one: not behind `--`, not as a value, not after what ends the options. */
export function judgeWith(
  call: ShellCall,
  text: string,
  form: { names: string; otherwise: ShellRefusal },
): ShellRefusal | null {
  const parsed = parseOptions(call, text);
  if ("judgement" in parsed) return parsed;
  const given = form.names.split(" ").some((name) => parsed.options.has(name));
  return given ? judgeOperands(call, parsed, readSpec(text)) : form.otherwise;
}

function judgeOperands(call: ShellCall, { operands, replaced }: Parsed, spec: Spec): ShellRefusal | null {
  const roles = replaced ? spec.operands.slice(1) : spec.operands;
  const fixed = roles.length;
  for (const [index, arg] of operands.entries()) {
    const role: Role | null = index < fixed ? roles[index]! : spec.rest;
    if (role === null) return unproven(`${call.name}: what the operand ${show(arg)} does is not known`, arg.span);
    if (role === "out") return writes(`${call.name} writes to its operand ${show(arg)}`, arg.span);
    if (arg.many && index < fixed && (spec.rest === null || roles.includes("out"))) {
      return unproven(`${call.name}: ${show(arg)} may become several operands`, arg.span);
    }
    if (role === "in" && /^[a-z]+:\/\//i.test(arg.text ?? "")) {
      return unproven(`${call.name} may fetch ${show(arg)}`, arg.span);
    }
    if (role === "in") noteRead(arg, call.walk);
  }
  return null;
}

/** Every value that was given for one of the names. */
export function valuesFor({ given }: Pick<Parsed, "given">, ...names: readonly string[]): readonly Arg[] {
  return given.flatMap(([name, value]) => (value !== null && names.includes(name) ? [value] : []));
}

export function show(arg: Arg): string {
  return arg.text === null ? "whose value is not known" : `"${arg.text}"`;
}

interface Reading {
  readonly call: ShellCall;
  readonly spec: Spec;
  readonly options: Map<string, Arg | null>;
  readonly given: (readonly [name: string, value: Arg | null])[];
  readonly operands: Arg[];
  replaced: boolean;
  at: number;
}

function isOperand(arg: Arg, spec: Spec): boolean {
  if (!arg.mayBeOption) return true;
  return arg.text === null && spec.open && !arg.head.startsWith("-");
}

function readOption(reading: Reading, arg: Arg): ShellRefusal | null {
  const { call, spec } = reading;
  const { text, head } = arg;
  if (text === null) {
    if (spec.open) return readOpen(reading, arg, arg.shape ?? head);
    const equals = head.indexOf("=");
    const name = head.startsWith("--") ? head.slice(0, Math.max(equals, 0)) : head.slice(0, 2);
    const option = spec.options.get(name);
    if (!arg.many && option !== undefined && name.length > 1) {
      if (option.arity === "value" || option.arity === "optional" || option.arity === "attached")
        return accept(reading, name, { option, value: { ...arg, head: "" } });
    }
    return unproven(`${call.name}: a value that is known only at run time may become an option`, arg.span);
  }
  if (spec.numbers && /^-\d+$/.test(text)) return null;
  if (text.startsWith("--")) return readLong(reading, arg, text);
  const whole = spec.options.get(text);
  if (whole !== undefined && text.length > 2) return accept(reading, text, { option: whole, arg });
  return readCluster(reading, arg, text);
}

function readLong(reading: Reading, arg: Arg, text: string): ShellRefusal | null {
  const { call, spec } = reading;
  const equals = text.indexOf("=");
  const name = equals === -1 ? text : text.slice(0, equals);
  const option = spec.options.get(name);
  if (option === undefined) return spec.open ? readOpen(reading, arg, text) : unknownOption(call, name, arg);
  if (equals === -1) return accept(reading, name, { option, arg });
  const isSwitch = spec.booleans && /=(true|false)$/.test(text);
  if (option.arity === "flag" && !spec.open && !isSwitch) return unknownOption(call, text, arg);
  return accept(reading, name, { option, value: literalArg(text.slice(equals + 1), arg.span) });
}

/** An option of an open table that it does not list, or not in full: it may be each whose name begins so, and its value a file. */
function readOpen(reading: Reading, arg: Arg, text: string): null {
  const { call, spec } = reading;
  const [name = ""] = text.split("=", 1);
  const isLong = name.startsWith("--");
  const short = spec.options.get(text.slice(0, 2));
  if (!isLong && (/^-\d*$/.test(text) || (short?.arity === "value" && !short.input))) return null;
  const value = isLong && arg.text !== null ? literalArg(text.slice(name.length + 1), arg.span) : null;
  const exact = spec.options.get(name);
  if (exact === undefined || exact.input) noteMaybe(value ?? unknownArg(arg.span, { many: false }), call.walk);
  for (const [full, option] of spec.options) {
    if (!isLong || !full.startsWith(name)) continue;
    const next = call.args[reading.at];
    if (option.input && value?.text === "" && next !== undefined) noteMaybe(next, call.walk);
    reading.replaced ||= option.replacesOperand;
    reading.options.set(full, value);
    reading.given.push([full, value]);
  }
  return null;
}

/** `-abc`, `-n5`, `-abn 5`. */
function readCluster(reading: Reading, arg: Arg, text: string): ShellRefusal | null {
  const { call, spec } = reading;
  for (let at = 1; at < text.length; at += 1) {
    const name = `-${text[at]}`;
    const option = spec.options.get(name);
    const rest = text.slice(at + 1);
    if (option === undefined) {
      if (spec.open && /^\w[^\w-]/.test(text.slice(at))) noteMaybe(literalArg(rest, arg.span), call.walk);
      if (spec.open) continue;
      return unknownOption(call, text.length === 2 ? text : `${name} in ${text}`, arg);
    }
    if (option.arity === "flag" || option.arity === "refused" || rest === "") {
      const refusal = accept(reading, name, { option, arg });
      if (refusal !== null || option.arity !== "flag") return refusal;
      continue;
    }
    return accept(reading, name, { option, value: literalArg(rest, arg.span) });
  }
  return null;
}

type Given = { option: OptionSpec; value: Arg } | { option: OptionSpec; arg: Arg };

function accept(reading: Reading, name: string, given: Given): ShellRefusal | null {
  const { call, spec } = reading;
  const { option } = given;
  const span = "arg" in given ? given.arg.span : given.value.span;
  if (option.arity === "refused") return writes(`${call.name} ${name} writes or runs a program`, span);
  let value: Arg | null = "value" in given ? given.value : null;
  if (value === null && option.arity === "attached")
    return unproven(`${call.name} ${name} has no value attached to it`, span);
  if (value === null && option.arity === "value") {
    value = call.args[reading.at] ?? null;
    reading.at += 1;
    if (value === null) return spec.open ? null : unproven(`${call.name} ${name} has no value`, span);
    const isPattern = option.replacesOperand && value.text !== null && !value.text.startsWith("--");
    if (!spec.open && !isPattern && !isPlainValue(value)) {
      return unproven(`${call.name} ${name}: the value ${show(value)} may be taken for an option`, value.span);
    }
  }
  if (option.output && !/^\/dev\/(null|stdout|stderr)$/.test(value?.text ?? "")) {
    return writes(`${call.name} ${name} writes to ${value === null ? "a file" : show(value)}`, span);
  }
  if (option.input && value !== null) noteNamed(value, call.walk);
  reading.replaced ||= option.replacesOperand;
  reading.options.set(name, value);
  reading.given.push([name, value]);
  return null;
}

function isPlainValue(value: Arg): boolean {
  if (value.many) return false;
  return !value.mayBeOption || (value.text !== null && /^-\d+$/.test(value.text)) || value.head === "";
}

function unknownOption(call: ShellCall, name: string, arg: Arg): ShellRefusal {
  return unproven(`${call.name}: the option ${name} is not known to only read`, arg.span);
}
