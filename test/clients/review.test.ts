/** Plans of other agents on our page: what is presented is what is read, and what comes back is what was answered (B11.5). */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { visit } from "../browser/stage.ts";
import { until } from "../support/until.ts";
import { writeProgram } from "../support/write-program.ts";
import { asked, decide, reviewStage } from "./review-stage.ts";

const plan = "# Change a\r\n\r\n- Change `a.ts`\t \r\n- \u{1F600} e\u0301 \u2028 \uFEFF\0end";
const comment = { id: "c1", kind: "change", from: 3, to: 3, quote: "Change `a.ts`", text: "Not <b>this</b> “file”." };

describe("B11.5 a plan that another agent presents", () => {
  test("is approved by exactly its bytes, in the mode that was chosen", async () => {
    const stage = reviewStage();
    const presented = stage.present({ plan });
    const page = await presented.page();
    const state = await asked(page);
    expect(state.text).toBe(plan);
    expect(state.client).toEqual({ title: "Claude Code", edit: true, notes: true, mode: true });
    expect(state.request!.choices).toEqual([
      { kind: "approve", mode: "default", label: "each-edit" },
      { kind: "approve", mode: "acceptEdits", label: "accept-edits" },
      { kind: "revise" },
    ]);
    expect(await decide(page, { kind: "approve", mode: "acceptEdits" })).toBe(200);
    expect(await presented.answer).toEqual({ kind: "approved", plan, mode: "acceptEdits", notes: null, edited: false });
    const opened = await until("the browser is opened", () => stage.opened()[0] ?? null);
    expect(opened).toMatch(/^file:.*\/reviews\/open\/[0-9a-f]+\.html$/);
    expect(readFileSync(fileURLToPath(opened), "utf8")).toContain("http://127.0.0.1:");
  });

  test("comes back as the person edited it, with notes and comments in their own words", async () => {
    const stage = reviewStage();
    const presented = stage.present({ plan });
    const page = await presented.page();
    const edited = `${plan}\r\nand more\n\n`;
    expect(await decide(page, { kind: "approve", plan: edited, notes: " Mind the gap. ", comments: [comment] })).toBe(
      200,
    );
    expect(await presented.answer).toEqual({
      kind: "approved",
      plan: edited,
      mode: "default",
      notes: "Mind the gap.\n\n- Change, line 3:\n> Change `a.ts`\nNot <b>this</b> “file”.",
      edited: true,
    });
  });

  test("is sent back with feedback, comments and the person's edit, verbatim", async () => {
    const stage = reviewStage();
    const presented = stage.present({ plan: "# One\n\n- a\n- b\n" });
    const page = await presented.page();
    const verdict = { kind: "revise", feedback: "Use tabs, “please”.", plan: "# One\n\n- a\n- c\n" };
    const said = { ...comment, from: 1, to: 3, quote: "One\n\n- a" };
    expect(
      await decide(page, { ...verdict, comments: [said, { ...comment, id: "c2", kind: "question", quote: "a" }] }),
    ).toBe(200);
    const answer = await presented.answer;
    expect(answer.kind).toBe("sent-back");
    const { feedback } = answer as { feedback: string };
    expect(feedback).toMatch(/^Not approved: the user wants changes\./);
    expect(feedback).toContain("Feedback from the user:\nUse tabs, “please”.");
    expect(feedback).toContain("- Change, lines 1-3:\n> One\n> \n> - a\nNot <b>this</b> “file”.");
    expect(feedback).toContain(
      "- Question, line 3 (answer in text; no reason to rewrite the plan):\n> a\nNot <b>this</b> “file”.",
    );
    expect(feedback).toContain("The user edited the plan while reading it; go on from this text:");
    expect(feedback).toContain("-- b\n+- c");
  });

  test("is the next revision when it comes again, in the page that is open; an approved one is followed by another plan", async () => {
    const stage = reviewStage();
    const first = stage.present({ plan: "# One\n\n- a\n" });
    const page = await first.page();
    await decide(page, { kind: "revise", feedback: "More." });
    expect((await first.answer).kind).toBe("sent-back");
    const second = stage.present({ plan: "# One\n\n- a\n- b\n" });
    const state = await asked(page, "# One\n\n- a\n- b\n");
    expect({ revision: state.request!.revision, previous: state.previous }).toEqual({
      revision: 2,
      previous: "# One\n\n- a\n",
    });
    expect(state.decisions.map(({ kind, by }) => [kind, by.surface])).toEqual([["revise", "browser"]]);
    await decide(page, { kind: "approve" });
    expect(await second.answer).toMatchObject({ kind: "approved", plan: "# One\n\n- a\n- b\n" });
    const third = stage.present({ plan: "# Two\n" });
    const next = await asked(page, "# Two\n");
    expect(next.plan.id).toMatch(/-plan-2$/);
    await decide(page, { kind: "approve" });
    expect(await third.answer).toMatchObject({ kind: "approved", plan: "# Two\n" });
  });

  test("long feedback is bounded as clients bound it; all of it lies in a file of ours", async () => {
    const stage = reviewStage();
    const presented = stage.present({ plan: "# One\n" });
    const words = `${"many words 😀 ".repeat(2000)}the end`;
    await decide(await presented.page(), { kind: "revise", feedback: words });
    const answer = await presented.answer;
    const { feedback } = answer as { feedback: string };
    expect(feedback.length).toBeLessThanOrEqual(9500);
    const [, file = ""] = /Read all of it in (\S+) before/.exec(feedback) ?? [];
    expect(readFileSync(file, "utf8")).toContain(words);
  });

  test.each([
    ["an empty one", " \n\u200B", /empty/],
    ["one of more than 2 MB", "é".repeat(1024 * 1024 + 1), /longer than 2 MB/],
    ["half a character", "# a \uD800 b", /half of a character/],
  ])("%s is refused with words, and no page opens", async (_, text, words) => {
    const stage = reviewStage();
    const answer = await stage.present({ plan: text }).answer;
    expect(answer).toEqual({ kind: "sent-back", feedback: expect.stringMatching(words) as string });
    expect(stage.record()).toBeNull();
  });

  test("only what the client can carry is offered, and nothing else is taken", async () => {
    const stage = reviewStage();
    const offer = { modes: [{ ours: "default", theirs: null }], editable: false, notes: false } as const;
    const presented = stage.present({ plan: "# One\n", client: "codex", offer });
    const page = await presented.page();
    const state = await asked(page);
    expect(state.client).toEqual({ title: "Codex", edit: false, notes: false, mode: false });
    expect(state.request!.choices.map(({ kind }) => kind)).toEqual(["approve", "revise"]);
    for (const verdict of [
      { kind: "approve", mode: "acceptEdits" },
      { kind: "approve", mode: "bypassPermissions" },
      { kind: "approve", fresh: true },
      { kind: "approve", notes: "n" },
      { kind: "approve", feedback: "n" },
      { kind: "approve", comments: [comment] },
      { kind: "approve", plan: "# Two\n" },
      { kind: "revise", plan: "# Two\n" },
      { kind: "save" },
      { kind: "abandon" },
    ]) {
      expect([verdict, await decide(page, verdict)]).toEqual([verdict, 409]);
    }
    expect(await decide(page, { kind: "approve" })).toBe(200);
    expect(await presented.answer).toMatchObject({ kind: "approved", plan: "# One\n", mode: "default", notes: null });
  });

  test("several agents and sessions at once: one process, one port, each its own page and way in", async () => {
    const stage = reviewStage();
    const all = [
      { client: "claude", session: "s1", plan: "# Claude one\n" },
      { client: "claude", session: "s2", plan: "# Claude two\n" },
      { client: "codex", session: "s1", plan: "# Codex\n" },
    ] as const;
    const presented = all.map((one) => stage.present(one));
    const pages = await Promise.all(presented.map((one) => one.page()));
    expect(new Set(pages.map(({ origin }) => origin)).size).toBe(1);
    expect(new Set(pages.map(({ base }) => base)).size).toBe(3);
    const states = await Promise.all(pages.map((page) => asked(page)));
    expect(states.map(({ text }) => text)).toEqual(all.map(({ plan: text }) => text));
    const foreign = await pages[0]!.send("api/state", { path: new URL(`${pages[1]!.base}api/state`).pathname });
    expect(foreign.status).toBe(401);
    const [first, second] = pages;
    await decide(second!, { kind: "revise", feedback: "no" });
    await decide(first!, { kind: "approve" });
    expect(await presented[0]!.answer).toMatchObject({ kind: "approved", plan: "# Claude one\n" });
    expect(await presented[1]!.answer).toMatchObject({ kind: "sent-back" });
    expect((await asked(pages[2]!)).text).toBe("# Codex\n");
    await decide(pages[2]!, { kind: "approve" });
    expect(await presented[2]!.answer).toMatchObject({ kind: "approved", plan: "# Codex\n" });
  });
});

describe("B11.5 answered in the client itself", () => {
  test.each([
    ["approved", "approve", "approved"],
    ["rejected", "revise", "rejected"],
    ["over", "withdrawn", "submitted"],
  ] as const)("%s: the page says so, and the hook approves nothing", async (how, kind, status) => {
    const stage = reviewStage();
    const presented = stage.present({ plan: "# One\n" });
    const page = await presented.page();
    await asked(page);
    await stage.tell(how);
    expect(await presented.answer).toMatchObject({ kind: "over" });
    const state = await page.state();
    expect({ request: state.request, kind: state.answered?.kind, status: state.plan.status }).toEqual({
      request: null,
      kind,
      status,
    });
    expect(state.answered?.by?.surface ?? null).toBe(how === "over" ? null : "Claude Code");
    const late = await page.post("verdict", {
      requestId: state.answered!.requestId,
      hash: state.hash,
      kind: "approve",
    });
    expect(late.status).toBe(409);
    const again = stage.present({ plan: "# One\n" });
    await asked(page);
    again.kill();
    expect((await again.answer).kind).toBe("over");
  });

  test("of another session, or when nothing waits: nothing happens, and nothing is started", async () => {
    const stage = reviewStage();
    await stage.tell("approved");
    expect(stage.record()).toBeNull();
    const presented = stage.present({ plan: "# One\n" });
    const page = await presented.page();
    await asked(page);
    await stage.tell("approved", { session: "s2" });
    await stage.tell("approved", { client: "codex" });
    expect((await page.state()).request).not.toBeNull();
    await decide(page, { kind: "approve" });
    expect((await presented.answer).kind).toBe("approved");
    await stage.tell("approved");
    expect((await page.state()).decisions).toHaveLength(1);
  });
});

describe("B11.5 where nobody answers, nothing is approved", () => {
  test("no browser: the link is told, and the page waits there", async () => {
    const stage = reviewStage();
    const presented = stage.present({ plan: "# One\n", environment: { BROWSER: "/does/not/exist" } });
    const { link, opened } = await presented.link();
    expect(opened).toBe(false);
    expect((await asked(await visit(link))).text).toBe("# One\n");
    presented.kill();
    expect(await presented.answer).toMatchObject({ kind: "over", link });
  });

  test("a browser of the project is not started: it would get the link", async () => {
    const stage = reviewStage();
    const planted = join(stage.repository, "bin");
    mkdirSync(planted);
    const given = join(stage.folder, "given");
    for (const name of ["browser", "xdg-open", "open"])
      writeProgram(join(planted, name), `#!/bin/sh\n: > '${given}'\n`);
    for (const BROWSER of [join(planted, "browser"), "browser", ""]) {
      const environment = { BROWSER, PATH: `${planted}:/does/not/exist` };
      const presented = stage.present({ plan: `# One\n${BROWSER}\n`, environment });
      expect((await presented.link()).opened).toBe(false);
      presented.kill();
      await presented.answer;
    }
    expect(existsSync(given)).toBe(false);
  });

  test("time over: the plan stays open, and the same text joins it", async () => {
    const stage = reviewStage();
    const first = stage.present({ plan: "# One\n" });
    const page = await first.page();
    const { request } = await asked(page);
    first.kill();
    expect((await first.answer).kind).toBe("over");
    const short = await stage.present({ plan: "# One\n", deadlineMs: 1 }).answer;
    expect(short.kind).toBe("over");
    const second = stage.present({ plan: "# One\n" });
    await second.link();
    expect((await asked(page)).request!.id).toBe(request!.id);
    await decide(page, { kind: "approve" });
    expect(await second.answer).toMatchObject({ kind: "approved", plan: "# One\n" });
  });

  test("an answer that no hook waited for counts once, for exactly that text", async () => {
    const stage = reviewStage();
    for (const other of ["# Two\n", null]) {
      const first = stage.present({ plan: "# One\n" });
      const page = await first.page();
      await asked(page);
      first.kill();
      await first.answer;
      await until("the page process knows", async () => (await decide(page, { kind: "approve" })) === 200);
      if (other !== null) {
        const next = stage.present({ plan: other });
        expect((await asked(page, other)).request).not.toBeNull();
        next.kill();
        await next.answer;
      } else {
        expect(await stage.present({ plan: "# One\n" }).answer).toMatchObject({ kind: "approved", plan: "# One\n" });
      }
      const again = stage.present({ plan: "# One\n" });
      expect((await asked(page, "# One\n")).request).not.toBeNull();
      again.kill();
      expect((await again.answer).kind).toBe("over");
      await stage.tell("over");
    }
  });

  test("another text while one is open takes its place; who waited for the first is told", async () => {
    const stage = reviewStage();
    const first = stage.present({ plan: "# One\n" });
    const page = await first.page();
    await asked(page, "# One\n");
    const second = stage.present({ plan: "# Two\n" });
    expect(await first.answer).toMatchObject({ kind: "over" });
    expect((await asked(page, "# Two\n")).request!.revision).toBe(2);
    await decide(page, { kind: "approve" });
    expect(await second.answer).toMatchObject({ kind: "approved", plan: "# Two\n" });
  });

  test("the setting: terminal leaves it to the client and keeps the plan, off refuses it with words; the variable goes before", async () => {
    const stage = reviewStage();
    const terminal = { GROUNDPLAN_REVIEW: "terminal" };
    expect(await stage.present({ plan: "# One\n", environment: terminal }).answer).toEqual({ kind: "leave-to-client" });
    expect(stage.opened()).toEqual([]);
    const off = await stage.present({ plan: "# One\n", environment: { GROUNDPLAN_REVIEW: "off" } }).answer;
    expect(off).toEqual({
      kind: "sent-back",
      feedback: expect.stringMatching(/switched off.*not approved/s) as string,
    });
    await stage.tell("approved");
    const shown = stage.plans("show", "--json");
    expect(shown).toMatchObject({ text: "# One\n", status: "approved", source: "claude" });
    expect(shown["decisions"]).toMatchObject([{ kind: "approve", by: { surface: "Claude Code" } }]);
  });
});
