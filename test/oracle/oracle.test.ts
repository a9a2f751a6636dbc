/** A short slice of the oracle; the long run is `node scripts/oracle.mjs`. */
import { describe, expect, test } from "vitest";
import { runArity, runLate } from "./ask.ts";
import { runOracle, watchCommands } from "./oracle.ts";
import { needs } from "../support/needs.ts";

/** Programs and builtins that do the same on every machine. */
const everywhere = new Set(
  ": [ awk base64 basename bash break builtin cat cd cmp comm continue cut date declare diff dirname echo env exit expand export f false find fold g git grep head join let local ls mapfile nl od paste printf pwd read readonly return sed seq set sh shift sort tac tail tee test timeout tr true uniq unset wait wc xargs"
    .split(" ")
    .concat(""),
);

describe("the oracle", needs("bubblewrap", "strace in a cage"), () => {
  test("sees what commands do", async () => {
    const writing =
      String.raw`touch README.md|echo x > out.txt|cat README.md > /tmp/st.txt|sed -i s/a/b/ README.md|./bin/ls|git add .|git commit -qm x --allow-empty
      chmod 600 README.md|rm untracked.txt|truncate -s 0 README.md|sort -o PWNED data/fruit.txt|find . -name '*.md' -exec touch PWNED ;|exec 3<>/dev/tcp/127.0.0.1/9|(touch PWNED) & wait`
        .split(/\||\n\s*/)
        .map((command) => command.replace(/ ;$/, " \\;"));
    const reading =
      String.raw`ls -la|cat README.md|git status|git log -p -2|git diff|git blame README.md|rg TODO|find . -type f|sed -n 1,3p README.md
      awk '{print $1}' README.md|sort data/fruit.txt|node --version|python3 -c 'print(1)'|for f in *.md; do wc -l "$f"; done|cat <<< text|diff <(ls) <(ls src)|tar tzf data/sample.tar.gz`.split(
        /(?<! )\||\n\s*/,
      );
    const blind = (await watchCommands(writing)).filter(({ what }) => what.length === 0);
    const alarmed = (await watchCommands(reading)).filter(({ what }) => what.length > 0);
    expect({ blind: blind.map(({ command }) => command), alarmed }).toEqual({ blind: [], alarmed: [] });
  });

  test("B1.3 finds nothing that a command judged read-only should not do", async () => {
    const report = await runOracle({
      seed: 20_261_115,
      limit: { count: 1500 },
      quick: true,
      batch: 40,
      only: everywhere,
    });
    expect(report.findings).toEqual([]);
    expect(report.ran).toBeGreaterThan(30);
  });
});

/** Programs of which every release in use reads its options by getopt. */
const steady = "sort uniq sed env xargs timeout nice stdbuf shuf base64 date sdiff diff3".split(" ");

describe("the arity of options", needs("bubblewrap"), () => {
  test("B1.3 is what the installed programs say it is", async () => {
    expect((await runArity(steady, /GNU/)).faults).toEqual([]);
  });
});

/** Programs whose options the guard takes to end, or to count, at an operand. */
const placed = "sort env xargs timeout nice stdbuf tar gzip xz unzip xxd cpio find awk git sed rpm".split(" ");

describe("an option after an operand", needs("bubblewrap"), () => {
  test("B1.3 counts to the guard where it counts to the installed program", async () => {
    expect((await runLate(placed)).faults).toEqual([]);
  });
});
