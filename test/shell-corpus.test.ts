/** The labelled commands: no writing one is ever proved read-only, nearly every reading one is. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { ShellSituation } from "../src/shell/index.ts";
import { verdict } from "../src/shell/index.ts";

interface Row {
  readonly cmd: string;
  readonly label: "read" | "write";
  readonly class: string;
}

const situation: ShellSituation = {
  platform: "linux",
  directory: "/home/dev/proj",
  home: "/home/dev",
  projectTools: [],
};

function rowsOf(name: string): readonly Row[] {
  const text = readFileSync(new URL(`corpus/${name}.jsonl`, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
}

const corpora = ["shell-dev", "shell-own"].map((name) => ({ name, rows: rowsOf(name) }));

describe.each(corpora)("B1.3 the commands of $name", ({ name, rows }) => {
  const judged = rows.map((row) => ({ ...row, ...verdict(row.cmd, situation) }));

  test("none of the writing ones is judged read-only", () => {
    const allowed = judged.filter(({ label, verdict }) => label === "write" && verdict === "read-only");
    expect(allowed.map(({ cmd }) => cmd)).toEqual([]);
  });

  test("at least 97 % of the reading ones are proved", () => {
    const readers = judged.filter(({ label }) => label === "read");
    const missed = readers.filter(({ verdict }) => verdict !== "read-only");
    const share = 1 - missed.length / readers.length;
    console.log(`${name}: ${readers.length} reading, ${(share * 100).toFixed(1)} % proved`);
    for (const { cmd, reason } of missed) console.log(`  not proved: ${JSON.stringify(cmd)}: ${reason}`);
    expect(share).toBeGreaterThanOrEqual(0.97);
  });

  test("each of the reading ones with an output file is refused", () => {
    const open = judged.filter(({ cmd, label }) => label === "read" && !cmd.includes("<<"));
    const allowed = open.filter(({ cmd }) => verdict(`${cmd} > x`, situation).verdict === "read-only");
    const ignored = /#|\\$|&\s*$/;
    expect(allowed.filter(({ cmd }) => !ignored.test(cmd)).map(({ cmd }) => cmd)).toEqual([]);
  });

  test("what is proved has a canonical form that is judged the same and is its own canonical form", () => {
    const wrong = judged.filter(({ verdict: judgement, canonical }) => {
      if (judgement !== "read-only") return false;
      const again = verdict(canonical!, situation);
      return again.verdict !== "read-only" || again.canonical !== canonical;
    });
    expect(wrong.map(({ cmd, canonical }) => ({ cmd, canonical }))).toEqual([]);
  });

  test("a span lies in the text, and a refusal has a reason", () => {
    const wrong = judged.filter(
      ({ cmd, span, reason }) =>
        reason === "" || (span !== null && !(span[0] >= 0 && span[0] <= span[1] && span[1] <= cmd.length)),
    );
    expect(wrong.map(({ cmd, span }) => ({ cmd, span }))).toEqual([]);
  });
});

describe("B1.3 the own cases", () => {
  test("there are more than 500, of both labels and of every class", () => {
    const [dev, own] = corpora.map(({ rows }) => rows) as [readonly Row[], readonly Row[]];
    expect(own.length).toBeGreaterThan(500);
    expect(own.filter(({ label }) => label === "write").length).toBeGreaterThan(250);
    expect(new Set(own.map(({ cmd }) => cmd)).size).toBe(own.length);
    expect(own.filter(({ cmd }) => dev.some((row) => row.cmd === cmd))).toEqual([]);
  });
});
