/** Composes commands at random: pipes, lists, substitutions, loops, wrappers, odd and abbreviated options. */
import type { Random } from "./random.ts";
import { generateStateful } from "./state.ts";
import { files, languages, programs, values } from "./vocabulary.ts";
import type { KnownCommand } from "./vocabulary.ts";

export interface Vocabulary {
  readonly sample: readonly string[];
  readonly table: readonly KnownCommand[];
  readonly help: readonly KnownCommand[];
}

/** One command line; the same random numbers give the same line. */
export function generateCommand(random: Random, vocabulary: Vocabulary): string {
  if (random.chance(0.25)) return generateStateful(random);
  const depth = random.pick([0, 0, 0, 1, 1, 2]);
  const command = compose(random, vocabulary, depth);
  return random.chance(0.15) ? mutate(random, command) : command;
}

function compose(random: Random, vocabulary: Vocabulary, depth: number): string {
  if (depth === 0) return simple(random, vocabulary);
  const part = (): string => compose(random, vocabulary, depth - 1);
  return random.pick<() => string>([
    () => `${part()} | ${part()}`,
    () => `${part()} | ${filter(random)}`,
    () => `${part()} && ${part()}`,
    () => `${part()} || ${part()}`,
    () => `${part()}; ${part()}`,
    () => `${part()}\n${part()}`,
    () => `(${part()})`,
    () => `{ ${part()}; }`,
    () => `if ${part()}; then ${part()}; else ${part()}; fi`,
    () => `for x in ${operand(random)} ${operand(random)}; do ${part()}; done`,
    () => `for x in ${operand(random)}; do ${filter(random)} "$x"; done`,
    () => `while read -r x; do ${part()}; done < ${operand(random)}`,
    () => `until true; do ${part()}; done`,
    () => `case ${random.pick(values)} in a) ${part()};; *) ${part()};; esac`,
    () => `echo "$(${part()})"`,
    () => `cat <(${part()})`,
    () => `diff <(${part()}) <(${part()})`,
    () => `x=$(${part()}); echo "$x"`,
    () => `x=${random.pick(values)}; ${part()}`,
    () => `f() { ${part()}; }; f ${operand(random)}`,
    () => `cat <<EOF | ${filter(random)}\n$(${part()})\nEOF`,
    () => `${filter(random)} <<< "$(${part()})"`,
    () => `${part()} 2>/dev/null`,
    () => `${part()} > /dev/null 2>&1`,
    () => `${part()} 2>&1 | ${filter(random)}`,
    () => `${part()} > ${random.pick(["PWNED", "/dev/stdout", "/dev/stderr", "&2", "/dev/fd/1", "$x"])}`,
    () => `cd ${random.pick(["src", "docs", "..", "missing", "trap/find", "-", "$x", "~"])} && ${part()}`,
    () => `! ${part()}`,
    () => `time ${part()}`,
    () => `${part()} &\nwait`,
    () => `[[ -n "$(${part()})" ]] && ${part()}`,
    () => `${random.pick(wrappers)} ${part()}`,
    () => `bash -c ${quote(part())}`,
    () => `${part()} | xargs ${random.pick(["", "-0", "-n1", "-I{}", "-r", "-L1", "-P2", "-t"])} ${part()}`,
    () => `echo ${operand(random)} | ${part()}`,
    () => `let x=1+1; ${part()}`,
    () => `echo 'touch PWNED' | ${random.pick(programs)}`,
    () => `${random.pick(programs)} < scripts/hit.sh`,
    () => `a=(${operand(random)} ${operand(random)}); ${filter(random)} "\${a[@]}"`,
    () => `printf '%s\\n' ${operand(random)} | while IFS= read -r f; do ${filter(random)} "$f"; done`,
  ])();
}

const wrappers =
  String.raw`timeout 5|timeout -k 1 2|env|env -i|env A=b|env -u HOME|nice|nice -n 5|command|command -p|time -p|stdbuf -oL|nohup|setsid|ionice -c3|builtin|exec|env -S|chrt -i 0|taskset 1|xargs|busybox|LC_ALL=C|GIT_PAGER=cat|X=1|PATH=.:$PATH|TZ=UTC|FOO=bar BAR=baz|GIT_DIR=.git|PAGER=./scripts/hit.sh`.split(
    "|",
  );

const filters =
  String.raw`cat|head -3|tail -1|sort|sort -u|uniq -c|wc -l|grep a|grep -v x|sed -n 1p|awk '{print $1}'|tr a b|cut -c1-3|jq .|tee /dev/null|tee PWNED|xargs echo|rev|nl|column -t|less|more|paste -sd,|head -c 10|md5sum|od -c|base64|fold -w 10|grep -c .|sort -n|tac|xargs -n1 basename|python3 -c 1|sh|bash`.split(
    "|",
  );

function filter(random: Random): string {
  return random.pick(filters);
}

function simple(random: Random, vocabulary: Vocabulary): string {
  const kind = random.next();
  if (kind < 0.15 && vocabulary.sample.length > 0) return random.pick(vocabulary.sample);
  if (kind < 0.4) return language(random);
  if (kind < 0.75 && vocabulary.table.length > 0) return withOptions(random, random.pick(vocabulary.table));
  if (kind < 0.95 && vocabulary.help.length > 0) return withOptions(random, random.pick(vocabulary.help));
  return `${random.pick(programs)} ${operand(random)}`;
}

function language(random: Random): string {
  const name = random.pick(["sed", "awk", "find", "jq", "git", "git", "git"]);
  const text = expand(random, name, random.pick(languages[name]!));
  if (name === "git") {
    const place = random.chance(0.1) ? `-C ${random.pick(["src", ".", "missing"])} ` : "";
    const more = random.chance(0.25)
      ? ` ${random.pick(["-n 3", "--", "--stat", "-p", "HEAD", "--color=always", "-z", "--name-only", operand(random)])}`
      : "";
    return `git ${place}${text}${more}`;
  }
  if (name === "find")
    return `find ${random.pick([".", "src", "", "-L .", "-H src", "* ", "$x"])} ${text.replaceAll("( ", "\\( ").replaceAll(" )", " \\)")}`;
  const flags: Record<string, string[]> = {
    sed: [
      "",
      "-n",
      "-E",
      "-i",
      "-s",
      "-z",
      "-u",
      "--posix",
      "--debug",
      "-ne",
      "-n -e p -e",
      "--sandbox",
      "-i.bak",
      "--in-place",
      "--expression",
    ],
    awk: ["", "-F,", "-v x=1", "-F:", "--posix", "-v OFS=,", "-o", "-d", "-p", "-S", "--sandbox"],
    jq: [
      "",
      "-r",
      "-c",
      "-n",
      "-e",
      "-s",
      "-S",
      "--arg a b",
      "--slurpfile a README.md",
      "-f",
      "--stream",
      "-R",
      "-L src",
    ],
  };
  return `${name} ${random.pick(flags[name]!)} ${quote(text)} ${operand(random)}`;
}

function expand(random: Random, name: string, text: string): string {
  return text.replace(/\{([A-Z])\}/g, (whole, part: string) => {
    const choices = languages[`${name}.${part}`];
    return choices === undefined ? whole : expand(random, name, random.pick(choices));
  });
}

function withOptions(random: Random, { name, options }: KnownCommand): string {
  const count = random.pick([0, 1, 1, 2, 2, 3, 4]);
  const chosen = Array.from({ length: options.length === 0 ? 0 : count }, () => option(random, random.pick(options)));
  const operands = Array.from({ length: random.pick([0, 1, 1, 1, 2, 3]) }, () => operand(random));
  const words = random.chance(0.8) ? [...chosen, ...operands] : [...operands, ...chosen];
  return [name, ...words].join(" ");
}

function option(random: Random, text: string): string {
  const takesValue = text.endsWith("=");
  const name = takesValue ? text.slice(0, -1) : text;
  const written =
    random.chance(0.1) && name.startsWith("--") ? name.slice(0, Math.max(4, name.length - 1 - random.below(4))) : name;
  if (!takesValue) return random.chance(0.08) ? `${written}=${random.pick(values)}` : written;
  const value = random.pick(random.chance(0.5) ? values : files);
  if (written.startsWith("--")) return random.chance(0.5) ? `${written}=${value}` : `${written} ${value}`;
  return random.chance(0.5) ? `${written}${value}` : `${written} ${value}`;
}

function operand(random: Random): string {
  return random.chance(0.85) ? random.pick(files) : random.pick(values);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Small damage to a text: quoting inside of words, bundled options, other blanks, doubled or lost characters. */
function mutate(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  return random.pick<() => string>([
    () => `${text.slice(0, at)}\\${text.slice(at)}`,
    () => `${text.slice(0, at)}""${text.slice(at)}`,
    () => `${text.slice(0, at)}\\\n${text.slice(at)}`,
    () => text.replace(" -", "  -"),
    () => text.replace(/ -(\w) -(\w)\b/, " -$1$2"),
    () => text.replace(/(\w)( |$)/, '"$1"$2'),
    () => `${text.slice(0, at)}${text.slice(at + 1)}`,
    () => `${text} # ${random.pick(values)}`,
    () => text.replace(/ (\S+)$/, " $'$1'"),
    () => text.replace(/ (\S+)/, " {$1,$1}"),
    () => text.replace(/ (?=[^-\s])/, " -- "),
    () =>
      `${text} ${random.pick(["-", "--", "--help", "--version", "-o PWNED", "-oPWNED", "--output PWNED", "--output=PWNED", "-w", "-i", "-f PWNED", "-x"])}`,
    () => `\\${text}`,
    () => `${text} ${operand(random)}`,
  ])();
}
