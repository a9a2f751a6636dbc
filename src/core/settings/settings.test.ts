/** The order of the sources, and the union of rules. */
import { describe, expect, test } from "vitest";
import {
  defaultSettings,
  environmentSettings,
  mergeSettings,
  planSettings,
  ruleLists,
  type SettingsSource,
} from "./settings.ts";
import type { SettingsFile } from "./shape.ts";

const untrusted = { trusted: false };
const trusted = { trusted: true };

function source(origin: SettingsSource["origin"], settings: SettingsFile): SettingsSource {
  return { origin, file: null, settings };
}

describe("the order of sources", () => {
  test("without any source the defaults of cli.md hold", () => {
    expect(mergeSettings([], untrusted)).toEqual({ settings: defaultSettings, ignored: [], needsTrust: false });
    expect(defaultSettings).toMatchObject({
      modelMayEnterPlan: "ask",
      planEagerness: "eager",
      planWorkflow: "phases",
      planLength: "full",
      planNames: "words",
      planNetwork: "readers",
      planScope: "warn",
      useAutoModeDuringPlan: false,
      autoMode: { enabled: false },
      sandbox: "auto",
      defaultMode: "default",
    });
  });

  test("command line goes before environment, local, project, user and default, in whatever order they come", () => {
    const sources = [
      source("user", {
        planLength: "trim",
        effort: "low",
        theme: "dark",
        planNames: "task",
        tier: "pro",
        model: "a/u",
      }),
      source("command line", { planLength: "full" }),
      source("project", { planLength: "cut", effort: "medium", theme: "light", planNames: "words" }),
      source("environment", { planLength: "cap", effort: "low" }),
      source("local", { planLength: "trim", effort: "high", theme: "auto" }),
    ];
    const expected = {
      planLength: "full",
      effort: "low",
      theme: "auto",
      planNames: "words",
      tier: "pro",
      model: "a/u",
    };
    expect(mergeSettings(sources, trusted).settings).toMatchObject(expected);
    expect(mergeSettings(sources.toReversed(), trusted).settings).toMatchObject(expected);
  });

  test("of two sources with one origin the later goes before: options over --settings", () => {
    const sources = [source("command line", { model: "a/file" }), source("command line", { model: "a/option" })];
    expect(mergeSettings(sources, untrusted).settings.model).toBe("a/option");
  });

  test("a key that is present but undefined covers nothing", () => {
    const sources = [source("user", { theme: "dark" }), source("command line", { theme: undefined })];
    expect(mergeSettings(sources, untrusted).settings.theme).toBe("dark");
  });

  test("R17.1 rules are united over the sources, each remembering where it came from, none twice", () => {
    const { settings } = mergeSettings(
      [
        source("user", { permissions: { allow: ["Bash(ls)"], deny: ["Read(.env)"] } }),
        source("project", { permissions: { deny: ["Read(.env)", "Bash(rm:*)"], ask: ["WebFetch"] } }),
        source("command line", { permissions: { allow: ["Bash(ls)", "Edit(src/**)"], readers: ["mcp__db__query"] } }),
      ],
      untrusted,
    );
    expect(settings.permissions).toEqual({
      allow: [
        { value: "Bash(ls)", origin: "user" },
        { value: "Edit(src/**)", origin: "command line" },
      ],
      ask: [{ value: "WebFetch", origin: "project" }],
      deny: [
        { value: "Read(.env)", origin: "user" },
        { value: "Bash(rm:*)", origin: "project" },
      ],
      readers: [{ value: "mcp__db__query", origin: "command line" }],
    });
    expect(ruleLists(settings)).toEqual({
      allow: ["Bash(ls)", "Edit(src/**)"],
      ask: ["WebFetch"],
      deny: ["Read(.env)", "Bash(rm:*)"],
    });
  });

  test("hooks of all sources run; servers, keys and team are merged by name", () => {
    const { settings } = mergeSettings(
      [
        source("user", {
          hooks: { "tool.before": [{ command: "a" }] },
          mcpServers: { one: { command: "x" }, two: { command: "y" } },
          trustedMcpServers: ["one"],
          keybindings: { approve: "y", deny: "n" },
          team: { name: "red" },
        }),
        source("local", {
          hooks: { "tool.before": [{ command: "b" }], "plan.entered": [{ command: "c" }] },
          mcpServers: { two: { url: "https://example.org/mcp" } },
          trustedMcpServers: ["one", "two"],
          keybindings: { deny: null },
          team: { transport: "nats" },
        }),
      ],
      trusted,
    );
    expect(settings.hooks.PreToolUse).toEqual([
      { value: { command: "a" }, origin: "user" },
      { value: { command: "b" }, origin: "local" },
    ]);
    expect(settings.hooks["plan.entered"]).toEqual([{ value: { command: "c" }, origin: "local" }]);
    expect(settings.mcpServers).toEqual({
      one: { value: { command: "x" }, origin: "user" },
      two: { value: { url: "https://example.org/mcp" }, origin: "local" },
    });
    expect(settings.trustedMcpServers).toEqual(["one", "two"]);
    expect(settings.keybindings).toEqual({ approve: "y", deny: null });
    expect(settings.team).toEqual({ name: "red", role: null, transport: "nats", natsUrl: null });
  });

  test("the core gets its part of the settings", () => {
    const { settings } = mergeSettings([source("user", { planNetwork: "off", cycleModes: ["plan"] })], untrusted);
    expect(planSettings(settings, "# Why")).toEqual({
      planNetwork: "off",
      modelMayEnterPlan: "ask",
      useAutoModeDuringPlan: false,
      cycleModes: ["plan"],
      planTemplate: "# Why",
      maxPlanningTokens: null,
      planScope: "warn",
      hooks: [],
    });
  });
});

describe("the environment", () => {
  test.each([
    ["1", "interview"],
    ["true", "interview"],
    ["yes", "interview"],
    ["0", "phases"],
    ["false", "phases"],
    ["OFF", "phases"],
    ["no", "phases"],
    ["", "phases"],
  ] as const)("R9.4 GROUNDPLAN_INTERVIEW=%j goes before the setting: %s", (value, workflow) => {
    const other = workflow === "phases" ? "interview" : "phases";
    const environment = environmentSettings({ GROUNDPLAN_INTERVIEW: value });
    const merged = mergeSettings([environment, source("local", { planWorkflow: other })], untrusted);
    expect(merged.settings.planWorkflow).toBe(workflow);
  });

  test("R9.4 without the variable the setting holds", () => {
    const merged = mergeSettings([environmentSettings({}), source("user", { planWorkflow: "interview" })], untrusted);
    expect(merged.settings.planWorkflow).toBe("interview");
  });
});
