import { describe, expect, test } from "vitest";
import { externalAccess, planning, runs, settings, working, writes } from "../../testing/core-fixtures.ts";
import type { Call, Subject } from "./access.ts";
import type { Question } from "./decision.ts";
import { noOffers, offersFor } from "./offers.ts";
import { previewRule, shortRule } from "./rule-words.ts";

const asked: Question = { kind: "command", reason: "", part: null };
const edit: Question = { kind: "edit", path: "", guarded: false };

function command(...parts: readonly string[]): Call {
  return { ...runs("a"), subjects: [{ rule: "Bash", parts }] };
}

function withSubject(more: Partial<Subject>): Call {
  return { ...runs("a"), subjects: [{ rule: "Bash", parts: ["npm test"], ...more }] };
}

describe("B18.2 how a command begins that is allowed for more than once", () => {
  test.each<[Call, readonly string[]]>([
    [command("npm test"), ["Bash(npm test:*)"]],
    [command("npm test -- --watch"), ["Bash(npm test:*)"]],
    [command("npm run build --if-present"), ["Bash(npm run build:*)"]],
    [command("npx vitest run a.test.ts"), ["Bash(npx vitest:*)"]],
    [command("git commit -m 'a b'"), ["Bash(git commit:*)"]],
    [command("make -j4 all"), ["Bash(make -j4:*)"]],
    [command("make"), ["Bash(make)"]],
    [command("node scripts/build.mjs --fast"), ["Bash(node scripts/build.mjs:*)"]],
    [command("python3 manage.py migrate"), ["Bash(python3 manage.py:*)"]],
    [command("python3 -c 'print(1)'"), ["Bash(python3 -c 'print(1)')"]],
    [command("bash -c 'rm x'"), ["Bash(bash -c 'rm x')"]],
    [command("npm run"), ["Bash(npm run)"]],
    [command("docker exec -it db psql"), ["Bash(docker exec -it db psql)"]],
    [command("rm -rf dist"), ["Bash(rm -rf dist)"]],
    [command("curl https://example.org"), ["Bash(curl https://example.org)"]],
    [command("sudo npm test"), ["Bash(sudo npm test)"]],
    [command("FOO=1 npm test"), ["Bash(FOO=1 npm test)"]],
    [command("npm test", "npm run lint"), ["Bash(npm test:*)", "Bash(npm run lint:*)"]],
    [withSubject({ parts: ["npm test 2>&1", "tail -20"], proved: ["tail -20"] }), ["Bash(npm test:*)"]],
    [withSubject({ parts: ["npm test >out"], redirected: ["npm test >out"] }), ["Bash(npm test >out)"]],
    [withSubject({ opaque: true }), []],
    [withSubject({ loose: true }), []],
    [command("echo *"), []],
    [command("rm a * b"), []],
    [command("a b", "c d", "e f", "g h", "i j"), []],
  ])("%o", (call, rules) => {
    expect(offersFor(call, asked, working())).toEqual({ session: rules, always: rules });
  });
});

test.each<[string, Call, Question, object]>([
  ["an edit", writes("a"), edit, { session: ["Edit(**)"], always: ["Edit(a.ts)"] }],
  [
    "an edit elsewhere",
    writes("a", "/etc/x", "elsewhere"),
    edit,
    { session: ["Edit(/etc/x)"], always: ["Edit(/etc/x)"] },
  ],
  [
    "signs of a glob",
    writes("a", "/repo/app/[id]/*.ts"),
    edit,
    { session: ["Edit(**)"], always: ["Edit(app/[[]id]/[*].ts)"] },
  ],
  ["a guarded file", writes("a", "/repo/.envrc", "guarded"), { ...edit, guarded: true }, noOffers],
  [
    "outside of the plan",
    writes("a"),
    { ...edit, outsidePlan: true },
    { session: ["Edit(**)"], always: ["Edit(a.ts)"] },
  ],
  ["what a rule asks about", command("npm test"), { kind: "rule", rule: "Bash" }, noOffers],
  ["the network", command("npm test"), { kind: "network", url: "https://x" }, noOffers],
  [
    "a tool of a server",
    { ...runs("a"), access: externalAccess(), subjects: [{ rule: "mcp__db__query" }] },
    { kind: "external", name: "mcp__db__query" },
    { session: ["mcp__db__query"], always: ["mcp__db__query"] },
  ],
])("R17.2 B18.2 for %s", (_, call, question, offers) => {
  expect(offersFor(call, question, working())).toEqual(offers);
});

test("B6.2 B18.2 edits outside of the plan that are asked about each time are remembered for nothing", () => {
  const strict = working({ settings: { ...settings, planScope: "ask" } });
  expect(offersFor(writes("a"), { ...edit, outsidePlan: true }, strict)).toEqual(noOffers);
});

test("B18.2 plan mode offers nothing", () => {
  expect(offersFor(command("npm test"), asked, planning())).toEqual(noOffers);
});

test("B18.2 where auto mode sets a rule aside it is not offered: it would not hold", () => {
  const { permissions, ...session } = working();
  const auto = { ...session, permissions: { ...permissions, rules: { ...permissions.rules, stripped: true } } };
  expect(offersFor(command("npx vitest run"), asked, auto)).toEqual(noOffers);
});

test.each([
  ["Bash(npm test:*)", "every command that begins with `npm test`, also beside commands that only read"],
  ["Bash(npm test *)", "every command that begins with `npm test`, also beside commands that only read"],
  ["Bash(make)", "the command `make`, word for word, also beside commands that only read"],
  ["Bash", "every use of Bash"],
  ["Edit(**)", "every file of this project that is not guarded"],
  ["Edit(src/**)", "every file below src/"],
  ["Edit(*.ts)", "every file that matches *.ts"],
  ["Edit(app/[[]id]/a.ts)", "app/[id]/a.ts alone"],
  ["mcp__db__query", "every use of mcp__db__query"],
])("B18.2 what %s covers, in words", (rule, words) => {
  expect(previewRule(rule, ["Bash"])).toMatchObject({ words, problem: null });
});

test("B18.2 a rule that is not understood, or runs anything, says so", () => {
  const previews = ["Bash(git * main)", "Bash(npm test", "", "Bash(python3:*)"].map((rule) =>
    previewRule(rule, ["Bash"]),
  );
  expect(previews.map(({ problem, isWide }) => [problem !== null, isWide])).toEqual([
    [true, false],
    [true, false],
    [true, false],
    [false, true],
  ]);
  expect(["Bash(npm test:*)", "Bash(make)", "Bash"].map(shortRule)).toEqual(["npm test …", "make", "Bash"]);
});
