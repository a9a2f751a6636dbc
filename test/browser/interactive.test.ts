/** `/review` of the real program on a real terminal: the page beside the dialog, first answer wins, over a crash. */
import { tmpdir } from "node:os";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { program, type Stage } from "../headless/program.ts";
import { openPty, type Pty } from "../terminal/pty.ts";
import { planned, plan, programs } from "./programs.ts";
import { visit, type Page } from "./stage.ts";
import { until } from "../support/until.ts";
import { writeProgram } from "../support/write-program.ts";

const all = programs();
const terminals: Pty[] = [];
afterEach(async () => {
  for (const terminal of terminals.splice(0)) await terminal.close();
  await all.end();
});

test("B2.2 B2.6 B3.6 the dialog and the page stand side by side; killed and resumed, the page goes on; its answer closes the dialog", async () => {
  const stage = await planned(all);
  const first = await open(stage, ["--permission-mode", "plan", "change a"]);
  await first.until("Approve this plan?");
  first.type("\u0012");
  const page = await visit(await linkIn(stage));
  const shown = await request(page, 1);
  expect(shown).toMatchObject({ text: plan, session: { live: true } });

  const comments = [{ id: "c1", kind: "change", from: 4, to: 4, quote: "Test it", text: "Twice." }];
  const sent = await page.post("verdict", { requestId: shown.request!.id, hash: shown.hash, kind: "revise", comments });
  expect(sent.status).toBe(200);
  await first.until("revision 2");
  const second = await request(page, 2);
  expect(second).toMatchObject({ previous: plan, comments: [{ id: "c1", anchor: "changed" }] });

  first.kill("SIGKILL");
  await first.exited;
  await expect(page.state()).rejects.toThrow();
  const resumed = await open(stage, ["--continue"]);
  await resumed.until("Approve this plan?");
  const again = await until("the page goes on", () => page.state().catch(() => null));
  expect(again).toMatchObject({ hash: second.hash, request: { id: second.request!.id, revision: 2 } });
  const body = { requestId: again.request!.id, hash: again.hash, kind: "approve", mode: "acceptEdits" };
  expect((await page.post("verdict", body)).status).toBe(200);
  await resumed.until(/answered elsewhere \(browser\)/);
  await until("it is carried out", () => existsSync(join(stage.repository, "b.ts")));
});

async function open(stage: Stage, args: readonly string[]): Promise<Pty> {
  const folder = dirname(stage.repository);
  const browser = join(folder, "browser");
  writeProgram(browser, `#!/bin/sh\necho "$1" >> ${join(folder, "links")}\n`);
  const terminal = await openPty({
    command: [process.execPath, program, ...args],
    directory: stage.repository,
    folder,
    columns: 100,
    rows: 40,
    environment: {
      PATH: process.env["PATH"],
      TMPDIR: tmpdir(),
      HOME: folder,
      GROUNDPLAN_HOME: stage.home,
      BROWSER: browser,
      ...stage.server.environment(),
    },
  });
  terminals.push(terminal);
  return terminal;
}

/** The browser is given a page of this person's own, which leads on to the link. */
async function linkIn(stage: Stage): Promise<string> {
  const path = join(dirname(stage.repository), "links");
  const given = await until("the browser is opened", () =>
    existsSync(path) && readFileSync(path, "utf8").includes("\n") ? readFileSync(path, "utf8").trim() : null,
  );
  const page = readFileSync(fileURLToPath(given), "utf8");
  return /href="([^"]+)"/.exec(page)![1]!.replaceAll("&amp;", "&");
}

function request(page: Page, revision: number) {
  return until(`revision ${revision} is shown`, async () => {
    const state = await page.state();
    return state.request?.revision === revision ? state : null;
  });
}
