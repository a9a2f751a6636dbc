/** Order of the sources, union of rules, and the bounds of a project's own files. */
import { describe, expect, test } from "vitest";
import {
  defaultSettings,
  environmentSettings,
  mergeSettings,
  planSettings,
  ruleLists,
  type SettingsSource,
} from "./settings.ts";
import { settingsShape, type SettingsFile } from "./settings-shape.ts";

const untrusted = { trusted: false };
const trusted = { trusted: true };

function source(origin: SettingsSource["origin"], settings: SettingsFile): SettingsSource {
  return { origin, file: null, settings };
}

function refusals(settings: SettingsFile, options = untrusted, user: SettingsFile = {}) {
  const merged = mergeSettings([source("project", settings), source("user", user)], options);
  return merged.ignored.map(({ key, value, why }) => [key, value, why]);
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
    expect(mergeSettings(sources, untrusted).settings).toMatchObject(expected);
    expect(mergeSettings(sources.toReversed(), untrusted).settings).toMatchObject(expected);
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

  test("B8.2 hooks of all sources run; servers, keys and team are merged by name", () => {
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
    expect(settings.hooks["tool.before"]).toEqual([
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
    });
  });
});

describe("what a project may decide", () => {
  test("R2.4 a project may start its sessions in plan mode without being trusted", () => {
    const merged = mergeSettings([source("project", { defaultMode: "plan" })], untrusted);
    expect(merged).toEqual({
      settings: { ...defaultSettings, defaultMode: "plan" },
      ignored: [],
      needsTrust: false,
    });
  });

  test.each<[string, SettingsFile, [string, string][]]>([
    [
      "allow rules",
      { permissions: { allow: ["Bash(make)", "Edit"] } },
      [
        ["permissions.allow", "Bash(make)"],
        ["permissions.allow", "Edit"],
      ],
    ],
    ["readers", { permissions: { readers: ["mcp__a__b"] } }, [["permissions.readers", "mcp__a__b"]]],
    ["trusted servers", { trustedMcpServers: ["a"] }, [["trustedMcpServers", "a"]]],
    ["servers", { mcpServers: { a: { command: "x" } } }, [["mcpServers", '{"a":{"command":"x"}}']]],
    ["hooks", { hooks: { "tool.before": [{ command: "x" }] } }, [["hooks", '{"tool.before":[{"command":"x"}]}']]],
    ["an editor", { editor: "evil" }, [["editor", "evil"]]],
    ["keys", { keybindings: { approve: "enter" } }, [["keybindings", '{"approve":"enter"}']]],
    ["channels", { channels: ["chat"] }, [["channels", "chat"]]],
    ["a team", { team: { natsUrl: "nats://example.org" } }, [["team", '{"natsUrl":"nats://example.org"}']]],
    ["a weaker sandbox", { sandbox: "off" }, [["sandbox", "off"]]],
    ["a laxer scope", { planScope: "off" }, [["planScope", "off"]]],
    ["edits without questions", { defaultMode: "acceptEdits" }, [["defaultMode", "acceptEdits"]]],
    ["auto mode at the start", { defaultMode: "auto" }, [["defaultMode", "auto"]]],
    ["auto mode", { autoMode: { enabled: true } }, [["autoMode.enabled", "true"]]],
    ["auto mode while planning", { useAutoModeDuringPlan: true }, [["useAutoModeDuringPlan", "true"]]],
    ["a template from outside", { planTemplate: "docs/../../secret.md" }, [["planTemplate", "docs/../../secret.md"]]],
    ["a template from home", { planTemplate: "~/secret.md" }, [["planTemplate", "~/secret.md"]]],
  ])("R17.3 %s from a project or its local file count only in a trusted folder", (_, settings, refused) => {
    for (const origin of ["project", "local"] as const) {
      const before = mergeSettings([source(origin, settings)], untrusted);
      expect(before.settings).toEqual(defaultSettings);
      expect(before.ignored.map(({ key, value }) => [key, value])).toEqual(refused);
      expect(before.needsTrust).toBe(true);
      const after = mergeSettings([source(origin, settings)], trusted);
      expect(after.ignored).toEqual([]);
      expect(after.settings).not.toEqual(defaultSettings);
    }
  });

  test("R17.3 bypass never comes from a project, trusted or not, and trust is not asked for it", () => {
    const settings: SettingsFile = { defaultMode: "bypassPermissions" };
    for (const options of [trusted, untrusted]) {
      const merged = mergeSettings([source("project", settings), source("local", settings)], options);
      expect(merged.settings).toEqual(defaultSettings);
      expect(merged.needsTrust).toBe(false);
      expect(refusals(settings, options)).toEqual([["defaultMode", "bypassPermissions", "never-from-project"]]);
    }
    expect(mergeSettings([source("user", settings)], untrusted).settings.defaultMode).toBe("bypassPermissions");
  });

  test("what narrows always counts: deny and ask rules, a stricter sandbox, less network, auto mode off", () => {
    const narrow: SettingsFile = {
      permissions: { deny: ["Bash"], ask: ["Edit"] },
      sandbox: "required",
      planNetwork: "off",
      planScope: "ask",
      useAutoModeDuringPlan: false,
      autoMode: { enabled: false },
      defaultMode: "plan",
    };
    const wide: SettingsFile = {
      sandbox: "off",
      useAutoModeDuringPlan: true,
      autoMode: { enabled: true },
      defaultMode: "auto",
    };
    const { settings, needsTrust } = mergeSettings([source("user", wide), source("project", narrow)], untrusted);
    expect(needsTrust).toBe(false);
    expect(settings).toMatchObject({
      sandbox: "required",
      planNetwork: "off",
      planScope: "ask",
      useAutoModeDuringPlan: false,
      autoMode: { enabled: false },
      defaultMode: "plan",
    });
    expect(ruleLists(settings)).toEqual({ allow: [], ask: ["Edit"], deny: ["Bash"] });
  });

  test("wider is measured against what the person has: a project cannot lead out of a chosen plan mode", () => {
    const person: SettingsFile = { defaultMode: "plan", planNetwork: "off", sandbox: "required" };
    expect(refusals({ defaultMode: "default", planNetwork: "ask", sandbox: "auto" }, untrusted, person)).toEqual([
      ["defaultMode", "default", "needs-trust"],
      ["sandbox", "auto", "needs-trust"],
      ["planNetwork", "ask", "needs-trust"],
    ]);
    expect(
      refusals({ defaultMode: "auto", sandbox: "off" }, untrusted, { defaultMode: "auto", sandbox: "off" }),
    ).toEqual([]);
  });

  test("an empty list asks for no trust and takes nothing from the person", () => {
    const settings: SettingsFile = { channels: [], hooks: { "tool.after": [] }, permissions: { allow: [] }, team: {} };
    const merged = mergeSettings([source("user", { channels: ["chat"] }), source("project", settings)], untrusted);
    expect(merged.ignored).toEqual([]);
    expect(merged.settings.channels).toEqual(["chat"]);
  });

  test("the person's own command line may do everything", () => {
    const settings: SettingsFile = { permissions: { allow: ["Bash"] }, sandbox: "off", editor: "vi" };
    const merged = mergeSettings([source("command line", settings)], untrusted);
    expect(merged.ignored).toEqual([]);
    expect(merged.settings).toMatchObject({ sandbox: "off", editor: "vi" });
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

describe("the shape", () => {
  test.each(["Bash", "Bash(npm test)", "Bash(npm run:*)", "Edit(src/**)", "mcp__server__tool", "Bash(echo (a) )"])(
    "R17.1 %j is a rule",
    (rule) => {
      expect(settingsShape.safeParse({ permissions: { deny: [rule] } }).success).toBe(true);
    },
  );

  test.each(["", "Bash()", "Bash( )", "Bash(npm", "two words", "(x)"])(
    "R17.1 %j is not a rule: it would match nothing or everything",
    (rule) => {
      expect(settingsShape.safeParse({ permissions: { deny: [rule] } }).success).toBe(false);
    },
  );

  test("a long broken rule is refused at once", () => {
    const started = performance.now();
    expect(settingsShape.safeParse({ permissions: { deny: [`Bash(${" a".repeat(200_000)}`] } }).success).toBe(false);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
