/** `awk`: its options, and its programs in `../languages/awk.ts`. */
import { noteRead } from "../args.ts";
import type { Rule } from "../call.ts";
import { findAwkEffect } from "../languages/awk.ts";
import { parseOptions, show } from "../options.ts";
import { unproven, writes } from "../walk.ts";

const options =
  ". -F= -v= --field-separator? --assign? -b -c -C -n -N -M -P -r -s -S -t -O -k --posix --traditional --re-interval --sandbox --csv --bignum --non-decimal-data --characters-as-bytes --use-lc-numeric --lint? -f! --file! -i! --include! -l! --load! -E! --exec! -o! -p! -d! -D! --pretty-print! --profile! --dump-variables! --debug! -W!";

export const judgeAwk: Rule = (call) => {
  if (call.args.length === 1 && /^(-V|-h|--version|--help)$/.test(call.args[0]!.text ?? "")) return null;
  const parsed = parseOptions(call, options);
  if ("judgement" in parsed) return parsed;
  const [program, ...inputs] = parsed.operands;
  if (program === undefined) return unproven("awk has no program", call.span);
  if (program.shape === null || program.many) return unproven(`the program of awk ${show(program)}`, program.span);
  const { fault, writes: writing, reads } = findAwkEffect(program.shape);
  const socket = inputs.find((input) => input.text?.startsWith("/inet") === true);
  if (socket !== undefined) return unproven(`awk: ${show(socket)} is a connection`, socket.span);
  for (const input of inputs) if (!/^[A-Za-z_]\w*=/.test(input.text ?? "")) noteRead(input, call.walk);
  for (const path of reads) noteRead({ ...program, text: path }, call.walk);
  if (fault === null) return null;
  return writing ? writes(`awk: ${fault}`, program.span) : unproven(`awk: ${fault}`, program.span);
};
