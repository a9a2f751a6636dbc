/** Programs that print or transform text to standard output. */
import { noteMaybe, noteRead, unknownArg } from "../args.ts";
import type { Rule, Table } from "../call.ts";
import { each } from "../call.ts";
import { judgeBySpec, parseOptions, show, valuesFor, withoutOptionFiles } from "../options.ts";
import { unproven, writes } from "../walk.ts";
import { judgeAwk } from "./awk.ts";
import { judgeSed } from "./sed.ts";
import { judgeSqlite } from "./sqlite.ts";

/** One input operand; a second would be written, and on macOS an option after the first operand is one. */
const secondIsOutput =
  (options: string): Rule =>
  (call) =>
    judgeBySpec(call, `${call.walk.situation.platform === "darwin" ? ". " : ""}${options} | in out`);

const copyToSinks: Rule = (call) => {
  const parsed = parseOptions(call, "-a -i -p --append --ignore-interrupts --output-error?");
  if ("judgement" in parsed) return parsed;
  const target = parsed.operands.find((arg) => !/^\/dev\/(null|stdout|stderr)$/.test(arg.text ?? ""));
  if (target === undefined) return null;
  return target.text === null
    ? unproven(`tee ${show(target)}`, target.span)
    : writes(`tee writes to ${show(target)}`, target.span);
};

/** Letters after a value go on as options, and `+command` is run at the start: only plain flags. */
const pager: Rule = (call) => {
  const plain = /^(--|-[NSRrFXEeiInsMmfg]+|-\d+|-x\d+|\+(\d+|G)|--version|--help|[^-+].*)$/;
  const other = call.args.find((arg) => (arg.text === null ? arg.mayBeOption : !plain.test(arg.text)));
  if (other !== undefined) return unproven(`${call.name} ${show(other)} may name a log or a command`, other.span);
  for (const arg of call.args) if (arg.text?.startsWith("-") === false) noteRead(arg, call.walk);
  return null;
};

/** Options end at the first operand and stand alone: `-pc 8 f` would be read as the operands `8` and `f`, and the second is written. */
const xxd: Rule = (call) => {
  const flags = /^-(a|autoskip|b|bits|C|d|e|E|EBCDIC|h|i|p|ps|plain|postscript|r|revert|u|v|[cglso](0x)?\d+)$/;
  const operands = [];
  for (let at = 0; at < call.args.length; at += 1) {
    const arg = call.args[at]!;
    const text = arg.text ?? "";
    if (text === "--" || !arg.mayBeOption) {
      operands.push(...call.args.slice(text === "--" ? at + 1 : at));
      break;
    }
    if (/^-(c|cols|g|groupsize|l|len|s|seek|o|n|name|R)$/.test(text)) {
      at += 1;
      if (call.args[at]?.many === true) return unproven(`xxd ${text} may have several values`, call.args[at]!.span);
    } else if (!flags.test(text)) return unproven(`xxd ${show(arg)}`, arg.span);
  }
  const output = operands[1] ?? operands.find((arg) => arg.many);
  if (output !== undefined) return writes(`xxd writes to its second operand ${show(output)}`, output.span);
  for (const arg of operands) noteRead(arg, call.walk);
  return null;
};

const bat: Rule = (call) => {
  const cache = call.args.find((arg) => arg.text === "cache");
  if (cache !== undefined) return writes(`${call.name} cache builds or clears the cache`, cache.span);
  return judgeBySpec(
    call,
    "-A -p -pp -l= -H= -n -d -r= -S -f -h -V -L -u -s --show-all --plain --language= --highlight-line= --file-name= --diff --diff-context= --tabs= --wrap= --terminal-width= --number --color= --italic-text= --decorations= --force-colorization --paging= --theme= --list-themes --style= --line-range= --list-languages --unbuffered --squeeze-blank --no-config | in*",
  );
};

/** Unpacks an archive by a line for the shell that has its name in it. */
const cloc: Rule = (call) => {
  const odd = call.args.find((arg) => !/^[\w./,=@:+-]+$/.test(arg.text ?? ""));
  if (odd !== undefined) return unproven(`cloc ${show(odd)} may reach a shell`, odd.span);
  const packed = call.args.find((arg) =>
    /\.(zip|tar|tgz|t?gz|bz2|tbz2?|xz|jar|[ew]ar|deb|rpm|whl|7z|Z)$/i.test(arg.text ?? ""),
  );
  if (packed !== undefined) return unproven(`cloc unpacks ${show(packed)}`, packed.span);
  return judgeBySpec(
    call,
    "--by-file --by-file-by-lang --include-lang= --exclude-dir= --exclude-lang= --exclude-ext= --include-ext= --json --csv --yaml --md --xml --quiet --hide-rate --sum-one --match-f= --not-match-f= --match-d= --not-match-d= --fullpath --timeout= --progress-rate= | in*",
  );
};

/** Its temporary files go where such files belong. */
function sortLines(options: string): Rule {
  return (call) => {
    const parsed = parseOptions(call, options);
    const places = "judgement" in parsed ? [] : valuesFor(parsed, "-T", "--temporary-directory");
    const other = places.find(({ text }) => !/^\/(tmp|var\/tmp|dev\/shm)\/?$/.test(text ?? ""));
    return other === undefined
      ? judgeBySpec(call, options)
      : unproven(`sort -T ${show(other)} writes there`, other.span);
  };
}

/** An encoding with a slash in it is the name of a file. */
const iconv: Rule = (call) => {
  const parsed = parseOptions(call, "-f= -t= -l -c -s --from-code= --to-code= --list --silent -o=> --output=>");
  if ("judgement" in parsed) return parsed;
  const odd = parsed.given.find(
    ([, value]) => value !== null && !/^[\w.:-]*(\/\/(TRANSLIT|IGNORE)?)*$/i.test(value.text ?? "/"),
  );
  if (odd !== undefined) return unproven(`iconv ${odd[0]} names a file`, call.span);
  for (const arg of parsed.operands) noteRead(arg, call.walk);
  return null;
};

/** A program that imports reads further files. */
const jq: Rule = (call) => {
  const program = call.args.find(({ text }) => text === null || /\b(import|include)\b/.test(text));
  if (program !== undefined) noteMaybe(unknownArg(program.span, { many: false }), call.walk);
  return judgeBySpec(
    call,
    "~ * --arg= --argjson= --slurpfile= --rawfile= --indent= -L= -f=<^ --from-file=<^ --args --jsonargs | data in*",
  );
};

const yq: Rule = (call) => {
  const running = call.args.find((arg) => /\b(system|exec)\b/.test(arg.text ?? ""));
  if (running !== undefined) return unproven("yq may run a program", running.span);
  return judgeBySpec(
    call,
    "-r -e -P -M -C -j -c -n -N -0 -S -y -o= -p= -I= --raw-output --prettyPrint --pretty-print --output-format= --input-format= --no-doc --null-input --unwrapScalar? --exit-status --tojson --colors --no-colors --indent= --arg= --yaml-output --compact-output -v -V | data in*",
  );
};

/** Anything but a file of text may be an address or a sub-command. */
const glow: Rule = (call) => {
  const other = call.args.find(
    ({ text }) => text !== null && /^[^-]/.test(text) && !/^(\.{0,2}\/)?[\w./-]+\.(md|markdown)$|^\w+$/.test(text),
  );
  if (other !== undefined || call.args.some(({ text }) => text === "config"))
    return unproven("glow may fetch or edit", call.span);
  return judgeBySpec(call, "-s= -w= | in");
};

/** Without -w nothing is changed; the file argument of `-l`, `-d` is read. */
const formatCheckers: Table = {
  gofmt: "~ -l -d -s -e | in*",
  shfmt: "~ -l -d -s -i= -ci -bn -sr -p -ln= | in*",
  shellcheck:
    "~ -a -C? -e= -i= -f= -s= -S= -x -V -o= -W= --norc --color? --format= --shell= --severity= --exclude= --include= --enable= --version | in*",
};

export const text: Table = {
  ...each(
    "cat tac rev md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum md5 wc cmp",
    "~ * --files0-from=< | in*",
  ),
  nl: "~ * -b= -d= -f= -h= -i= -l= -n= -s= -v= -w= | in*",
  fold: "~ * -w= --width= | in*",
  fmt: "~ * -w= -g= -p= | in*",
  ...each("expand unexpand", "~ * -t= --tabs= | in*"),
  strings: withoutOptionFiles("~ * -n= -t= -e= -s= -T= -U= | in*"),
  ...each("hexdump hd", "~ * -n= -s= -e= -f=< --format-file=< | in*"),
  shasum: "~ * -a= | in*",
  ...each("head tail", "~ * -# -n= -c= -s= --lines= --bytes= --sleep-interval= --pid= | in*"),
  cut: "~ * -d= -f= -c= -b= --delimiter= --fields= --characters= --bytes= --output-delimiter= | in*",
  od: "~ * -A= -t= -N= -j= -S= -w? --address-radix= --format= --read-bytes= --skip-bytes= | in*",
  paste: "~ * -d= --delimiters= | in*",
  join: "~ * -1= -2= -t= -a= -e= -o= -j= -v= | in*",
  comm: "~ * | in*",
  column: "~ * -t -s= -c= -o= -N= -R= -H= -O= -l= --separator= --table-columns= --output-separator= | in*",
  ...each("tr numfmt seq factor cal ncal expr", "~ * | data*"),
  bc: "~ -l -q -s -i -w -h -v --mathlib --quiet --standard --warn | in*",
  pr: "~ * | in*",
  ...each(
    "diff colordiff",
    "~ * -U= -C= -W= -x= -X=< -I= --exclude= --exclude-from=< --from-file=< --to-file=< --label= --width= --unified? --context? | in*",
  ),
  sdiff:
    "~ -s -w= -l -i -b -B -W -E -t -d --suppress-common-lines --width= --left-column --ignore-case --ignore-all-space --ignore-space-change --ignore-blank-lines | in in",
  diffstat: "~ -p= -w= -n= -s -k -l -u -C -m | in*",
  sort: sortLines(
    " -b -d -f -g -i -M -h -n -R -r -V -c -C -m -s -u -z -k= -t= -S= -T= --temporary-directory= --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --reverse --sort= --version-sort --check? --merge --stable --unique --zero-terminated --key= --field-separator= --buffer-size= --parallel= --batch-size= --debug --files0-from=< --random-source=< -o=> --output=> --compress-program! | in*",
  ),
  uniq: secondIsOutput(
    "-c -d -D -u -i -z -f= -s= -w= --count --repeated --all-repeated? --unique --ignore-case --zero-terminated --skip-fields= --skip-chars= --check-chars= --group?",
  ),
  shuf: "~ -e -i= -n= -r -z --echo --input-range= --head-count= --repeat --zero-terminated --random-source=< -o=> --output=> | in*",
  xxd,
  ptx: "-A -F= -M= -O -R -S= -T -W= -b=< -f -g= -i=< -o=< -r -t -w= --auto-reference --ignore-case --references --right-side-refs --width= --gap-size= --ignore-file=< --only-file=< --break-file=< -G! --traditional! | in",
  base64: "~ -d -D -w= -i --decode --wrap= --ignore-garbage | in",
  ...each(
    "base32 basenc",
    "~ -d -w= -i --decode --wrap= --ignore-garbage --base64 --base64url --base32 --base32hex --base16 --base2msbf --z85 | in",
  ),
  iconv,
  ...each("jq gojq", jq),
  yq,
  xmllint:
    "~ --format --noout --xpath= --pretty= --html --nonet --noblanks --huge --recover --version --wellformed --stream --output=> -o=> | in*",
  tee: copyToSinks,
  ...each("sed gsed", judgeSed),
  ...each("awk gawk mawk nawk original-awk", judgeAwk),
  ...each("bat batcat", bat),
  ...each("sqlite3", judgeSqlite),
  ...formatCheckers,
  json_pp: "~ ",
  gron: "~ -s -v -m -c --stream --monochrome | in",
  jo: "~ -p -a -n | data*",
  yamllint: "~ -d= -f= -s -c=< --strict --format= | in*",
  ...each("csvcut csvstat csvlook csvgrep", "~ -c= -n -d= -m= -r= --names --columns= | in*"),
  ...each("zcat gzcat bzcat xzcat lzcat", "~ -f -q -v -k -d -l --force --quiet --verbose | in*"),
  zstdcat: "~ -f -q -v | in*",
  ...each(
    "zgrep zegrep zfgrep bzgrep xzgrep",
    "~ -# -i -v -n -c -l -L -o -q -s -w -x -E -F -P -H -h -a -A= -B= -C= -e=^ -m= --color? | data in*",
  ),
  ...each("zdiff zcmp", "~ -u -c -q -s -i -w -b | in in"),
  ...each("less more zless zmore", pager),
  cloc,
  ...each(
    "tokei scc",
    "~ -f -t= -e= -s= -l -c -V --files --type= --exclude= --sort= --languages --hidden --no-ignore --by-file --format= -i= --include-ext= --exclude-dir= --no-complexity --no-cocomo | in*",
  ),
  ...each("pygmentize", "~ -l= -f= -g -L -V | in"),
  glow,
  ...each("wdiff", "~ -1 -2 -3 -i -s -n -w= -x= -y= -z= | in in"),
};
