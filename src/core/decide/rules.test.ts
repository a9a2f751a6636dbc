import { describe, expect, test } from "vitest";
import type { Subject } from "./access.ts";
import { isDangerous } from "./dangerous.ts";
import { effectiveAllow, deniedGlobs, matchRules, parseRule, strippedRules, type RuleBook } from "./rules.ts";

const roots = { project: "/repo", home: "/home/me" };

function book(lists: Partial<RuleBook>): RuleBook {
  return { allow: [], ask: [], deny: [], stripped: false, runners: ["Bash", "PowerShell", "Agent"], ...lists };
}

function commandOf(...parts: readonly string[]): Subject {
  return { rule: "Bash", parts };
}

const mixed = (parts: readonly string[], proved: readonly string[]): Subject => ({ rule: "Bash", parts, proved });
const writing = (part: string): Subject => ({ rule: "Bash", parts: [part], redirected: [part] });

const read = (path: string): Subject => ({ rule: "Read", path });

describe("what a rule matches", () => {
  test.each<[string, Subject, { allow: boolean; deny: boolean }]>([
    // commands
    ["Bash", commandOf("npm test"), { allow: true, deny: true }],
    ["Bash(*)", commandOf("npm test"), { allow: true, deny: true }],
    ["Bash(npm test)", commandOf("npm test"), { allow: true, deny: true }],
    ["Bash(npm test)", commandOf("npm  test"), { allow: true, deny: true }],
    ["Bash(npm test)", commandOf("npm test --watch"), { allow: false, deny: false }],
    ["Bash(npm test)", commandOf("npm tests"), { allow: false, deny: false }],
    ["Bash(npm run:*)", commandOf("npm run build"), { allow: true, deny: true }],
    ["Bash(npm run:*)", commandOf("npm run"), { allow: true, deny: true }],
    ["Bash(npm run:*)", commandOf("npm runner"), { allow: false, deny: false }],
    ["Bash(npm run:*)", commandOf("npm"), { allow: false, deny: false }],
    // a star behind a space is one behind a colon; in the middle it is not understood, and refuses from there on
    ["Bash(npx vitest *)", commandOf("npx vitest run"), { allow: true, deny: true }],
    ["Bash(npx vitest *)", commandOf("npx vitest"), { allow: true, deny: true }],
    ["Bash(npx vitest *)", commandOf("npx vite"), { allow: false, deny: false }],
    ["Bash(git push * main)", commandOf("git push origin main"), { allow: false, deny: true }],
    ["Bash(git push * main)", commandOf("git pull"), { allow: false, deny: false }],
    // B18.3: beside a part that a rule covers, what only reads needs none; alone it proves nothing to a rule
    ["Bash(npm test:*)", mixed(["npm test 2>&1", "tail -20"], ["tail -20"]), { allow: true, deny: true }],
    ["Bash(npm test:*)", mixed(["cd x", "npm test"], ["cd x"]), { allow: true, deny: true }],
    ["Bash(npm test:*)", mixed(["npm test", "npm run x"], []), { allow: false, deny: true }],
    ["Bash(npm test:*)", mixed(["npm run x", "tail -20"], ["tail -20"]), { allow: false, deny: false }],
    ["Bash(npm test:*)", mixed(["cat a"], ["cat a"]), { allow: false, deny: false }],
    ["Bash(tail:*)", mixed(["npm test", "tail -20"], ["tail -20"]), { allow: false, deny: true }],
    // a rule on how it begins says nothing of a file that it writes, one on all of it does
    ["Bash(npm test:*)", writing("npm test >/etc/x"), { allow: false, deny: true }],
    ["Bash(npm test >/etc/x)", writing("npm test >/etc/x"), { allow: true, deny: true }],
    ["Bash(npm test:*)", { rule: "Bash", parts: ["npm test"], loose: true }, { allow: false, deny: true }],
    // compound: allowed only when every part is, denied when any is
    ["Bash(npm test)", commandOf("npm test", "rm -rf x"), { allow: false, deny: true }],
    ["Bash(rm:*)", commandOf("ls", "rm x"), { allow: false, deny: true }],
    ["Bash(npm test)", commandOf("npm test", "npm test"), { allow: true, deny: true }],
    ["Bash(npm test)", { rule: "Bash", parts: [] }, { allow: false, deny: false }],
    // what cannot be seen through
    ["Bash(npm test)", { rule: "Bash", parts: ["npm test"], opaque: true }, { allow: false, deny: true }],
    ["Bash(rm:*)", { rule: "Bash", parts: ["$X y"], opaque: true }, { allow: false, deny: true }],
    ["Bash", { rule: "Bash", parts: ["$X y"], opaque: true }, { allow: true, deny: true }],
    // names
    ["Bash", read("/repo/a"), { allow: false, deny: false }],
    ["bash", commandOf("ls"), { allow: false, deny: false }],
    ["mcp__tracker", { rule: "mcp__tracker__list" }, { allow: true, deny: true }],
    ["mcp__track", { rule: "mcp__tracker__list" }, { allow: false, deny: false }],
    ["mcp__tracker__list", { rule: "mcp__tracker__list" }, { allow: true, deny: true }],
    ["WebFetch(*)", { rule: "WebFetch" }, { allow: true, deny: true }],
    // paths
    ["Read(.env)", read("/repo/.env"), { allow: true, deny: true }],
    ["Read(./.env)", read("/repo/.env"), { allow: true, deny: true }],
    ["Read(.env)", read("/repo/sub/.env"), { allow: false, deny: false }],
    ["Read(**/.env)", read("/repo/sub/.env"), { allow: true, deny: true }],
    ["Read(**/.env)", read("/repo/.env"), { allow: true, deny: true }],
    ["Read(**/.env)", read("/elsewhere/.env"), { allow: false, deny: false }],
    ["Read(*)", read("/repo/a.ts"), { allow: true, deny: true }],
    ["Read(*)", read("/etc/passwd"), { allow: false, deny: false }],
    ["Read(**)", read("/repo-evil/a.ts"), { allow: false, deny: false }],
    ["Read(src/**)", read("/repo/src/a/b.ts"), { allow: true, deny: true }],
    ["Read(src/**)", read("/repo/src"), { allow: true, deny: true }],
    ["Read(src/**)", read("/repo/srcs/a.ts"), { allow: false, deny: false }],
    ["Read(~/.ssh/**)", read("/home/me/.ssh/id"), { allow: true, deny: true }],
    ["Read(/etc/*)", read("/etc/hosts"), { allow: true, deny: true }],
    ["Read(//etc/*)", read("/etc/hosts"), { allow: true, deny: true }],
    ["Read(../other/**)", read("/other/a"), { allow: true, deny: true }],
    ["Read", read("/etc/hosts"), { allow: true, deny: true }],
  ])("R17.1 %s on %j: %j", (rule, subject, expected) => {
    const allowed = matchRules(book({ allow: [rule] }), [subject], roots).allowed;
    const { denied } = matchRules(book({ deny: [rule] }), [subject], roots);
    const { asked } = matchRules(book({ ask: [rule] }), [subject], roots);
    expect({ allow: allowed, deny: denied === rule, ask: asked === rule }).toEqual({ ...expected, ask: expected.deny });
  });

  test("R17.1 each part may be covered by another rule", () => {
    const rules = book({ allow: ["Bash(npm test)", "Bash(git log:*)"] });
    expect(matchRules(rules, [commandOf("git log -3", "npm test")], roots).allowed).toBe(true);
  });

  test("R17.1 a project folder with glob characters in its name is taken literally", () => {
    const odd = { project: "/code/app[1]{a}*", home: "/home/me" };
    const rules = book({ deny: ["Read(.env)"] });
    expect(matchRules(rules, [read("/code/app[1]{a}*/.env")], odd).denied).toBe("Read(.env)");
    expect(matchRules(rules, [read("/code/app1a/.env")], odd).denied).toBe(null);
  });

  test("R17.1 a tool with two names is covered by either of them", () => {
    const both: readonly Subject[] = [
      { rule: "Write", path: "/repo/a.ts" },
      { rule: "Edit", path: "/repo/a.ts" },
    ];
    expect(matchRules(book({ allow: ["Edit(**)"] }), both, roots).allowed).toBe(true);
  });

  test("R17.1 a call that touches two paths is allowed only when both are", () => {
    const both = [read("/repo/a.ts"), read("/repo/b.ts")];
    expect(matchRules(book({ allow: ["Read(a.ts)"] }), both, roots).allowed).toBe(false);
    expect(matchRules(book({ allow: ["Read(a.ts)", "Read(b.ts)"] }), both, roots).allowed).toBe(true);
    expect(matchRules(book({ deny: ["Read(b.ts)"] }), both, roots).denied).toBe("Read(b.ts)");
  });

  test("R17.1 an allow rule on a file that a command reads does not allow the command", () => {
    const subjects = [commandOf("cat a.ts", "make all"), read("/repo/a.ts")];
    expect(matchRules(book({ allow: ["Read(**)"] }), subjects, roots).allowed).toBe(false);
    expect(matchRules(book({ allow: ["Bash(cat:*)", "Bash(make:*)"] }), subjects, roots).allowed).toBe(true);
    expect(matchRules(book({ deny: ["Read(a.ts)"] }), subjects, roots).denied).toBe("Read(a.ts)");
  });

  test("R17.1 a call without subjects is matched by nothing", () => {
    const rules = book({ allow: ["Bash"], ask: ["Bash"], deny: ["Bash"] });
    expect(matchRules(rules, [], roots)).toEqual({
      denied: null,
      unresolved: null,
      unseen: null,
      asked: null,
      allowed: false,
    });
  });

  test.each<[string, { name: string; pattern: string | null }]>([
    ["Bash", { name: "Bash", pattern: null }],
    [" Bash(npm test) ", { name: "Bash", pattern: "npm test" }],
    ["Bash(echo (a))", { name: "Bash", pattern: "echo (a)" }],
    ["Bash(npm test", { name: "Bash(npm test", pattern: null }],
    ["", { name: "", pattern: null }],
  ])("R17.1 the rule %j is read as %j", (rule, parsed) => {
    expect(parseRule(rule)).toEqual(parsed);
  });
});

describe("dangerous rules", () => {
  test.each<[string, boolean]>([
    ["Bash", true],
    ["Bash(*)", true],
    ["Bash(:*)", true],
    ["Bash(python:*)", true],
    ["Bash(python3.11:*)", true],
    ["Bash(/usr/bin/python3:*)", true],
    ["Bash(node -e:*)", true],
    ["Bash(bash -c *)", true],
    ["Bash(sudo:*)", true],
    ["Bash(npm run:*)", true],
    ["Bash(npx:*)", true],
    ["Bash(uv run:*)", true],
    ["Bash(bundle exec:*)", true],
    ["Bash(sqlite3:*)", true],
    ["Bash(tar:*)", true],
    ["Bash(p*)", true],
    ["Bash(git:*)", true],
    ["Bash(p:*)", false],
    ["Bash(ls*)", false],
    ["Bash(p x*)", false],
    ["Bash(PATH=/x python:*)", true],
    ["PowerShell", true],
    ["Agent", true],
    ["Bash(python)", true],
    ["Bash(npm test)", false],
    ["Bash(npm test:*)", false],
    ["Bash(git status:*)", false],
    ["Bash(git log:*)", false],
    ["Bash(ls:*)", false],
    ["Bash(python tools/gen.py)", false],
    ["Read", false],
    ["Edit(**)", false],
    ["mcp__tracker", false],
  ])("R11.2 %s is dangerous: %s", (rule, dangerous) => {
    expect(isDangerous(rule, ["Bash", "PowerShell", "Agent"])).toBe(dangerous);
  });

  test("R11.2 stripped rules are set aside and come back exactly, in their order", () => {
    const allow = ["Read", "Bash(python:*)", "Bash(npm test)", "Bash"];
    const stripped = book({ allow, stripped: true });
    expect(effectiveAllow(stripped)).toEqual(["Read", "Bash(npm test)"]);
    expect(strippedRules(stripped)).toEqual(["Bash(python:*)", "Bash"]);
    expect(effectiveAllow({ ...stripped, stripped: false })).toEqual(allow);
    expect(strippedRules({ ...stripped, stripped: false })).toEqual([]);
  });
});

test.each([
  ["Read(.env)", "/app/[[]id]/.env"],
  ["Read(../shared/**)", "/app/shared/**"],
  ["Read(~/.ssh/**)", "/home/ada/.ssh/**"],
  ["Read(//etc/shadow)", "/etc/shadow"],
  ["Read", "/**"],
])("R5.6 the deny rule %s hides %s from searches, the project's own name taken literally", (rule, glob) => {
  const book = { allow: [], ask: [], deny: [rule, "Edit(x)"], stripped: false, runners: [] };
  expect(deniedGlobs(book, "Read", { project: "/app/[id]", home: "/home/ada" })).toEqual([glob]);
});

const spelled = (...forms: (string | null)[][]): Subject => ({ rule: "Bash", parts: ["written otherwise"], forms });

describe("B1.14 deny rules on commands see through spellings, allow rules do not", () => {
  test.each<[string, (string | null)[][], boolean]>([
    ["Bash(curl:*)", [["curl", "x"]], true],
    ["Bash(curl:*)", [["CURL", "x"]], true],
    ["Bash(/usr/bin/curl:*)", [["curl", "x"]], true],
    ["Bash(curl:*)", [["curlie", "x"]], false],
    ["Bash(curl:*)", [["ls"], ["curl"]], true],
    ["Bash(curl)", [["curl"]], true],
    ["Bash(curl)", [["curl", "x"]], false],
    ["Bash(curl)", [["curl", null]], true],
    ["Bash(git push:*)", [["git", "push", "origin"]], true],
    ["Bash(git push:*)", [["git", null]], true],
    ["Bash(git push:*)", [["git", "log", null]], false],
    ["Bash(git push:*)", [["git"]], false],
    ["Bash(git push --force)", [["git", "push", null]], true],
  ])("%s on %j: %s", (rule, forms, isMatch) => {
    expect(matchRules(book({ deny: [rule] }), [spelled(...forms)], roots).denied).toBe(isMatch ? rule : null);
    expect(matchRules(book({ allow: [rule] }), [spelled(...forms)], roots).allowed).toBe(false);
  });

  test("what is read and not known leaves a rule on reading open, unless the person named the command", () => {
    const command: Subject = { rule: "Bash", parts: ["npm test"] };
    const subjects: Subject[] = [command, { rule: "Read", unknown: true }];
    const deny = ["Edit(a)", "Read(.env)"];
    const unresolved = (allow: string[]): unknown => matchRules(book({ deny, allow }), subjects, roots).unresolved;
    expect(unresolved([])).toBe("Read(.env)");
    expect(unresolved(["Bash", "Bash(*)"])).toBe("Read(.env)");
    expect(unresolved(["Bash(npm test)"])).toBe(null);
    expect(matchRules(book({ deny: ["Read"] }), subjects, roots).denied).toBe("Read");
    expect(matchRules(book({ deny: ["Edit(a)"] }), subjects, roots).unresolved).toBe(null);
  });

  test("composed and decomposed letters are the same name to a deny rule, not to an allow rule", () => {
    const path = `/repo/${"ä".normalize("NFD")}.txt`;
    const rule = `Read(${"ä".normalize("NFC")}.txt)`;
    const subjects = [{ rule: "Read", path }];
    expect(matchRules(book({ deny: [rule] }), subjects, roots).denied).toBe(rule);
    expect(matchRules(book({ allow: [rule] }), subjects, roots).allowed).toBe(false);
  });
});
