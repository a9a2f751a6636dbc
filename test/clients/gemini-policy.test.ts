/** The policy for Gemini CLI: by its patterns, as the client applies them, nothing passes in plan mode but what our hook made. */
import { describe, expect, test } from "vitest";
import { cagedCommand } from "../../src/clients/caged/caged-text.ts";
import { approvedName, policyMark } from "../../src/clients/gemini-marks.ts";
import { geminiPolicy } from "../../src/clients/gemini-policy.ts";

interface Rule {
  readonly toolName: string | readonly string[];
  readonly decision: string;
  readonly priority: number;
  readonly argsPattern?: string;
  readonly interactive?: boolean;
  readonly denyMessage?: string;
  readonly modes: readonly string[];
}

/** Its values are written so that JSON reads them too. */
function rulesIn(text: string): readonly Rule[] {
  return text
    .split("[[rule]]\n")
    .slice(1)
    .map((rule) => {
      const lines = rule.trim().split("\n");
      return Object.fromEntries(
        lines.map((line) => [
          line.slice(0, line.indexOf(" = ")),
          JSON.parse(line.slice(line.indexOf(" = ") + 3)) as unknown,
        ]),
      ) as unknown as Rule;
    });
}

/** As the client does: the rule of the highest priority that matches; arguments as one text in which each stands between zeros. */
function decided(rules: readonly Rule[], tool: string, args: Readonly<Record<string, string>>): string | undefined {
  const names = Object.keys(args).toSorted();
  const text = `{${names.map((name) => `\0${JSON.stringify(name)}:${JSON.stringify(args[name])}\0`).join(",")}}`;
  return rules
    .filter(({ toolName }) => [toolName].flat().includes(tool))
    .filter(({ argsPattern }) => argsPattern === undefined || new RegExp(argsPattern).test(text))
    .toSorted((a, b) => b.priority - a.priority)[0]?.decision;
}

const launcher = "/home/o'hara/.x+y (1)/bin/guard";
const rules = rulesIn(geminiPolicy({ launcher }));
const caged = cagedCommand({ launcher, command: "rm -rf x", directory: "/work/project" })!;

describe("B11.2 the shell while it plans", () => {
  test.each([
    ["a command that our hook put into the cage", caged, "allow"],
    ["any other", "ls", "deny"],
    ["more behind it", `${caged}; rm x`, "deny"],
    ["more before it", `rm x; ${caged}`, "deny"],
    ["a line below it", `${caged}\nrm x`, "deny"],
    ["another launcher", caged.replace("bin/guard", "bin/other"), "deny"],
    ["a launcher that only looks like it", caged.replace("x+y", "xxy"), "deny"],
    ["a quote that is closed", "'/home/o' run-caged a", "deny"],
    ["another command of the launcher", caged.replace("run-caged", "hook"), "deny"],
  ])("%s", (_, command, decision) => {
    expect(decided(rules, "run_shell_command", { command, description: "x" })).toBe(decision);
  });

  test("what stands in another argument does not count", () => {
    expect(decided(rules, "run_shell_command", { command: "rm x", description: caged })).toBe("deny");
    expect(decided(rules, "run_shell_command", { command: "rm x", x: `\0"command":${JSON.stringify(caged)}\0` })).toBe(
      "deny",
    );
  });
});

describe("B11.5 the end of planning", () => {
  test("only a file that the review wrote is approved, and no tool can write one", () => {
    const name = approvedName("# Plan");
    expect(decided(rules, "exit_plan_mode", { plan_filename: name })).toBe("allow");
    expect(decided(rules, "exit_plan_mode", { plan_filename: "plan.md" })).toBe("deny");
    expect(decided(rules, "exit_plan_mode", { plan_filename: `../${name}` })).toBe("deny");
    expect(decided(rules, "exit_plan_mode", { plan_filename: `${name}.md` })).toBe("deny");
    for (const path of [name, `./${name}`, `/home/person/.gemini/tmp/p/s/plans/${name}`, `x"/../${name}`])
      expect(decided(rules, "write_file", { content: "x", file_path: path })).toBe("deny");
    expect(decided(rules, "replace", { file_path: name, old_string: "a" })).toBe("deny");
    expect(decided(rules, "write_file", { content: name, file_path: "plan.md" })).toBeUndefined();
  });

  test("where somebody sits, the client's own dialog may approve", () => {
    const exit = rules.filter(({ toolName, decision }) => toolName === "exit_plan_mode" && decision === "deny");
    expect(exit.map(({ interactive }) => interactive)).toEqual([false]);
  });
});

test("B11.3 every rule is for plan mode alone, and every refusal can be told from others", () => {
  for (const { modes, decision, denyMessage } of rules) {
    expect(modes).toEqual(["plan"]);
    if (decision === "deny") expect(denyMessage).toContain(policyMark);
  }
});
