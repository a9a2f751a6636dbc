/** Small shell programs with state: a value that does harm where it is believed gone, and a place that would use it. */
import type { Random } from "./random.ts";

/** One script; the same random numbers give the same script. */
export function generateStateful(random: Random): string {
  const steps = Array.from({ length: 1 + random.below(4) }, () => step(random));
  const lines = [random.pick(beginnings), ...steps, use(random)];
  return lines.join(random.chance(0.3) ? "\n" : "; ");
}

const evil = [
  "-oPWNED",
  "'a[$(touch PWNED)]'",
  "'$(touch PWNED)'",
  "'f -oPWNED'",
  "README.md",
  "1",
  "./scripts/hit.sh",
  "'([$(touch PWNED)]=1)'",
];
const names = ["x", "y", "i", "n", "a", "REPLY", "RANDOM", "SECONDS", "_", "OPTIND", "MAPFILE", "FOO"];
const beginnings = [
  "x=-oPWNED",
  "x='a[$(touch PWNED)]'",
  "x='([$(touch PWNED)]=1)'; declare -i n",
  "declare -i x; y='a[$(touch PWNED)]'",
  "declare -A a; x='$(touch PWNED)'",
  "a=(1 2 3); x='a[$(touch PWNED)]'",
  "set -- 'a[$(touch PWNED)]' -oPWNED README.md",
  "readonly y=-oPWNED; x=$y",
  "f() { x=README.md; }; x=-oPWNED",
  "g() { unset x; }; x=-oPWNED",
  ": 'a[$(touch PWNED)]'",
  "x=1; i=0; n=2",
];
const safe = ["README.md", "1", "data/fruit.txt", "''", "2"];
const redirects = [
  "< missing.txt",
  "< README.md",
  "2>&9",
  "<&7",
  "> /dev/null",
  "<<< 1",
  "2>/dev/null",
  "< /dev/null",
  '<<< "$x"',
];

function step(random: Random): string {
  const name = random.pick(names);
  const value = random.pick(random.chance(0.5) ? evil : safe);
  return random.pick<() => string>([
    () => `${name}=${value}`,
    () => `${name}+=${value}`,
    () => `{ ${name}=${value}; } ${random.pick(redirects)}`,
    () => `${name}=${value} ${random.pick(redirects)}`,
    () => `if ${random.pick(["true", "false", "[ -f README.md ]", "((n))"])}; then ${name}=${value}; fi`,
    () => `for ${name} in ${value} ${random.pick(safe)}; do ${random.pick([":", "break", "continue", "echo"])}; done`,
    () =>
      `while ${random.pick(["false", "read", "((i++ < 2))", `read ${name}`])}; do ${name}=${value}; ${random.pick([":", "break"])}; done < README.md`,
    () => `case ${value} in 1) ${name}=${value};; *) ${name}=${random.pick(safe)};; esac`,
    () => `(${name}=${value})`,
    () => `${random.pick(["true", "false"])} ${random.pick(["&&", "||"])} ${name}=${value}`,
    () => `read ${name} ${random.pick(redirects)}`,
    () => `printf -v ${name} %s ${value}`,
    () => `mapfile ${random.pick(["", "-t "])}${name} < README.md`,
    () =>
      `declare ${random.pick(["", "-i ", "-a ", "-A ", "-r ", "-x ", "-ai "])}${name}${random.pick(["", `=${value}`, `="$x"`, `=(${value})`])}`,
    () => `unset ${name}`,
    () => `export ${name}=${value}`,
    () =>
      `f() { ${random.pick(["local ", "declare ", "unset ", ""])}${name}${random.chance(0.7) ? `=${value}` : ""}; ${random.pick([":", "return", "g", ": $((1/0))"])}; ${name}=${random.pick(safe)}; }`,
    () => `g() { ${random.pick(["unset x", "x=README.md", "local x=1", ": ${x:=1}"])}; }`,
    () =>
      random.pick(["f", "g", "f 1", "f < missing.txt", "g 2>&9", "{ f; } < missing.txt", "f | cat", "(f)", "f && g"]),
    () => `: \${${name}:=${value}}`,
    () =>
      `echo ${random.pick(["$((1/0))", "$((i/0))", "${x:0:-9}", "${a[-9]}", "$((n+1))", "${x:?}", "$((08))"])}; ${name}=${random.pick(safe)}`,
    () => `let ${name}=${random.pick(["1", "n+1", "x", "i++"])}`,
    () => `((${name}${random.pick(["++", "=1", "+=x", "=i+1"])}))`,
    () =>
      `cd ${random.pick(["src", "missing", "/dev", "..", "-", "/"])} ${random.pick(["", "< missing.txt", "2>/dev/null"])}`,
    () => `set -- ${value} ${random.pick(safe)}`,
    () => `[[ ${value} =~ (.*) ]]`,
    () => `x=$(echo ${value})`,
    () => `eval ${value}`,
    () => `shift`,
  ])();
}

function use(random: Random): string {
  const name = random.pick(names);
  return random.pick([
    `sort $${name}`,
    `sort "$${name}"`,
    `sort README.md $${name}`,
    `uniq README.md $${name}`,
    `echo $((${name}))`,
    `echo $((${name} + 1))`,
    `echo \${a[${name}]}`,
    `echo \${a[$${name}]}`,
    `echo \${x:${name}}`,
    `echo \${x:0:$${name}}`,
    `[[ $${name} -gt 1 ]]`,
    `[[ ${name} -eq 1 ]]`,
    `[ "$${name}" -gt 1 ]`,
    `((${name} > 1))`,
    `a[${name}]=1`,
    `for ((i=${name}; i<2; i++)); do :; done`,
    `echo $((_))`,
    `declare -a b="$${name}"`,
    `declare ${name}=$x`,
    `cat < $${name}`,
    `cat < "tcp/127.0.0.1/9"`,
    `git log $${name}`,
    `find . $${name}`,
    `sed $${name} README.md`,
    `awk $${name} README.md`,
    `$${name}`,
    `bash -c "$${name}"`,
    `sort $1`,
    `echo $(($1))`,
    `printf -v q %d "$${name}"`,
    `test -v "$${name}"`,
    `unset "a[$${name}]"`,
    `xargs sort < README.md`,
    `echo \${!${name}}`,
    `echo "\${${name}@P}"`,
  ]);
}
