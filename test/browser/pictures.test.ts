/** Pictures of the project on the page: what lies elsewhere, is something else or too large is not to be had, and nothing in one runs. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { openTab, useChromium } from "../browser-page/chromium.ts";
import { needs } from "../support/needs.ts";
import { until } from "../support/until.ts";
import { startEditor } from "../editor/editor.ts";
import { planned, programs, startReview } from "./programs.ts";
import { send, visit, type Page } from "./stage.ts";

const all = programs();
afterEach(all.end);

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const svg = `<?xml version="1.0"?><!-- a --><svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" onload="document.title='ran'"><script>fetch("/stolen")</script><image href="http://127.0.0.1:9/x.png"/><rect width="40" height="20" fill="red"/></svg>`;
const plan =
  "# Pictures\n\n![one](docs/one.png)\n\n![two](docs/two.svg)\n\n![three](https://example.invalid/x.png)\n\n![four](../out.png)\n\n![five](no.png)\n";

async function staged() {
  const stage = await all.stage({ script: () => ({ text: "Hello." }), git: false });
  const { repository } = stage;
  mkdirSync(join(repository, "docs"));
  writeFileSync(join(repository, "docs/one.png"), png);
  writeFileSync(join(repository, "docs/two.svg"), svg);
  writeFileSync(join(repository, "../out.png"), png);
  writeFileSync(join(repository, "plan.md"), plan);
  const review = await startReview(all, stage, [join(repository, "plan.md")]);
  return { repository, link: review.link };
}

function asked(page: Page, path: string) {
  return page.send(`api/picture?path=${encodeURIComponent(path)}`, { headers: { "sec-fetch-dest": "image" } });
}

test("B19.3 B3.6 a picture of the project comes with a policy of its own; nothing else of the machine comes at all", async () => {
  const { repository, link } = await staged();
  symlinkSync(join(repository, "../out.png"), join(repository, "docs/linked.png"));
  symlinkSync(join(repository, ".."), join(repository, "docs/up"));
  symlinkSync("one.png", join(repository, "docs/inside.png"));
  symlinkSync("loop.png", join(repository, "docs/loop.png"));
  writeFileSync(join(repository, "docs/words.png"), "secret words");
  writeFileSync(join(repository, "docs/page.svg"), "<html><svg></svg></html>");
  writeFileSync(join(repository, "docs/huge.png"), Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)]));
  const page = await visit(link);

  for (const path of ["docs/one.png", "./docs/../docs/one.png", "docs/inside.png"]) {
    const { status, headers } = await asked(page, path);
    expect({ path, status, type: headers["content-type"] }).toEqual({ path, status: 200, type: "image/png" });
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none';.*sandbox/);
    expect(headers["x-content-type-options"]).toBe("nosniff");
  }
  const drawn = await asked(page, "docs/two.svg");
  expect([drawn.status, drawn.headers["content-type"]]).toEqual([200, "image/svg+xml"]);

  const refused = [
    "",
    ".",
    "docs",
    "no.png",
    "../out.png",
    "docs/../../out.png",
    "docs/linked.png",
    "docs/up/out.png",
    "docs/loop.png",
    "docs/words.png",
    "docs/page.svg",
    "docs/huge.png",
    "docs/one.png\0.svg",
    "..%2fout.png",
    join(repository, "docs/one.png"),
    "/etc/passwd",
    "~/out.png",
    "//127.0.0.1/x.png",
    "file:///etc/passwd",
    "x".repeat(5000),
  ];
  for (const path of refused) {
    const { status, body } = await asked(page, path);
    expect({ path: path.slice(0, 60), status }).toEqual({ path: path.slice(0, 60), status: 404 });
    expect(body).toBe(JSON.stringify({ problem: "no-picture", message: "The project has no such picture." }));
  }
  expect((await send(`${page.base}api/picture?path=docs/one.png`)).status).toBe(401);
  const opened = { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate", "sec-fetch-site": "none" };
  expect((await page.send("api/picture?path=docs/two.svg", { headers: opened })).status).toBe(403);
});

test("B1.14 a picture that a deny rule hides is not shown, by the session's own page or beside it, whatever link leads there", async () => {
  const stage = await planned(all);
  const { repository } = stage;
  mkdirSync(join(repository, "private"));
  mkdirSync(join(repository, "docs"));
  for (const name of ["private/one.png", "docs/one.png"]) writeFileSync(join(repository, name), png);
  symlinkSync("../private/one.png", join(repository, "docs/linked.png"));
  mkdirSync(stage.home);
  writeFileSync(join(stage.home, "settings.json"), '{"permissions":{"deny":["Read(private/**)"]}}');
  const editor = await startEditor(stage, { args: ["--permission-mode", "plan"], choose: () => null });
  const { sessionId } = await editor.newSession();
  void editor.prompt(sessionId, "change a").catch(() => undefined);
  await until("the plan", () => editor.asked.length === 1);
  const own = /http:\/\/127\.0\.0\.1:\d+\/[^\s"\\]+/.exec(JSON.stringify(editor.asked[0]!.toolCall.content))![0];
  for (const link of [own, (await startReview(all, stage, [])).link]) {
    const page = await visit(link);
    expect((await asked(page, "docs/one.png")).status).toBe(200);
    for (const path of ["private/one.png", "docs/../private/one.png", "docs/linked.png"])
      expect({ path, status: (await asked(page, path)).status }).toEqual({ path, status: 404 });
  }
});

describe("in Chromium", needs("chromium"), () => {
  const browser = useChromium();

  test("B19.3 pictures of the project are seen with their words, others by their words alone; a drawing runs nothing", async () => {
    const { link } = await staged();
    const { page, asked: addresses } = await openTab(browser(), link);
    const pictures = page.locator(".image img");
    await until("two are drawn, and what is not there is gone", () =>
      page.evaluate<boolean>(
        "(all => all.length === 2 && all.every((one) => one.complete && one.naturalWidth > 0))([...document.querySelectorAll('.image img')])",
      ),
    );
    expect(await pictures.evaluateAll((all) => all.map((one) => one.getAttribute("src")))).toEqual([
      "api/picture?path=docs%2Fone.png",
      "api/picture?path=docs%2Ftwo.svg",
    ]);
    const text = (await page.locator("article.plan").textContent())!;
    for (const words of ["one docs/one.png", "three https://example.invalid/x.png", "four ../out.png", "five no.png"])
      expect(text).toContain(words);
    expect(addresses.filter((address) => !address.startsWith(new URL(link).origin))).toEqual([]);
    expect(addresses.filter((address) => /stolen|x\.png/.test(address))).toEqual([]);
    expect(await page.title()).toContain("Pictures");
  });
});
