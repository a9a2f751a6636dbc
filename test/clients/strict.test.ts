/** `review: "browser-only"` for Claude Code, by the hook's program: asked before its own dialog opens, answered there once, and by nothing else (B11.5). */
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { visit, type Page } from "../browser/stage.ts";
import { finish, type Ran } from "../headless/program.ts";
import { until } from "../support/until.ts";
import { asked, decide, linkIn, reviewStage } from "./review-stage.ts";

const hook = fileURLToPath(new URL("../../dist/bin/hook.js", import.meta.url));
const plan = "# Change a\r\n\r\n- Change `a.ts`\n";
const edited = `${plan}- and \u{1F600} more\n\n`;
const input = { plan, planFilePath: "/p.md" };

function strictStage(setting = "browser-only", environment: Readonly<Record<string, string>> = {}) {
  const stage = reviewStage();
  mkdirSync(stage.home, { recursive: true });
  writeFileSync(join(stage.home, "settings.json"), JSON.stringify({ review: setting }));
  const start = (event: string, { session = "s1", text = plan, entry = [] as readonly string[] } = {}) => {
    const child = spawn(process.execPath, [hook, "hook", "claude", event, ...entry], {
      cwd: stage.repository,
      env: { ...stage.environment, ...environment, GROUNDPLAN_HOME: stage.home },
    });
    const payload = {
      session_id: session,
      cwd: stage.repository,
      hook_event_name: event,
      permission_mode: "plan",
      tool_name: "ExitPlanMode",
      tool_input: { ...input, plan: text },
    };
    return { child, ended: finish(child, JSON.stringify(payload)) };
  };
  return {
    ...stage,
    /** The entry that may wait for a person. */
    before: (given: { session?: string; text?: string } = {}) => start("PreToolUse", { ...given, entry: ["review"] }),
    quick: () => start("PreToolUse").ended,
    request: (given: { session?: string; text?: string } = {}) => start("PermissionRequest", given).ended,
    /** Each time that nobody looks on it is opened anew. */
    page: async (nth = 1): Promise<Page> =>
      visit(linkIn(await until("the page is opened", () => stage.opened()[nth - 1] ?? null))),
  };
}

const silent: Ran = { code: 0, stdout: "", stderr: "" };

function said({ stdout }: Ran): Record<string, unknown> {
  const { hookSpecificOutput } = JSON.parse(stdout) as { hookSpecificOutput: Record<string, unknown> };
  return (hookSpecificOutput["decision"] ?? hookSpecificOutput) as Record<string, unknown>;
}

const denied = { behavior: "deny", message: expect.stringMatching(/^The plan is not approved: /) as string };

describe("B11.5 a strict review in Claude Code", () => {
  test("is answered before its dialog opens; the dialog gets the edited bytes and the mode, once", async () => {
    const stage = strictStage();
    expect(await stage.quick()).toEqual(silent);
    const waiting = stage.before();
    const page = await stage.page();
    expect((await asked(page)).text).toBe(plan);
    expect(waiting.child.exitCode).toBeNull();
    await decide(page, { kind: "approve", mode: "acceptEdits", plan: edited });
    expect(await waiting.ended).toEqual(silent);
    expect(said(await stage.request())).toEqual({
      behavior: "allow",
      updatedInput: { plan: edited, planFilePath: "/p.md" },
      updatedPermissions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
    });
    expect(said(await stage.request())).toEqual(denied);
    expect(said(await stage.request({ text: edited }))).toEqual(denied);
  });

  test.each([
    ["another text", { text: `${plan} ` }],
    ["another session", { session: "s2" }],
  ])("%s in the dialog is not approved by it", async (_, other) => {
    const stage = strictStage();
    const waiting = stage.before();
    await decide(await stage.page(), { kind: "approve" });
    expect(await waiting.ended).toEqual(silent);
    expect(said(await stage.request(other))).toEqual(denied);
    const own = said(await stage.request());
    expect(own["behavior"]).toBe("text" in other ? "deny" : "allow");
  });

  test("entries in two of its files ask for one review, and both bring its answer", async () => {
    const stage = strictStage();
    const [one, other] = [stage.before(), stage.before()];
    await until("both wait", () => stage.opened()[1] ?? null);
    await decide(await stage.page(2), { kind: "approve" });
    expect([await one.ended, await other.ended]).toEqual([silent, silent]);
    const both = await Promise.all([stage.request(), stage.request()]);
    expect(both.map((ran) => said(ran)["behavior"])).toEqual(["allow", "allow"]);
    expect(said(await stage.request())).toEqual(denied);
  });

  test("nothing is approved that the page was not asked about, whatever was approved before", async () => {
    const stage = strictStage();
    expect(said(await stage.request())).toEqual(denied);
    const first = stage.before();
    await decide(await stage.page(), { kind: "approve" });
    expect(await first.ended).toEqual(silent);
    const second = stage.before({ text: edited });
    await asked(await stage.page(2), edited);
    second.child.kill("SIGKILL");
    expect((await second.ended).code).toBeNull();
    expect(said(await stage.request())).toEqual(denied);
  });

  test("sent back, the model reads why and no dialog opens", async () => {
    const stage = strictStage();
    const waiting = stage.before();
    await decide(await stage.page(), { kind: "revise", feedback: "Use tabs." });
    expect(said(await waiting.ended)).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: expect.stringContaining("Use tabs.") as string,
    });
    expect(said(await stage.request())).toEqual(denied);
  });

  test("a page process that is killed meanwhile approves nothing; its successor asks again", async () => {
    const stage = strictStage();
    const waiting = stage.before();
    await asked(await stage.page());
    stage.end();
    const page = await stage.page(2);
    await decide(page, { kind: "approve" });
    expect(await waiting.ended).toEqual(silent);
    stage.end();
    expect(said(await stage.request())).toMatchObject({ behavior: "allow", updatedInput: input });
  });

  test("a hook that is ended, and a review that is taken back, refuse", async () => {
    const stage = strictStage();
    const waiting = stage.before();
    await asked(await stage.page());
    waiting.child.kill("SIGTERM");
    expect(said(await waiting.ended)["permissionDecision"]).toBe("deny");
    const again = stage.before();
    await asked(await stage.page(2));
    await stage.tell("over");
    expect(said(await again.ended)["permissionDecision"]).toBe("deny");
    expect(said(await stage.request())).toEqual(denied);
  });

  test("without a browser the plan is refused, the link is not for the model; what is answered there counts when it comes again", async () => {
    const stage = strictStage("browser-only", { BROWSER: "/nowhere/browser" });
    const ended = await stage.before().ended;
    const { permissionDecision, permissionDecisionReason: reason } = said(ended);
    expect(permissionDecision).toBe("deny");
    expect(reason).toMatch(/^The plan is not approved: no browser could be opened/);
    expect(said(await stage.request())).toEqual(denied);
    expect(reason).not.toContain("http:");
    const page = await visit(/http:\S+/.exec(ended.stderr)![0]);
    await decide(page, { kind: "approve", plan: edited });
    expect(said(await stage.request())).toEqual(denied);
    expect(await stage.before().ended).toEqual(silent);
    expect(said(await stage.request())).toMatchObject({ behavior: "allow", updatedInput: { plan: edited } });
  });

  test("the environment goes before the setting", async () => {
    const stage = strictStage("terminal", { GROUNDPLAN_REVIEW: "browser-only" });
    expect(said(await stage.request())).toEqual(denied);
  });

  test.each(["browser", "terminal", "off"])(
    "%s: the entry that may wait leaves it to the dialog at once",
    async (setting) => {
      const stage = strictStage(setting);
      expect(await stage.before().ended).toEqual(silent);
      expect(stage.record()).toBeNull();
    },
  );

  test.each([
    ["browser", "leave"],
    ["browser-only", "refuse"],
  ])("%s: a plan of opencode that nobody answered: %s", async (setting, decision) => {
    const stage = strictStage(setting);
    const child = spawn(process.execPath, [hook, "hook", "opencode", "plan"], {
      cwd: stage.repository,
      env: { ...stage.environment, GROUNDPLAN_HOME: stage.home },
    });
    const payload = { version: 1, session: "s1", directory: stage.repository, agents: ["plan"], plan };
    const ended = finish(child, JSON.stringify(payload));
    await asked(await stage.page());
    await stage.tell("over", { client: "opencode" });
    expect(JSON.parse((await ended).stdout)).toMatchObject({ decision });
  });

  test("settings that cannot be read might be strict: refused", async () => {
    const stage = strictStage("browser-o");
    expect(said(await stage.before().ended)["permissionDecision"]).toBe("deny");
    expect(said(await stage.request())["behavior"]).toBe("deny");
  });
});
