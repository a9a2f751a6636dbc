/** Whoever tries to be let in, and whatever a plan is made of: nothing is approved by accident (B11.5). */
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { askProcess } from "../../src/clients/review/page-process.ts";
import { recordFile } from "../../src/clients/review/wire.ts";
import { send, type Page } from "../browser/stage.ts";
import { asked, decide, reviewStage } from "./review-stage.ts";

const plan = "# One\n\n- a\n";

describe("B11.5 who may ask", () => {
  test("files are this person's alone; without the secret nothing is taken", async () => {
    const stage = reviewStage();
    const presented = stage.present({ plan });
    await asked(await presented.page());
    const { socket, secret } = stage.record()!;
    const modes = Object.fromEntries(
      [recordFile(stage.home), socket!, join(stage.home, "reviews"), join(stage.home, "reviews/waiting")].map(
        (path) => [path, statSync(path).mode & 0o777],
      ),
    );
    expect(Object.values(modes)).toEqual([0o600, 0o600, 0o700, 0o700]);
    for (const name of readdirSync(join(stage.home, "reviews/waiting"))) {
      expect(statSync(join(stage.home, "reviews/waiting", name)).mode & 0o077).toBe(0);
    }
    const body = { client: "claude", session: "s1", how: "approved" };
    const question = { path: "/answered", body, signal: new AbortController().signal, hear: () => undefined } as const;
    for (const wrong of ["", "x", `${secret}x`]) {
      await expect(askProcess({ socket: socket!, secret: wrong }, question)).rejects.toThrow("403");
    }
    for (const bad of [{}, { ...body, how: "yes" }, { ...body, client: "../x" }, []]) {
      await expect(askProcess({ socket: socket!, secret }, { ...question, body: bad })).rejects.toThrow("400");
    }
    presented.kill();
    expect((await presented.answer).kind).toBe("over");
    expect(stage.plans("show", "--json")).toMatchObject({ status: "submitted", decisions: [] });
  });

  test.each(["open to others", "another person's"])("a record that is %s is not followed", async (how) => {
    const stage = reviewStage();
    const heard: string[] = [];
    const socket = join(stage.folder, "evil.sock");
    const evil = createServer((request, response) => {
      heard.push(request.url ?? "");
      response.end(
        `${JSON.stringify({ answer: { kind: "approved", plan: "x", mode: "default", notes: null, edited: true } })}\n`,
      );
    }).listen(socket);
    onTestFinished(() => void evil.close());
    mkdirSync(join(stage.home, "reviews"), { recursive: true, mode: 0o700 });
    const record = { v: 1, pid: process.pid, port: 1, socket, secret: "s" };
    writeFileSync(recordFile(stage.home), JSON.stringify(record), { mode: 0o600 });
    if (how === "open to others") chmodSync(recordFile(stage.home), 0o644);
    else if (process.getuid?.() === 0) chownSync(recordFile(stage.home), 12345, 12345);
    else chmodSync(recordFile(stage.home), 0o640);
    const presented = stage.present({ plan });
    expect((await asked(await presented.page())).text).toBe(plan);
    presented.kill();
    expect((await presented.answer).kind).toBe("over");
    expect(heard).toEqual([]);
  });

  test("pages of one port keep every guard: hosts, origins, cookies, methods, links, paths", async () => {
    const stage = reviewStage();
    const presented = [stage.present({ plan }), stage.present({ plan: "# Other\n", session: "s2" })];
    const [page, other] = await Promise.all(presented.map((one) => one.page()));
    const state = await asked(page!);
    await asked(other!);
    const { port } = stage.record()!;
    const { cookie, origin, base } = page!;
    const approval = JSON.stringify({ requestId: state.request!.id, hash: state.hash, kind: "approve" });
    const own = { cookie, origin, "content-type": "application/json", "sec-fetch-site": "same-origin" };
    const post = (headers: Record<string, string>, to = base) =>
      send(`${to}api/verdict`, { method: "POST", headers, body: approval });
    const { cookie: _, ...without } = own;
    const { origin: __, "sec-fetch-site": ___, ...unnamed } = own;
    expect(
      (
        await Promise.all([
          post(without),
          post({ ...own, cookie: other!.cookie }),
          post({ ...own, origin: "https://evil.example" }),
          post({ ...own, origin: "null" }),
          post({ ...own, host: `evil.example:${port}` }),
          post({ ...own, "sec-fetch-site": "cross-site" }),
          post(unnamed),
          post(own, other!.base),
          post(own, `${origin}/`),
          send(`${base}api/verdict`, { headers: own }),
          send(base.replace(/\/$/, "/../x/api/state"), { headers: own, path: `${new URL(base).pathname}../api/state` }),
          send(`${origin}/present`, { method: "POST", headers: own, body: "{}" }),
          send((await presented[0]!.link()).link, { headers: { host: `127.0.0.1:${port}` } }),
        ])
      ).map(({ status }) => status),
    ).toEqual([401, 401, 403, 403, 403, 403, 403, 401, 404, 405, 404, 404, 403]);
    expect((await asked(page!)).request!.id).toBe(state.request!.id);
    for (const one of presented) one.kill();
    await Promise.all(presented.map((one) => one.answer));
  });
});

test("B11.5 whatever a plan's characters are, it comes back byte for byte", async () => {
  const stage = reviewStage();
  const random = seeded(17);
  let page: Page | null = null;
  for (let run = 0; run < 40; run += 1) {
    const plan = oddText(random);
    const edit = random() < 0.5 ? oddText(random) : plan;
    const presented = stage.present({ plan });
    page ??= await presented.page();
    await asked(page, plan);
    expect(await decide(page, { kind: "approve", ...(edit === plan ? {} : { plan: edit }) })).toBe(200);
    expect(await presented.answer).toMatchObject({ kind: "approved", plan: edit, edited: edit !== plan });
  }
});

/** Begins with a letter, so that there is something to read. */
function oddText(random: () => number): string {
  const length = Math.floor(random() * 30);
  const parts = Array.from({ length }, () => {
    if (random() < 0.5) return odd[Math.floor(random() * odd.length)]!;
    const point = Math.floor(random() * 0x110000);
    return point >= 0xd800 && point <= 0xdfff ? "é" : String.fromCodePoint(point);
  });
  return `x${parts.join("")}`;
}

const odd = [
  ["\r", "\n", "\0", "\t", "\uFEFF", "\u2028", "\u202E", "\u0301", "\u200B", "`", "😀", " \n"],
  ["\r\n", "\n\n\n", "```\n", "---\n", "# ", "</system-reminder>", "${x}", "$&", "\\u0000"],
].flat();

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
