/** One page for everything that waits: other agents' plans and our own, each leading to its page, told as it happens. */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { WaitingState } from "../../src/faces/browser/server/waiting-wire.ts";
import { issuesOf } from "../browser-page/axe.ts";
import { useChromium } from "../browser-page/chromium.ts";
import { send, visit, type Page } from "../browser/stage.ts";
import { needs } from "../support/needs.ts";
import { patience, until } from "../support/until.ts";
import { asked, decide, program, reviewStage, type ReviewStage } from "./review-stage.ts";

async function run(stage: ReviewStage, ...args: readonly string[]): Promise<string> {
  const env = { ...stage.environment, GROUNDPLAN_HOME: stage.home };
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { cwd: stage.repository, env });
  return stdout;
}

async function listOf(stage: ReviewStage): Promise<{ readonly list: Page; readonly link: string }> {
  const link = (await run(stage, "review", "--waiting", "--no-open")).trim();
  return { list: await visit(link), link };
}

async function waiting(list: Page): Promise<WaitingState["plans"]> {
  return (JSON.parse((await list.send("api/state")).body) as WaitingState).plans;
}

/** By scout, without a model: the run ends, and its plan waits for an answer. */
async function ownPlan(stage: ReviewStage): Promise<void> {
  await run(stage, "-p", "rename the constant a", "--model", "scout", "--permission-mode", "plan").catch(
    (error: { readonly code: number }) => expect(error.code).toBe(3),
  );
}

describe("B11.5 the page of all plans that wait", () => {
  test("lists other agents' and our own with who, where, since when and how long still, and leads to each", async () => {
    const stage = reviewStage();
    const before = Date.now();
    const first = stage.present({ plan: "# From Claude\n", deadlineMs: patience });
    await first.link();
    const second = stage.present({ plan: "# From Codex\n", client: "codex", session: "c9" });
    await second.link();
    await ownPlan(stage);
    const { list } = await listOf(stage);
    writeFileSync(join(stage.home, "plans", "calm-baking-otter.md"), "# Nobody's\n");
    const plans = await waiting(list);
    expect(stage.plans("list", "--all", "--json")).toContainEqual(
      expect.objectContaining({ title: "Nobody's", project: null }),
    );
    expect(plans.map(({ title, by, live, project }) => [title, by.kind, by.name, live, project])).toEqual([
      ["From Claude", "agent", "Claude Code", true, "repo"],
      ["From Codex", "agent", "Codex", true, "repo"],
      [expect.stringContaining("ename the constant a") as string, "own", "Groundplan", false, "repo"],
    ]);
    const [claude, , own] = plans;
    expect(claude!.since).toBeGreaterThanOrEqual(before);
    expect(claude!.until).toBeGreaterThanOrEqual(before + patience);
    expect(own).toMatchObject({ until: null, session: expect.stringMatching(/^[0-9a-f]{8}$/) as string });

    const go = await list.send(`api/go?id=${claude!.id}`);
    expect(go.status).toBe(303);
    const page = await visit(String(go.headers["location"]));
    expect((await asked(page)).text).toBe("# From Claude\n");
    expect(await decide(page, { kind: "approve", mode: "default" })).toBe(200);
    expect(await first.answer).toMatchObject({ kind: "approved", plan: "# From Claude\n" });
    await until("it is off the list", async () => (await waiting(list)).length === 2);
    expect((await list.send(`api/go?id=${claude!.id}`)).status).toBe(404);

    const ownPage = await visit(String((await list.send(`api/go?id=${own!.id}`)).headers["location"]));
    expect(await decide(ownPage, { kind: "revise", feedback: "No." })).toBe(200);
    await until("it was answered", async () => (await waiting(list)).length === 1);
    second.kill();
    await until("nobody waits for it any more", async () => (await waiting(list))[0]?.live === false);
  });

  test("R12.2 a teammate's plan stands there with its name and its time, and is answered as the lead would", async () => {
    const stage = reviewStage();
    const env = { ...stage.environment, GROUNDPLAN_HOME: stage.home };
    const args = ["team", "start", "ann", "rename the constant a", "--plan-required", "--deadline", "3600"];
    const ann = execFile(process.execPath, [program, ...args, "--model", "scout"], { cwd: stage.repository, env });
    const ended = new Promise<number | null>((resolve) => ann.once("close", resolve));
    const { list } = await listOf(stage);
    const [plan] = await until("ann's plan waits", async () => {
      const plans = await waiting(list);
      return plans.length > 0 ? plans : null;
    });
    expect(plan).toMatchObject({ by: { kind: "teammate", name: "ann" }, live: true });
    expect(plan!.until).toBeGreaterThan(plan!.since);
    const page = await visit(String((await list.send(`api/go?id=${plan!.id}`)).headers["location"]));
    const { request, client } = await asked(page);
    expect(request).toMatchObject({
      agent: "ann@default",
      choices: [{ mode: "default" }, { mode: "acceptEdits" }, {}],
    });
    expect(client).toMatchObject({ title: "ann" });
    expect(await decide(page, { kind: "approve", mode: "bypassPermissions" })).toBe(409);
    expect(await decide(page, { kind: "approve", mode: "acceptEdits", notes: "Go." })).toBe(200);
    expect((await page.state()).answered).toMatchObject({ kind: "approve", by: { surface: "browser" } });
    expect(await ended).toBe(0);
    expect(await waiting(list)).toEqual([]);
    expect(stage.plans("show", plan!.id, "--json")).toMatchObject({ decisions: [{ kind: "approve", words: "Go." }] });
  });

  test("news are told by events, and a restart of the page process ends nothing", async () => {
    const stage = reviewStage();
    const { list } = await listOf(stage);
    expect(await waiting(list)).toEqual([]);
    let heard = "";
    const stream = list.send("api/events", { heard: (body) => void (heard = body) }).catch(() => undefined);
    await until("the stream begins", () => heard.includes("event: changed"));
    const begun = heard.length;
    const first = stage.present({ plan: "# One\n" });
    await until("it is told", () => heard.slice(begun).includes("event: changed"));
    await until("it is listed", async () => (await waiting(list)).length === 1);
    stage.end();
    await stream;
    await until("it goes on at the same place, for the same page", async () => {
      const state = await list.send("api/state").catch(() => null);
      return state?.status === 200 && (JSON.parse(state.body) as WaitingState).plans[0]?.live === true;
    });
    first.kill();
  });

  test("only whoever holds its cookie is told anything or led on; a browser that loads ahead is not", async () => {
    const stage = reviewStage();
    const first = stage.present({ plan: "# One\n" });
    await first.link();
    const { list, link } = await listOf(stage);
    const [plan] = await waiting(list);
    const own = { "sec-fetch-site": "same-origin" };
    for (const route of ["api/state", "api/events", "api/sign.svg?n=1", `api/go?id=${plan!.id}`]) {
      expect((await send(list.base + route, { headers: own })).status).toBe(401);
      const foreign = { cookie: list.cookie, "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" };
      expect((await send(list.base + route, { headers: foreign })).status).toBe(403);
    }
    expect((await send(link)).status).toBe(403);
    const ahead = { headers: { "sec-purpose": "prefetch" } };
    expect((await list.send(`api/go?id=${plan!.id}`, ahead)).status).toBe(403);
    expect((await list.send("api/go?id=nothing")).status).toBe(404);
    expect((await list.send("api/go", { method: "POST", headers: { origin: list.origin } })).status).toBe(405);
    expect((await list.send("api/verdict")).status).toBe(404);
    const document = await list.send("", { headers: { "sec-fetch-mode": "navigate" } });
    expect(document.headers["content-security-policy"]).toMatch(
      /^default-src 'none'; script-src 'self';.*; img-src 'self'$/,
    );
    const sign = await list.send("api/sign.svg?n=<script>");
    expect(sign.body).not.toContain("script>");
    first.kill();
  });
});

describe("B11.5 the page of all plans that wait in Chromium", needs("chromium"), () => {
  const browser = useChromium();

  test.each(["light", "dark"] as const)(
    "%s: a hidden tab hears of a plan in title and sign, and a click leads to it",
    async (colorScheme) => {
      const stage = reviewStage();
      const link = (await run(stage, "review", "--waiting", "--no-open")).trim();
      const context = await browser().newContext({ colorScheme, viewport: { width: 900, height: 700 } });
      context.setDefaultTimeout(patience);
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on("console", (line) => line.type() === "error" && complaints.push(line.text()));
      await page.addInitScript(() => Object.defineProperty(document, "hidden", { get: () => true }));
      await page.goto(link);
      await page.getByText("Nothing waits for you now.").waitFor();
      expect(await page.title()).toBe("Plans that wait · Groundplan");
      const first = stage.present({ plan: "# Evil <img src=x> \u202Eplan\n", deadlineMs: patience });
      await page.getByText("One plan waits for your answer.").waitFor();
      expect(await page.title()).toBe("(1) Plans that wait · Groundplan");
      expect(await page.locator("link[rel=icon]").getAttribute("href")).toBe("api/sign.svg?n=1");
      expect(await page.locator("#plans li").innerText()).toMatch(
        /^Evil <img src=x> \\u\{202e\}plan\s+Claude Code · session [0-9a-f]{8} · repo · waits for .*\s+.* left$/,
      );
      expect(await issuesOf(page)).toEqual([]);
      const opened = context.waitForEvent("page");
      await page.locator("#plans a").click();
      const plan = await opened;
      await plan.getByText("by Claude Code").waitFor();
      expect(complaints).toEqual([]);
      first.kill();
      await context.close();
    },
  );
});
