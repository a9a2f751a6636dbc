import { describe, expect, test } from "vitest";
import { verdict } from "./verdict.ts";

const situation = { platform: "linux", directory: "/p", projectTools: [] } as const;

function judgementOf(command: string): string {
  return verdict(command, situation).verdict;
}

describe("options are read as the program reads them", () => {
  test.each([
    ["sort -t, -k2 -n f", "an attached and a bundled value"],
    ["sort -nrk 2 f", "a bundle whose last letter takes the next word"],
    ["sort --key=2 --reverse f", "a long option with its value"],
    ["sort -k 2 -t '|' f", "separate values"],
    ["sort -- -o", "an operand after --"],
    ["sort - < f", "a dash is an operand"],
    ["sort ./-o f", "a path that ends like an option"],
    ["sort src/*.txt", "a glob with a directory"],
    ["git log -5 --oneline", "a number as an option"],
    ['git log --since="$x"', "an unknown value attached to a long option"],
    ['git log -n "$n"', "an unknown value of an option"],
    ['git log -- "$f"', "an unknown word after --"],
    ['git log "origin/$b"', "an unknown word with a literal beginning"],
    ['grep -n "$x" "$@"', "a command of which every option is harmless"],
    ["sort --output=/dev/stdout f", "an output that is a sink"],
    ["sort --help", "a question for help"],
  ])("%s is proved: %s", (command) => {
    expect(judgementOf(command)).toBe("read-only");
  });

  test.each([
    ["sort -o x f", "an output option"],
    ['git log --format="%h $x"', "an unknown format, which may check signatures"],
    ["sort -nox f", "an output in a bundle"],
    ["sort f --output x", "an output after an operand"],
    ["sort --outp=x f", "an abbreviation"],
    ["sort --reverse=x f", "a value for a flag"],
    ["sort -k", "a value that is missing"],
    ["sort -k --output=x f", "a value that looks like an option"],
    ['sort "$x"', "an unknown word"],
    ["sort $x", "an unknown word that may split"],
    ["sort *", "a glob that may begin with a dash"],
    ["sort src/$x", "a literal beginning that does not help against splitting"],
    ["sort -$x f", "a part of an option"],
    ["sort --$x f", "a part of a long option"],
    ["sort {-o,x} f", "braces that give an option"],
    ["uniq a b", "an operand that is written"],
    ["uniq src/*", "several operands where the second is written"],
  ])("%s is not: %s", (command) => {
    expect(judgementOf(command)).not.toBe("read-only");
  });
});

describe("variables are followed in the order in which the shell runs", () => {
  test.each([
    "x=f; sort $x",
    "x=f; y=$x; sort $y",
    "for x in a b; do sort $x; done",
    'for x in src/*; do sort "$x"; done',
    "x=a; if true; then x=b; fi; sort $x",
    "i=0; while [ $i -lt 3 ]; do echo $((i)); i=$((i + 1)); done",
    "x=-o; x=f; sort $x",
    "f() { local x=a; sort $x; }; f",
    "x=a; (x=-o); sort $x",
  ])("%s is proved", (command) => {
    expect(judgementOf(command)).toBe("read-only");
  });

  test.each([
    "x=-oy; sort $x",
    "x='a b -oy'; sort $x",
    "for x in a -oy; do sort $x; done",
    "for x in src/*; do sort $x; done",
    "x=a; if true; then x=-oy; fi; sort $x",
    "x=a; while true; do sort $x; x=-oy; done",
    "x=a; f() { x=-oy; }; f; sort $x",
    "x=a; read x; sort $x",
    "x=a; x=$(cat f); sort $x",
    "x=a; x+=$y; sort $x",
    "x=a; printf -v x %s -oy; sort $x",
    "x=a; : ${y:=-oy}; sort $y",
    "x=a; unset x; sort $x",
    "true && x=-oy || x=a; sort $x",
    "case $1 in a) x=-oy;; *) x=a;; esac; sort $x",
  ])("%s is not", (command) => {
    expect(judgementOf(command)).not.toBe("read-only");
  });
});
