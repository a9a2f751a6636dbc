/** Settings that are read quickly mean what they mean when they are read in the usual way, with the small schemas of the hook's bundle, too. */
import { afterEach, expect, test, vi } from "vitest";
import { parseSettings } from "../../program/settings/text.ts";

afterEach(() => {
  vi.doUnmock("zod");
  vi.resetModules();
});

const rules = { allow: ["Bash(npm test)"], ask: ["Bash(git *)"], deny: ["Read(.env)"], readers: ["mcp__a__b"] };

/** Valid ones of every kind that the quick way knows. */
const plain: readonly string[] = [
  "{}",
  ' {\n "theme" : "dark" }\n',
  JSON.stringify({ permissions: rules, sandbox: "required", planNetwork: "off", trustedMcpServers: ["a"] }),
  JSON.stringify({
    model: "scout",
    planModel: "a/b",
    effort: "low",
    maxPlanningTokens: 5,
    autoMode: { enabled: true },
  }),
  JSON.stringify({ cycleModes: ["plan", "default"], keybindings: { a: "b", c: ["d"], e: null }, team: { name: "x" } }),
  '{"editor": "a: \\"b\\": {c}", "tier": "\\\\"}',
];

const values: readonly unknown[] = [
  "",
  "x",
  "off",
  "a/b",
  "plan",
  "Bash(",
  "nats://h:4222",
  "http://h",
  0,
  1,
  -1,
  0.5,
  1e16,
  true,
  null,
  [],
  [""],
  ["x", 1],
  ["plan"],
  {},
  { a: "b" },
  { "": "x" },
  { a: [""] },
  { x: 1 },
  { allow: "x" },
  { deny: ["Read(.env)", "("] },
  { deny: [1] },
  { readers: ["x"] },
  { refuse: [] },
  { enabled: 1 },
  { natsUrl: "nats://h:4222" },
  { natsUrl: "x" },
  { a: { command: "x" } },
  { a: { command: "x", url: "http://h" } },
];

const keys =
  "$schema model planModel effort defaultMode cycleModes keybindings theme editor notify plansDirectory planNetwork maxPlanningTokens tier useAutoModeDuringPlan autoMode permissions sandbox mcpServers trustedMcpServers hooks channels review team foreign constructor toString";

const odd: readonly string[] = [
  "",
  "  ",
  "null",
  "[]",
  '"x"',
  "{",
  "{]",
  "// none\n{}",
  '{"theme":"dark",}',
  '\uFEFF{"theme":"dark"}',
  '{"theme":"dark","theme":"light"}',
  '{"theme":"dark","th\\u0065me":"light"}',
  '{"permissions":{"deny":["Read(.env)"],"deny":[]}}',
  '{"permissions":{"deny":["Read(.env)"]},"permissions":{}}',
  '{"__proto__":{"theme":"dark"}}',
  '{"\\u005f_proto__":1,"keybindings":{"__proto__":"x"}}',
  '{"keybindings":{"__proto__":"x","a":"b"}}',
  `{"editor":"${"x".repeat(20_000)}"}`,
  `${'{"a":'.repeat(3000)}1${"}".repeat(3000)}`,
  "[".repeat(9000),
  `{"editor":${"[".repeat(4900)}${"]".repeat(4900)}}`,
  '{"editor":{"length":{"toString":1,"valueOf":1}}}',
];

test("B11.2 what is read quickly means what it means in the usual way", async () => {
  const texts = [...odd, ...keys.split(" ").flatMap((key) => values.map((value) => JSON.stringify({ [key]: value })))];
  const plainSettings = await withSmallSchemas();
  const quick = await Promise.all(texts.map(plainSettings));
  const sure = quick.flatMap((settings, at) => (settings === null ? [] : [{ settings, text: texts[at]! }]));
  vi.doUnmock("zod");
  expect(sure.length).toBeGreaterThan(20);
  for (const { settings, text } of sure) expect(parseSettings(text, "s.json")).toEqual({ settings, problems: [] });
});

test("valid ones are read quickly", async () => {
  const plainSettings = await withSmallSchemas();
  for (const text of plain) expect(await plainSettings(text)).toEqual(JSON.parse(text));
});

test("what is not valid is explained in the usual way", async () => {
  const { parseQuickly } = await import("./quick-settings.ts");
  for (const text of odd) expect(await parseQuickly(text, "s.json")).toEqual(parseSettings(text, "s.json"));
});

async function withSmallSchemas() {
  vi.resetModules();
  vi.doMock("zod", () => import("../hook/small-schemas.ts"));
  return (await import("./quick-settings.ts")).plainSettings;
}
