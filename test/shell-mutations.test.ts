/** Writing commands dressed up in every way that does not change what they do: never proved read-only. */
import { describe, expect, test } from "vitest";
import { verdict } from "../src/shell/index.ts";
import { project, rowsOf } from "./shell-rows.ts";

/** Not the texts that are no commands: a dress may complete them. */
const broken = /^(ls \)|echo \$[({]|echo "unclosed|\(\(|if ls; then)$/;
const writers = [...rowsOf("shell-dev"), ...rowsOf("shell-own"), ...rowsOf("shell-classes")].filter(
  ({ label, cmd }) => label === "write" && !broken.test(cmd),
);
const readers = [...rowsOf("shell-dev"), ...rowsOf("shell-own")].filter(({ label }) => label === "read");

/** Each keeps the command's effect. */
const dresses: Readonly<Record<string, (command: string) => string>> = {
  "spaces around it": (command) => `  ${command}  `,
  "a subshell": (command) => `(${command}\n)`,
  "a group": (command) => `{ ${command}\n}`,
  "a list after true": (command) => `true && ${command}`,
  "a list after false": (command) => `false || ${command}`,
  "a sequence": (command) => `ls; ${command}`,
  "a line of its own": (command) => `ls\n${command}\nls`,
  "a pipeline": (command) => `echo x | { ${command}\n}`,
  "a pipe after it": (command) => `{ ${command}\n} | cat`,
  "a command substitution": (command) => `echo "$(${command}\n)"`,
  "an assignment": (command) => `y=$(${command}\n)`,
  "a process substitution": (command) => `cat <(${command}\n)`,
  "a loop": (command) => `for i in 1; do ${command}\ndone`,
  "a condition": (command) => `if ${command}\nthen :; fi`,
  "a branch": (command) => `if true; then :; else ${command}\nfi`,
  "a case": (command) => `case x in *) ${command}\n;; esac`,
  "a function": (command) => `gp_f() { ${command}\n}; gp_f`,
  "a negation": (command) => `! ${command}`,
  "a shell of its own": (command) => `bash -c '${command.replaceAll("'", `'\\''`)}'`,
  "a here-document": (command) => `cat <<GP_END\n$(${command}\n)\nGP_END`,
  "the background": (command) => `{ ${command}\n} & wait`,
};

describe.each(Object.entries(dresses))("B1.3 a writing command in %s", (_, dress) => {
  test("is never judged read-only", () => {
    const allowed = writers.map(({ cmd }) => dress(cmd)).filter((command) => isProved(command));
    expect(allowed).toEqual([]);
  });
});

describe("B1.3 a simple writing command", () => {
  const simple = writers.filter(({ cmd }) => /^[a-z][\w.-]*( [\w./:=@{}-]+)*$/.test(cmd));

  test.each(["env", "command", "nice", "nohup", "timeout 5", "time", "xargs", "stdbuf -oL", "builtin command"])(
    "behind %s is never judged read-only",
    (wrapper) => {
      const allowed = simple.map(({ cmd }) => `${wrapper} ${cmd}`).filter(isProved);
      expect(allowed.filter((command) => !runsBuiltin(command))).toEqual([]);
    },
  );

  test("with its words quoted or escaped is never judged read-only", () => {
    const quoted = simple.flatMap(({ cmd }) => [
      cmd
        .split(" ")
        .map((word) => `'${word}'`)
        .join(" "),
      cmd
        .split(" ")
        .map((word) => `"${word}"`)
        .join(" "),
      cmd
        .split(" ")
        .map((word) => `\\${word}`)
        .join(" "),
      cmd
        .split(" ")
        .map((word) => `${word.slice(0, 1)}''${word.slice(1)}`)
        .join(" "),
      cmd.split(" ").join(" \\\n"),
    ]);
    expect(quoted.filter(isProved)).toEqual([]);
  });

  test("after any reading command is never judged read-only", () => {
    const random = newRandom(1);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const joined = Array.from({ length: 4000 }, () => `${pick(readers).cmd}\n${pick(simple).cmd}`);
    expect(joined.filter((command) => !isSwallowed(command)).filter(isProved)).toEqual([]);
  });
});

describe("B1.3 random text", () => {
  test("cut, doubled and mixed from the corpus never throws, and is proved only in canonical form", () => {
    const random = newRandom(2);
    const texts = [...writers, ...readers].map(({ cmd }) => cmd);
    for (let round = 0; round < 6000; round += 1) {
      const one = texts[Math.floor(random() * texts.length)]!;
      const other = texts[Math.floor(random() * texts.length)]!;
      const mixed = one.slice(0, Math.floor(random() * one.length)) + other.slice(Math.floor(random() * other.length));
      const answer = verdict(mixed, project);
      if (answer.verdict !== "read-only") continue;
      expect(verdict(answer.canonical!, project)).toMatchObject({ verdict: "read-only", canonical: answer.canonical });
    }
  });
});

function isProved(command: string): boolean {
  return verdict(command, project).verdict === "read-only";
}

/** The second line would be a part of the first command. */
function isSwallowed(command: string): boolean {
  return /<<|\\\n/.test(command);
}

/** A program cannot run a builtin of the shell, so nothing happens. */
function runsBuiltin(command: string): boolean {
  return /\b(read|declare|export|set|shopt|unset|hash|history|alias|umask|ulimit|trap|wait|local|typeset)\b/.test(
    command,
  );
}

/** A small generator with a seed, so that a failure can be repeated. */
function newRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
