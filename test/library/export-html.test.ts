/** `plans export --html`: one file, in which a plan is only ever text. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Parser } from "htmlparser2";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { makeVisible } from "../../src/core/wire/visible.ts";
import type { ExportedPlan } from "../../src/faces/browser/export/exported-plan.ts";
import { drawDocument } from "../../src/faces/browser/export/draw-document.ts";
import { hostileParts, hostilePlan } from "../browser-page/hostile-plan.ts";
import { libraryStage, type LibraryStage } from "./stage.ts";

const text = "# Log in\n\nSome **bold** words, [a page](https://example.org/a?b=c#d).\n\n- [ ] A step\n- [x] Another\n";
const comment = { id: "c1", kind: "change", from: 5, to: 5, quote: "- [ ] A step", text: "Two <b>steps</b>." };
const suggestion = { ...comment, id: "c2", text: "", suggestion: "- [ ] A <i>better</i> step\n- [ ] And one more" };
const removal = { ...comment, id: "c3", from: 6, to: 6, quote: "- [x] Another", text: "Not needed.", suggestion: "" };

async function reviewed(): Promise<LibraryStage> {
  const stage = await libraryStage();
  onTestFinished(() => stage.close());
  const first = await stage.submit(text);
  const streaming = ["--output-format", "stream-json", "--input-format", "stream-json"];
  const child = stage.start(["-p", "--resume", first.sessionId, ...streaming]);
  const words = {
    kind: "revise",
    feedback: "Shorter, </style><script>alert(1)</script>",
    comments: [comment, suggestion, removal],
  };
  const verdict = { type: "verdict", id: `${first.sessionId}-review-1`, hash: first.plan.hash, ...words };
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    printed += part;
    if (printed.includes('"plan.submitted"') && !child.stdin.writableEnded)
      child.stdin.end(`${JSON.stringify(verdict)}\n`);
  });
  await new Promise((resolve) => child.on("close", resolve));
  await stage.approve(await stage.submit(`${text}- [ ] A third\n`, { resume: first.sessionId }));
  return stage;
}

describe("the program", () => {
  test("B5.4 B2.7 exports text, source, revisions, decisions, comments and suggestions, and no path of this machine", async () => {
    const stage = await reviewed();
    const { code, stdout, stderr } = await stage.run(["plans", "export", "--html"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { texts, tags } = read(stdout);
    expect(tags.get("script")).toBeUndefined();
    expect(tags.get("style")).toBe(1);
    const said = texts.join(" ");
    for (const words of [
      "A third",
      "Revision 2",
      "approved",
      "(command line)",
      "mode acceptEdits",
      "Revision 1",
      "sent back",
      "Shorter, </style><script>alert(1)</script>",
      "change, line 5",
      "Two <b>steps</b>.",
    ])
      expect(said).toContain(words);
    const at = said.indexOf("suggestion, line 5");
    expect(texts).toContain(suggestion.suggestion);
    expect(at).toBeGreaterThan(said.indexOf("change, line 5"));
    expect(said.indexOf(suggestion.quote, at)).toBeLessThan(said.indexOf(suggestion.suggestion));
    expect(said.indexOf(removal.text)).toBeGreaterThan(said.indexOf("suggestion, line 6"));
    expect([tags.get("del"), tags.get("ins")]).toEqual([2, 1]);
    expect(texts).toContain(`${text}- [ ] A third\n`);
    expect(texts).toContain(text);
    expect(said.indexOf("A third")).toBeLessThan(said.indexOf("Revision 1"));
    for (const path of [stage.home, stage.repository, join(stage.home, "..")]) expect(stdout).not.toContain(path);
    expect(said).toContain(basename(stage.repository));
    expect((await stage.run(["plans", "export", "--html"])).stdout).toBe(stdout);
    const older = await stage.run(["plans", "export", "--html", "--revision", "1"]);
    expect(read(older.stdout).texts.join(" ")).toContain("Nobody approved this text.");
  });

  test("B5.4 a file that is there is kept; --force writes over it", async () => {
    const stage = await reviewed();
    const file = join(stage.home, "..", "plan.html");
    const write = ["plans", "export", "--html", "--output", file];
    expect(await stage.run(write)).toEqual({ code: 0, stdout: "", stderr: "" });
    const written = readFileSync(file, "utf8");
    expect(written.startsWith("<!doctype html>")).toBe(true);
    expect(await stage.run([...write, "--revision", "1"])).toMatchObject({ code: 1, stdout: "" });
    expect(readFileSync(file, "utf8")).toBe(written);
    expect((await stage.run([...write, "--revision", "1", "--force"])).code).toBe(0);
    expect(readFileSync(file, "utf8")).not.toBe(written);
    const other = join(stage.home, "..", "none.html");
    expect((await stage.run(["plans", "export", "nothing-like-it", "--html", "-o", other])).code).toBe(1);
    expect(existsSync(other)).toBe(false);
  });
});

describe("B2.5 a plan is only ever text in it", () => {
  let whole: string;
  beforeAll(async () => {
    whole = await drawn(hostilePlan);
  });

  test("the policy allows its own style sheet by hash, and nothing else", () => {
    const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(whole)!;
    const [, style = ""] = /<style>([^]*?)<\/style>/.exec(whole)!;
    const hash = createHash("sha256").update(style).digest("base64");
    expect(policy).toBe(`default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`);
    expect(style).not.toMatch(/url\(|@import|expression|<!--/);
    expect(whole.indexOf("Content-Security-Policy")).toBeLessThan(whole.indexOf("<style>"));
  });

  test("every byte of it is there as source, with what is hidden made visible", () => {
    expect(read(whole).texts).toContain(makeVisible(hostilePlan));
  });

  test.each(Array.from({ length: 60 }, (_, seed) => seed))(
    "mixed at random, %i: no element and no attribute of its own",
    async (seed) => {
      const text = mixed(seed);
      const document = await drawn(text);
      const { texts, tags, attributes } = read(document);
      expect([...tags.keys()].filter((tag) => !harmless.test(tag))).toEqual([]);
      expect(tags.get("style")).toBe(1);
      expect([...attributes.keys()].filter((name) => !known.test(name))).toEqual([]);
      expect((attributes.get("href") ?? []).filter((href) => !/^(#r\d-|https?:\/\/)/.test(href))).toEqual([]);
      expect(texts).toContain(makeVisible(text).replaceAll("\r", "\n"));
      expect(document).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b]/);
    },
  );

  test("a table of thousands of rows is whole", async () => {
    const rows = Array.from({ length: 4000 }, (_, row) => `| ${row} | cell |`).join("\n");
    const { tags } = read(await drawn(`| a | b |\n|---|---|\n${rows}\n`));
    expect(tags.get("tr")).toBe(4001);
    expect(tags.get("button")).toBeUndefined();
  });
});

const harmless =
  /^(html|head|meta|title|style|body|header|main|section|article|aside|details|summary|dl|dt|dd|h[1-6]|p|span|strong|em|s|code|br|a|sup|sub|ul|ol|li|blockquote|div|figure|figcaption|pre|hr|input|del|ins|table|thead|tbody|tr|th|td)$/;
const known =
  /^(class|id|dir|href|rel|start|type|checked|disabled|role|open|lang|charset|name|content|http-equiv|aria-[a-z]+)$/;

async function drawn(plan: string): Promise<string> {
  const told = { kind: "bad", name: plan.slice(0, 40), made: plan.slice(0, 60), words: plan } as const;
  const said = { id: "x", kind: "change", from: 1, to: 3, quote: plan.slice(0, 200), text: plan } as const;
  const suggested = { ...said, id: "y", suggestion: plan.slice(0, 300) };
  const followed = { ...said, id: "z", was: plan.slice(0, 250), now: plan.slice(0, 260) };
  const exported: ExportedPlan = {
    title: plan.slice(0, 100),
    facts: [[plan.slice(0, 20), plan.slice(0, 200)]],
    warnings: [plan.slice(0, 50)],
    revisions: [
      {
        name: "Revision 1",
        made: plan,
        text: plan,
        hash: "h",
        decisions: [told],
        comments: [said, suggested, followed],
      },
    ],
  };
  return (await drawDocument(exported))!;
}

/** The same for the same number. */
function mixed(seed: number): string {
  let state = seed * 2_654_435_761 + 1;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state % below;
  };
  return Array.from({ length: 40 }, () => hostileParts[next(hostileParts.length)]!).join(
    ["", "\n", " ", "\n\n"][next(4)],
  );
}

interface ReadHtml {
  readonly texts: readonly string[];
  readonly tags: ReadonlyMap<string, number>;
  readonly attributes: ReadonlyMap<string, readonly string[]>;
}

function read(html: string): ReadHtml {
  const texts: string[] = [""];
  const tags = new Map<string, number>();
  const attributes = new Map<string, string[]>();
  const parser = new Parser({
    onopentag(name, given) {
      texts.push("");
      tags.set(name, (tags.get(name) ?? 0) + 1);
      for (const [key, value] of Object.entries(given)) attributes.set(key, [...(attributes.get(key) ?? []), value]);
    },
    ontext: (words) => void (texts[texts.length - 1] += words),
    onclosetag: () => void texts.push(""),
    oncomment: (words) => void tags.set(`comment ${words}`, 1),
    onprocessinginstruction: (name) => name !== "!doctype" && void tags.set(`instruction ${name}`, 1),
  });
  parser.end(html);
  return { texts, tags, attributes };
}
