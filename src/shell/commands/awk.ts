/** `awk`: its options, and its programs in `../languages/awk.ts`. */
import { literalArg, noteRead, shapesOf } from "../args.ts";
import type { Rule } from "../call.ts";
import { findAwkEffect } from "../languages/awk.ts";
import { parseOptions, show, valuesFor } from "../options.ts";
import { unproven, writes } from "../walk.ts";

const options =
  ". -F= -v= --field-separator? --assign? -b -c -C -n -N -M -P -r -s -S -t -O -k --posix --traditional --re-interval --sandbox --csv --bignum --non-decimal-data --characters-as-bytes --use-lc-numeric --lint? -f=^ --file=^ -i! --include! -l! --load! -E! --exec! -o! -p! -d! -D! --pretty-print! --profile! --dump-variables! --debug! -W!";

export const judgeAwk: Rule = (call) => {
  if (call.args.length === 1 && /^(-V|-h|--version|--help)$/.test(call.args[0]!.text ?? "")) return null;
  const parsed = parseOptions(call, options);
  if ("judgement" in parsed) return parsed;
  const files = valuesFor(parsed, "-f", "--file");
  const hidden = files.find(({ text }) => text !== "/dev/null");
  if (hidden !== undefined) return writes(`awk runs the program in ${show(hidden)}`, hidden.span);
  const [program, ...inputs] = files.length > 0 ? [literalArg("", call.span), ...parsed.operands] : parsed.operands;
  if (program === undefined) return unproven("awk has no program", call.span);
  const shapes = shapesOf(program);
  if (shapes === null) return unproven(`the program of awk ${show(program)}`, program.span);
  const effects = shapes.map((shape) => findAwkEffect(shape));
  const { fault, writes: writing } = effects.find((effect) => effect.fault !== null) ?? effects[0]!;
  const socket = inputs.find((input) => input.text?.startsWith("/inet") === true);
  if (socket !== undefined) return unproven(`awk: ${show(socket)} is a connection`, socket.span);
  for (const input of inputs) if (!/^[A-Za-z_]\w*=/.test(input.text ?? "")) noteRead(input, call.walk);
  for (const path of effects.flatMap(({ reads }) => reads)) noteRead({ ...program, text: path }, call.walk);
  if (fault === null) return null;
  return writing ? writes(`awk: ${fault}`, program.span) : unproven(`awk: ${fault}`, program.span);
};
