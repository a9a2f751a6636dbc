/** The bounds of a project's own files. */
import { describe, expect, test } from "vitest";
import { defaultSettings, mergeSettings, ruleLists, type SettingsSource } from "./settings.ts";
import { settingsShape, type SettingsFile } from "./shape.ts";

const untrusted = { trusted: false };
const trusted = { trusted: true };

function source(origin: SettingsSource["origin"], settings: SettingsFile): SettingsSource {
  return { origin, file: null, settings };
}

function refusals(settings: SettingsFile, options = untrusted, user: SettingsFile = {}) {
  const merged = mergeSettings([source("project", settings), source("user", user)], options);
  return merged.ignored.map(({ key, value, why }) => [key, value, why]);
}

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
    ["a template", { planTemplate: "docs/plan.md" }, [["planTemplate", "docs/plan.md"]]],
    ["a model", { model: "openai/other" }, [["model", "openai/other"]]],
    ["a model for planning", { planModel: "openai/other" }, [["planModel", "openai/other"]]],
    ["a model for exploring", { exploreModel: "openai/other" }, [["exploreModel", "openai/other"]]],
    ["effort", { effort: "high" }, [["effort", "high"]]],
    ["effort for planning", { planEffort: "high" }, [["planEffort", "high"]]],
    ["a place for plans", { plansDirectory: "docs" }, [["plansDirectory", "docs"]]],
    ["what Shift+Tab does", { cycleModes: ["acceptEdits"] }, [["cycleModes", "acceptEdits"]]],
    ["a tier", { tier: "max" }, [["tier", "max"]]],
    ["colours", { theme: "light" }, [["theme", "light"]]],
    ["bells", { notify: "off" }, [["notify", "off"]]],
    ["names of plans", { planNames: "task" }, [["planNames", "task"]]],
    ["a workflow", { planWorkflow: "interview" }, [["planWorkflow", "interview"]]],
    ["a length", { planLength: "cap" }, [["planLength", "cap"]]],
    ["eagerness", { planEagerness: "reserved" }, [["planEagerness", "reserved"]]],
    ["who may begin to plan", { modelMayEnterPlan: "never" }, [["modelMayEnterPlan", "never"]]],
    ["a budget", { maxPlanningTokens: 7 }, [["maxPlanningTokens", "7"]]],
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

  test("B1.15 every setting that there is either narrows by a known ladder, needs trust, or never counts", () => {
    const ladders = ["defaultMode", "sandbox", "planNetwork", "planScope", "useAutoModeDuringPlan", "review"];
    const narrowing = new Set([...ladders, "autoMode", "permissions", "$schema", "receipt"]);
    for (const key of Object.keys(settingsShape.shape).filter((name) => !narrowing.has(name))) {
      const { settings, needsTrust } = mergeSettings([source("project", { [key]: ["something"] })], untrusted);
      expect([key, settings, needsTrust]).toEqual([key, defaultSettings, true]);
    }
  });

  test("B16.1 a project never chooses the key that signs, trusted or not", () => {
    const key = "/project/key";
    for (const options of [untrusted, { trusted: true }]) {
      expect(refusals({ receipt: { key } }, options)).toEqual([["receipt.key", key, "never-from-project"]]);
      const both = [source("user", { receipt: { key: "/mine" } }), source("project", { receipt: { key } })];
      expect(mergeSettings(both, options).settings.receipt).toEqual({ key: "/mine" });
    }
  });

  test("B11.5 a project can switch reviews of other agents' plans off, and never leave them to the agent's own dialog", () => {
    expect(refusals({ review: "off" }, untrusted)).toEqual([]);
    expect(refusals({ review: "browser" }, untrusted, { review: "terminal" })).toEqual([]);
    expect(refusals({ review: "browser-only" }, untrusted)).toEqual([]);
    expect(refusals({ review: "browser" }, untrusted, { review: "browser-only" })).toEqual([
      ["review", "browser", "needs-trust"],
    ]);
    expect(refusals({ review: "terminal" }, untrusted)).toEqual([["review", "terminal", "needs-trust"]]);
    expect(refusals({ review: "terminal" }, untrusted, { review: "off" })).toEqual([
      ["review", "terminal", "needs-trust"],
    ]);
  });

  test("R17.2 an allow rule that the person gave in a dialog counts from the project's files without trust", () => {
    const local = source("local", { permissions: { allow: ["Edit", "Bash"] } });
    const merged = mergeSettings([local], { trusted: false, granted: ["Edit", "Read"] });
    expect(ruleLists(merged.settings).allow).toEqual(["Edit"]);
    expect(merged.ignored.map(({ value }) => value)).toEqual(["Bash"]);
  });

  test("what the person allows already asks for no trust", () => {
    const both: SettingsFile = { permissions: { allow: ["Edit"], readers: ["mcp__a__b"] }, trustedMcpServers: ["a"] };
    expect(refusals(both, untrusted, both)).toEqual([]);
    expect(refusals({ permissions: { allow: ["Edit", "Bash"] } }, untrusted, both)).toEqual([
      ["permissions.allow", "Bash", "needs-trust"],
    ]);
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
