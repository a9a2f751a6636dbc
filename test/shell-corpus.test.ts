/** The labelled commands: no writing one is ever proved read-only, nearly every reading one is. */
import { describe, expect, test } from "vitest";
import { verdict } from "../src/shell/index.ts";
import { project, rowsOf } from "./shell-rows.ts";

const dev = rowsOf("shell-dev");
const own = rowsOf("shell-own");
const corpora = [
  { name: "shell-dev", rows: dev },
  { name: "shell-own", rows: own },
  { name: "shell-classes", rows: rowsOf("shell-classes") },
];

describe.each(corpora)("B1.3 the commands of $name", ({ name, rows }) => {
  const judged = rows.map((row) => ({ ...row, ...verdict(row.cmd, project) }));

  test("none of the writing ones is judged read-only", () => {
    const allowed = judged.filter(({ label, verdict }) => label === "write" && verdict === "read-only");
    expect(allowed.map(({ cmd }) => cmd)).toEqual([]);
  });

  test("at least 98.5 % of the reading ones are proved", () => {
    const readers = judged.filter(({ label }) => label === "read");
    const missed = readers.filter(({ verdict }) => verdict !== "read-only");
    const share = 1 - missed.length / readers.length;
    console.log(`${name}: ${readers.length} reading, ${(share * 100).toFixed(1)} % proved`);
    for (const { cmd, reason } of missed) console.log(`  not proved: ${JSON.stringify(cmd)}: ${reason}`);
    expect(share).toBeGreaterThanOrEqual(0.985);
  });

  test("none of the reading ones is said to write, so that in a cage nobody is asked about any of them", () => {
    const readers = rows.filter(({ label }) => label === "read");
    const refused = readers.filter(({ cmd }) => verdict(cmd, { ...project, caged: true }).verdict === "writes");
    expect(refused.map(({ cmd }) => cmd)).toEqual([]);
  });

  test("each of the reading ones with an output file is refused", () => {
    const open = judged.filter(({ cmd, label }) => label === "read" && !cmd.includes("<<"));
    const allowed = open.filter(({ cmd }) => verdict(`${cmd} > x`, project).verdict === "read-only");
    const ignored = /#|\\$|&\s*$/;
    expect(allowed.filter(({ cmd }) => !ignored.test(cmd)).map(({ cmd }) => cmd)).toEqual([]);
  });

  test("what is proved has a canonical form that is judged the same and is its own canonical form", () => {
    const wrong = judged.filter(({ verdict: judgement, canonical }) => {
      if (judgement !== "read-only") return false;
      const again = verdict(canonical!, project);
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
    expect(own.filter(({ label }) => label === "write").length).toBeGreaterThan(250);
    expect(new Set(own.map(({ cmd }) => cmd)).size).toBe(own.length);
    expect(own.filter(({ cmd }) => dev.some((row) => row.cmd === cmd))).toEqual([]);
  });
});
