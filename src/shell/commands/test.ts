/** `test` and `[`: every word must have its place, since `-v` evaluates an index. */
import type { Arg } from "../args.ts";
import type { Rule } from "../call.ts";
import { show } from "../options.ts";
import { unproven } from "../walk.ts";

const unary = /^-[abcdefghknprstuwxzGLNOS]$/;
const binary = /^(=|==|!=|<|>|-eq|-ne|-lt|-le|-gt|-ge|-nt|-ot|-ef)$/;

export const judgeTest: Rule = ({ name, args, span }) => {
  const words = name === "[" && args.at(-1)?.text === "]" ? args.slice(0, -1) : args;
  if (name === "[" && words === args) return unproven("[ without ]", span);
  const many = words.find((word) => word.many);
  if (many !== undefined) return unproven(`${name}: ${show(many)} may become several words`, many.span);
  const parts = split(words);
  const wrong = parts.find((part) => !isComplete(part));
  if (wrong === undefined) return null;
  return unproven(`${name}: the expression is not understood`, wrong[0]?.span ?? span);
};

function split(words: readonly Arg[]): readonly (readonly Arg[])[] {
  const parts: Arg[][] = [[]];
  for (const word of words) {
    const part = parts.at(-1)!;
    if (/^-[ao]$/.test(word.text ?? "") && isComplete(part)) parts.push([]);
    else part.push(word);
  }
  return parts;
}

function isComplete(words: readonly Arg[]): boolean {
  const rest = words[0]?.text === "!" ? words.slice(1) : words;
  if (rest.length <= 1) return rest[0]?.text !== "(";
  if (rest.length === 2) return unary.test(rest[0]!.text ?? "");
  return rest.length === 3 && binary.test(rest[1]!.text ?? "");
}
