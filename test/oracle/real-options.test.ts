import { describe, expect, test } from "vitest";
import { checkArity } from "./arity.ts";
import { checkLate } from "./late.ts";
import { optionsOf } from "./real-options.ts";

test("options and their values are found in a manual page", () => {
  const text = "\\fB\\-k\\fR, \\fB\\-\\-key\\fR=\\fIKEYDEF\\fR\n\\fB\\-r\\fR, \\fB\\-\\-reverse\\fR\nsort -o FILE";
  expect(optionsOf(text)).toEqual(["-k", "--key=", "-r", "--reverse", "-o="]);
});

describe("the arity of options", () => {
  const sort = [{ name: "sort", options: ["-k=", "-r", "--key="] }];

  test("agrees where a program says that a value is missing, or that all is well", async () => {
    const report = await checkArity(sort, async (commands) =>
      commands.map((command) => (/k/.test(command) ? "option requires an argument -- 'k'" : "")),
    );
    expect(report).toEqual({ asked: 3, faults: [] });
  });

  test("a program that takes a value where the guard sees none, or none where it sees one, is a fault", async () => {
    const report = await checkArity(sort, async (commands) =>
      commands.map((command) => (command.endsWith("r") ? "option requires an argument -- 'r'" : "")),
    );
    expect(report.faults).toEqual([
      { command: "sort -k", guard: "value", program: "none" },
      { command: "sort -r", guard: "none", program: "value" },
      { command: "sort --key", guard: "value", program: "none" },
    ]);
  });

  test("what a program does not know, or never answers, says nothing", async () => {
    const report = await checkArity(sort, async () => [
      "invalid option -- 'k'",
      "@killed",
      "unrecognized option '--key'",
    ]);
    expect(report.faults).toEqual([]);
  });
});

describe("an option after an operand", () => {
  const known = [{ name: "unxz", options: ["-c"] }];
  const complains = "unrecognized option '--groundplan-no-such-option'";

  test("agrees where the program complains about it wherever it stands", async () => {
    const { asked, faults } = await checkLate(known, async (commands) => commands.map(() => complains));
    expect([asked > 0, faults]).toEqual([true, []]);
  });

  test("is a fault where it makes a command read, and the program takes it for a file", async () => {
    const { faults } = await checkLate(known, async (commands) =>
      commands.map((command) => (command.startsWith("unxz --groundplan") ? complains : "No such file or directory")),
    );
    expect(faults[0]).toEqual({ command: "unxz README.md -c", guard: "counts", program: "ends" });
  });
});
