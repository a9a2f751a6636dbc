/** Problems of settings: where, what, and what to do. */
import { describe, expect, test } from "vitest";
import { parseSettings, problemText } from "./text.ts";

function problems(text: string): string[] {
  return parseSettings(text, "s.json").problems.map(problemText);
}

describe("a text that holds", () => {
  test("has comments, trailing commas, a byte order mark", () => {
    const text = '\uFEFF// mine\n{ /* why */ "theme": "dark", "permissions": { "deny": ["Read(.env)",], }, }\n';
    expect(parseSettings(text, "s.json")).toEqual({
      settings: { theme: "dark", permissions: { deny: ["Read(.env)"] } },
      problems: [],
    });
  });

  test.each(["", " \n", "// nothing yet\n", "/* a\n b */"])("%j is an empty file", (text) => {
    expect(parseSettings(text, "s.json")).toEqual({ settings: {}, problems: [] });
  });
});

describe("B8.4 a problem is told with file, line and column, and what to do", () => {
  test.each([
    ['{\n  "theme": "dark"\n  "model": "a/b"\n}', "s.json:3:3: this is not JSON: a comma is missing before this."],
    ["{\n  theme: 1 }", "s.json:2:3: this is not JSON: put names and texts in double quotes."],
    ['{ "theme": "dark"', "s.json:1:18: this is not JSON: a closing } is missing."],
    ['{ "theme": "da', "s.json:1:12: this is not JSON: a closing double quote is missing."],
    ["{} {}", "s.json:1:4: this is not JSON: the text goes on after its end."],
    ["{ /* ", "s.json:1:3: this is not JSON: a comment is not closed."],
    ["/* ", "s.json:1:1: this is not JSON: a comment is not closed."],
    ['{ "theme": }', "s.json:1:12: this is not JSON: a value is missing here."],
  ])("broken: %j", (text, expected) => {
    expect(problems(text)).toEqual([expected]);
  });

  test.each([
    [
      '{\n  "permissions": {\n    "defaultMode": "plan"\n  }\n}',
      's.json:3:5: "defaultMode" does not belong inside "permissions"; move it to the top level.',
    ],
    ['{ "allow": [] }', 's.json:1:3: "allow" does not belong here; move it into "permissions".'],
    ['{ "enabled": true }', 's.json:1:3: "enabled" does not belong here; move it into "autoMode".'],
    ['{ "team": { "deny": [] } }', 's.json:1:13: "deny" does not belong inside "team"; move it into "permissions".'],
    [
      '{ "autoMode": { "model": "a/b" } }',
      's.json:1:17: "model" does not belong inside "autoMode"; move it to the top level.',
    ],
  ])("misplaced: %j", (text, expected) => {
    expect(problems(text)).toEqual([expected]);
  });

  test.each([
    ['{ "defaultmode": "plan" }', 's.json:1:3: unknown setting "defaultmode"; did you mean "defaultMode"?'],
    ['{ "planLenght": "cut" }', 's.json:1:3: unknown setting "planLenght"; did you mean "planLength"?'],
    [
      '{ "permissions": { "alow": [] } }',
      's.json:1:20: unknown setting "alow" inside "permissions"; did you mean "allow"?',
    ],
    [
      '{ "hooks": { "plan.enterd": [] } }',
      's.json:1:14: unknown setting "plan.enterd" inside "hooks"; did you mean "plan.entered"?',
    ],
    [
      '{ "mcpServers": { "a": { "command": "x", "arg": [] } } }',
      's.json:1:42: unknown setting "arg" inside "mcpServers.a"; did you mean "args"?',
    ],
    ['{ "xyzzy": 1 }', 's.json:1:3: unknown setting "xyzzy"; remove it.'],
    [
      '{ "team": { "xyzzy": 1 } }',
      's.json:1:13: unknown setting "xyzzy" inside "team"; known there: name, role, transport, natsUrl.',
    ],
    ['{ "__proto__": { "theme": "dark" } }', 's.json:1:3: "__proto__" is not a setting; remove it.'],
    ['{ "theme": "dark",\n  "theme": "light" }', 's.json:2:3: "theme" is set twice; keep one of them.'],
  ])("unknown: %j", (text, expected) => {
    expect(problems(text)).toEqual([expected]);
  });

  test.each([
    ["[]", "s.json:1:1: The settings must be an object: { … }."],
    ['{ "theme": 3 }', 's.json:1:12: "theme" must be one of "auto", "dark", "light".'],
    [
      '{ "defaultMode": "plna" }',
      's.json:1:18: "defaultMode" must be one of "default", "acceptEdits", "plan", "auto", "bypassPermissions"; did you mean "plan"?',
    ],
    [
      '{ "defaultMode": "acceptEdit" }',
      's.json:1:18: "defaultMode" must be one of "default", "acceptEdits", "plan", "auto", "bypassPermissions"; did you mean "acceptEdits"?',
    ],
    ['{ "useAutoModeDuringPlan": "yes" }', 's.json:1:28: "useAutoModeDuringPlan" must be true or false.'],
    ['{ "permissions": { "deny": "Bash" } }', 's.json:1:28: "permissions.deny" must be a list: [ … ].'],
    [
      '{ "permissions": { "deny": [\n "Bash(" ] } }',
      's.json:2:2: "permissions.deny.0": write a rule as "Name" or "Name(pattern)".',
    ],
    [
      '{ "permissions": { "readers": ["Read"] } }',
      's.json:1:32: "permissions.readers.0": write the name of an MCP tool, as in "mcp__server__tool".',
    ],
    ['{ "maxPlanningTokens": 1.5 }', 's.json:1:24: "maxPlanningTokens" must be a whole number.'],
    ['{ "maxPlanningTokens": 0 }', 's.json:1:24: "maxPlanningTokens" must be above 0.'],
    ['{ "model": "gpt" }', 's.json:1:12: "model": write it as "provider/name", or "scout".'],
    ['{ "editor": "" }', 's.json:1:13: "editor" must not be empty.'],
    [
      '{ "keybindings": { "approve": 1 } }',
      's.json:1:31: "keybindings.approve" must be a text in double quotes, or a list: [ … ], or null.',
    ],
    ['{ "mcpServers": { "a": {} } }', 's.json:1:24: "mcpServers.a": give it either a "command" or a "url".'],
    [
      '{ "mcpServers": { "a b": { "command": "x" } } }',
      's.json:1:19: "mcpServers.a b": use letters, digits, - and _ alone, 64 at most, a letter or digit first.',
    ],
    ...["x", "https://host", "nats://a:4222,b"].map((url): [string, string] => [
      `{ "team": { "natsUrl": "${url}" } }`,
      's.json:1:24: "team.natsUrl": write a whole address, as in nats://host:4222; several are separated by commas.',
    ]),
    [
      '{ "hooks": { "tool.before": [{ "timeout": 5000000, "command": "x" }] } }',
      's.json:1:43: "hooks.tool.before.0.timeout" must be at most 604800.',
    ],
  ])("of the wrong kind: %j", (text, expected) => {
    expect(problems(text)).toEqual([expected]);
  });

  test("all problems are told, from top to bottom, with Windows line ends and tabs too", () => {
    const text = '{\r\n\t"theme": 1,\r\n\t"oops": 2,\r\n\t"sandbox": "on"\r\n}';
    expect(problems(text).map((problem) => problem.split(": ")[0])).toEqual([
      "s.json:2:11",
      "s.json:3:2",
      "s.json:4:13",
    ]);
  });

  test("a hostile depth is refused, not followed", () => {
    expect(problems("[".repeat(500_000))).toHaveLength(1);
    expect(problems(`{"editor":${"[".repeat(9000)}${"]".repeat(9000)}}`)).toHaveLength(1);
    expect(problems('{"editor":{"length":{"toString":1,"valueOf":1}}}')).toHaveLength(1);
    expect(problems(`{"a":${"[".repeat(15_000)}`)).toHaveLength(1);
  });

  test("of very many problems the first are told, and they hold nothing up", () => {
    const all = Array.from({ length: 60_000 }, (_, index) => index);
    const unknown = problems(`{${all.map((index) => `"x${index}": 1`).join(",\n")}}`);
    expect(unknown).toHaveLength(50);
    expect(unknown[49]).toBe('s.json:50:1: unknown setting "x49"; remove it.');
    const twice = problems(`{${all.map(() => '"theme": "dark"').join(",\n")}}`);
    expect(twice).toHaveLength(50);
    expect(twice[49]).toBe('s.json:51:1: "theme" is set twice; keep one of them.');
    const wrong = problems(`{"permissions": {"deny": [${all.map(() => "1").join(",\n")}]}}`);
    expect(wrong).toHaveLength(50);
  });
});
