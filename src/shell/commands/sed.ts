/** `sed`: its options, and its scripts in `../languages/sed.ts`. */
import type { Arg } from "../args.ts";
import { noteRead, pathsOf, shapesOf } from "../args.ts";
import type { Rule, ShellCall } from "../call.ts";
import { findSedEffect } from "../languages/sed.ts";
import { asksForHelp, parseOptions, show, valuesFor } from "../options.ts";
import { unproven, writes, type ShellRefusal } from "../walk.ts";

const options =
  "-n -E -r -s -u -z -l= -e=^ --quiet --silent --expression=^ --regexp-extended --separate --unbuffered --null-data --line-length= --posix --debug --sandbox --follow-symlinks -i! --in-place! -f=^ --file=^";

export const judgeSed: Rule = (call) => {
  if (asksForHelp(call)) return null;
  const refused = parseOptions(call, options);
  const isInPlace = "judgement" in refused && editsInPlace(call);
  const parsed = isInPlace ? parseOptions(call, options.replaceAll(/(-i|--in-place)!/g, "$1")) : refused;
  if ("judgement" in parsed) return isInPlace ? refused : parsed;
  const width = valuesFor(parsed, "-l").find(({ text }) => !/^\d+$/.test(text ?? ""));
  if (width !== undefined) return unproven(`sed -l ${show(width)} is a script to some`, width.span);
  const file = parsed.options.get("-f") ?? parsed.options.get("--file");
  if (file !== undefined) return unproven("the script of sed is in a file", file?.span ?? call.span);
  const scripts = parsed.replaced ? expressions(call.args) : parsed.operands.slice(0, 1);
  const inputs = parsed.replaced ? parsed.operands : parsed.operands.slice(1);
  const [first] = scripts;
  if (first === undefined) return unproven("sed has no script", call.span);
  const hidden = scripts.find((script) => shapesOf(script) === null);
  const several = scripts.length > 1 ? scripts.find((script) => script.shape === null) : undefined;
  if (hidden !== undefined || several !== undefined) {
    const script = (hidden ?? several)!;
    return unproven(`the script of sed ${show(script)}`, script.span);
  }
  const texts = scripts.length > 1 ? [scripts.map((script) => script.shape).join("\n")] : shapesOf(first)!;
  const effects = texts.map((text) => findSedEffect(text));
  const effect = effects.find(({ fault }) => fault !== null) ?? effects[0]!;
  for (const path of effects.flatMap(({ reads }) => reads)) noteRead({ ...first, text: path }, call.walk);
  for (const input of inputs) noteRead(input, call.walk);
  if (effect.fault === null) return isInPlace ? edited(inputs, call) : null;
  return effect.writes ? writes(`sed: ${effect.fault}`, first.span) : unproven(`sed: ${effect.fault}`, first.span);
};

/** `-i` without a suffix, as GNU knows it: an option that is glued to it would name a second file. */
function editsInPlace({ args, walk }: ShellCall): boolean {
  const texts = args.map(({ text }) => text ?? "");
  const inPlace = texts.filter((text) => /^-[a-zA-Z]*i|^--in/.test(text));
  const arePlain = inPlace.every((text) => /^-[nErsuz]*i$/.test(text) || text === "--in-place");
  return walk.situation.platform === "linux" && inPlace.length > 0 && arePlain;
}

/** A plain edit of literal paths, by a script that does nothing else. */
function edited(inputs: readonly Arg[], { walk, span }: ShellCall): ShellRefusal {
  const refusal = writes("sed -i changes files", span);
  const paths = inputs.map((input) => pathsOf(input, walk));
  if (paths.length === 0 || paths.some((list) => list?.length !== 1)) return refusal;
  return { ...refusal, paths: paths.flatMap((list) => list!) };
}

/** Every `-e` in order, however it is attached; a cluster that hides one gives null text. */
function expressions(args: readonly Arg[]): readonly Arg[] {
  const scripts: Arg[] = [];
  for (const [index, arg] of args.entries()) {
    const { shape } = arg;
    if (shape === "--") break;
    if (shape === null && arg.head.startsWith("-")) scripts.push(arg);
    const cluster = /^-[nErsuz]*e([\s\S]*)$/.exec(shape ?? "");
    const attached = cluster?.[1] || /^--expression=([\s\S]*)$/.exec(shape ?? "")?.[1];
    if (attached) scripts.push({ ...arg, shape: attached });
    else if (cluster !== null || shape === "--expression") scripts.push(args[index + 1]!);
  }
  return scripts;
}
