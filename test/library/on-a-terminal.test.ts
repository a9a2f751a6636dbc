/** The library before a person: short, paged, rendered; and before a program, which gets everything whole. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { PlanEntry } from "../../src/agent/library/entry.ts";
import { columnsOf } from "../../src/faces/terminal/view/safe-text.ts";
import { ageOf } from "../../src/cli/commands/plans/age.ts";
import { openPty } from "../terminal/pty.ts";
import { program } from "../headless/program.ts";
import { needs } from "../support/needs.ts";
import { writeProgram } from "../support/write-program.ts";
import { libraryStage, type LibraryStage, type Result } from "./stage.ts";

const long = `# Login with codes

Some **bold** words and \`code\`, \u001b]0;evil\u0007 and \u001b[2J too.

- [ ] A step

${Array.from({ length: 60 }, (_, line) => `Line ${line} of many.`).join("\n\n")}

The last words.
`;

async function newStage(): Promise<LibraryStage> {
  const stage = await libraryStage();
  onTestFinished(() => stage.close());
  return stage;
}

interface Shown {
  readonly raw: string;
  readonly text: string;
  readonly code: number | null;
}

async function shown(
  stage: LibraryStage,
  args: readonly string[],
  { columns = 80, environment = {} }: { columns?: number; environment?: Record<string, string> } = {},
): Promise<Shown> {
  const folder = join(stage.home, "..");
  const pty = await openPty({
    command: [process.execPath, program, ...args],
    directory: stage.repository,
    environment: { PATH: process.env["PATH"], HOME: folder, GROUNDPLAN_HOME: stage.home, ...environment },
    columns,
    rows: 24,
    folder,
  });
  onTestFinished(() => pty.close());
  const code = await pty.exited;
  return { raw: pty.raw(), text: pty.everything(), code };
}

/** A pager that keeps what it was given and says so. */
function pagerIn(stage: LibraryStage): { readonly command: string; readonly given: () => string | null } {
  const [path, kept] = [join(stage.home, "..", "my pager"), join(stage.home, "..", "given")];
  writeProgram(path, `#!/bin/sh\ncat > '${kept}'\necho "paged $1"\n`);
  return {
    command: `'${path}' --quiet`,
    given: () => (existsSync(kept) ? readFileSync(kept, "utf8") : null),
  };
}

describe("B5.4 on a terminal", needs("script"), () => {
  test("what is longer than the screen goes through $PAGER with its options, what fits does not; a plan's sequences do nothing there", async () => {
    const stage = await newStage();
    const { sessionId } = await stage.submit(long);
    const pager = pagerIn(stage);
    const environment = { PAGER: pager.command };
    const listed = await shown(stage, ["plans"], { environment });
    expect(listed.text).toContain("Login with codes");
    expect(pager.given()).toBeNull();
    const show = await shown(stage, ["plans", "show", sessionId.slice(0, 8)], { environment });
    expect(show).toMatchObject({ code: 0, text: "paged --quiet" });
    const given = pager.given()!;
    expect(given).toContain("The last words.");
    expect(given).toContain("\\u{1b}]0;evil\\u{7}");
    expect(given.replaceAll(/\u001b\[[\d;]*m/g, "")).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  });

  test.each(["cat", "", "  "])("PAGER=%j shows all of it without one", async (PAGER) => {
    const stage = await newStage();
    await stage.submit(long);
    const { text, code } = await shown(stage, ["plans", "show"], { environment: { PAGER } });
    expect(code).toBe(0);
    expect(text).toContain("Login with codes");
    expect(text).toContain("The last words.");
  });

  test("a pager that is not there is told, and all of it is shown", async () => {
    const stage = await newStage();
    await stage.submit(long);
    const { text, code } = await shown(stage, ["plans", "show"], { environment: { PAGER: "no-such-pager-here" } });
    expect(code).toBe(0);
    expect(text).toContain("the pager did not work");
    expect(text).toContain("The last words.");
  });

  test("a pager that is left early is no failure", async () => {
    const stage = await newStage();
    await stage.submit(`${long}${"More words.\n\n".repeat(20_000)}`);
    expect(await shown(stage, ["plans", "show"], { environment: { PAGER: "head -n 1" } })).toMatchObject({ code: 0 });
  });

  test("without $PAGER it is less, and never the project's own", async () => {
    const stage = await newStage();
    await stage.submit(long);
    const tools = join(stage.home, "..", "tools");
    mkdirSync(tools);
    writeProgram(join(tools, "less"), '#!/bin/sh\ncat > /dev/null\necho "less $* $LESS"\n');
    writeProgram(join(stage.repository, "less"), "#!/bin/sh\necho EVIL\n");
    const environment = { PATH: `${stage.repository}:${tools}:${process.env["PATH"]}` };
    const { text } = await shown(stage, ["plans", "export"], { environment });
    expect(text).toMatch(/less -R FRX$/);
    expect(text).not.toContain("EVIL");
  });

  test.each([60, 80, 120])(
    "rows fit %i columns: short ids, ages, what was found in the middle of its line and marked",
    async (columns) => {
      const stage = await newStage();
      const words = "Nothing of interest is said in these words, which go on for a while. ".repeat(4);
      const { sessionId } = await stage.submit(
        `# ${"A long title ".repeat(12)}\n\n${words}The gyrfalcon nests. ${words}\n`,
      );
      const id = sessionId.slice(0, 8);
      const listed = await shown(stage, ["plans"], { columns });
      expect(listed.text).toMatch(new RegExp(`^${id} {2}submitted {2}(just now|\\d+ min ago)`));
      const found = await shown(stage, ["plans", "search", "gyrfalcon"], { columns });
      expect(found.raw).toContain("\u001b[1;33mgyrfalcon\u001b[0m");
      const line = found.text.split("\n").find((one) => one.includes("gyrfalcon"))!;
      expect(line).toMatch(/^ {5}3 {2}….*gyrfalcon.*…$/);
      const middle = line.indexOf("gyrfalcon") + 4;
      expect(Math.abs(middle - (8 + columns) / 2)).toBeLessThan(8);
      const sessions = await shown(stage, ["sessions"], { columns });
      expect(sessions.text).toMatch(new RegExp(`^${id} {2}(just now|\\d+ min ago) +plan +plan it$`));
      for (const { text } of [listed, found, sessions]) {
        expect(text.split("\n").every((row) => row.length <= columns)).toBe(true);
      }
    },
  );

  test.each([22, 32, 44])("nothing is wider than %i columns", async (columns) => {
    const stage = await newStage();
    await stage.submit(`# ${"登录计划 ".repeat(12)}\n\n${"Some words before. ".repeat(9)}The kestrel nests.\n`);
    for (const args of [["plans"], ["plans", "--all"], ["plans", "search", "kestrel"], ["sessions"]]) {
      const { raw } = await shown(stage, args, { columns });
      const lines = raw
        .replaceAll(/\u001b\[[\d;]*m/g, "")
        .trimEnd()
        .split(/\r?\n/);
      expect(lines.filter((line) => columnsOf(line) > columns)).toEqual([]);
    }
  });

  test("show is rendered, with short hashes, and with decisions and words beside their revision", async () => {
    const stage = await newStage();
    const first = await twice(stage);
    const { text } = await shown(stage, ["plans", "show"], { columns: 100, environment: { PAGER: "" } });
    const about = (name: string): string => text.split("\n").find((row) => row.trimStart().startsWith(name))!;
    expect(text).toContain("• [ ] A step");
    expect(text.slice(text.indexOf("Shown:"))).not.toContain("**bold**");
    expect(text).not.toContain(first.plan.hash);
    expect(about("revision 1")).toContain(first.plan.hash.slice(0, 10));
    expect(about("session")).toBe(`session      ${first.sessionId.slice(0, 8)}`);
    const order = [
      "revision 1",
      "sent back",
      "Say it shorter.",
      "line 5, change: Two steps.",
      "> - [ ] A step",
      "line 5, suggestion\n",
      "- - [ ] A step",
      "+ - [ ] Another step \\u{1b}[2J",
      "line 3, suggestion: Out.",
      "- Some **bold** words and `code`.",
      "revision 2",
      "approved   ",
    ];
    let at = text.indexOf("revision 1");
    const places = order.map((words) => (at = text.indexOf(words, at)));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
  });
});

describe("B5.4 for a program", () => {
  test("show keeps whole ids, hashes and times, and the text as it was written", async () => {
    const stage = await newStage();
    const first = await twice(stage);
    const pager = pagerIn(stage);
    const { stdout } = await stage.run(["plans", "show"], { environment: { PAGER: pager.command } });
    expect(pager.given()).toBeNull();
    expect(stdout).not.toContain("\u001b");
    expect(stdout).toContain("Some **bold** words and `code`");
    expect(stdout).toContain(`session      ${first.sessionId}\n`);
    expect(stdout).toMatch(
      new RegExp(`revision 1   \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d by the model ${first.plan.hash}\\n`),
    );
    const { decisions } = await stage.json<{ decisions: object[] }>("plans", "show");
    expect(decisions).toMatchObject([
      { kind: "revise", words: "Say it shorter.", comments: [{ text: "Two steps.", from: 5 }, {}, { suggestion: "" }] },
      { kind: "approve", words: "", comments: [] },
    ]);
  });

  test("--limit holds for list, search and sessions, and says how many more there are", async () => {
    const stage = await newStage();
    for (const title of ["One", "Two", "Three"]) await stage.submit(`# ${title}\n\nwords\n`);
    for (const args of [["plans"], ["plans", "list"], ["plans", "search", "words"], ["sessions"]]) {
      const limited = await stage.run([...args, "--limit", "2"]);
      expect(limited.stderr).toBe("groundplan: 1 more; --limit <n> shows more of them.\n");
      expect(await stage.json<object[]>(...args, "--limit", "2")).toHaveLength(2);
      expect((await stage.run([...args, "--limit", "0"])).code).toBe(2);
    }
  });

  test.each<[readonly string[], string]>([
    [["plans", "show", "--limit", "3"], "plans show takes no --limit; that is for plans list, search."],
    [["plans", "list", "--revision", "3"], "plans list takes no --revision; that is for plans show, export."],
    [["plans", "diff", "--force"], "plans diff takes no --force; that is for plans export, rm."],
    [["plans", "--limt", "3"], "did you mean --limit?"],
    [["sessions", "show", "x", "--limit", "3"], "--limit is for groundplan sessions list, not for show."],
    [["sessions", "--plans"], "--plans is for groundplan sessions rm, not for list."],
  ])("%j is refused, and the right one named", async (args, words) => {
    const stage = await newStage();
    const { code, stdout, stderr } = await stage.run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(words);
  });

  test("--status approved finds what is carried out and what is done as well", async () => {
    const stage = await newStage();
    const titles = async (status: string): Promise<string[]> =>
      (await stage.json<PlanEntry[]>("plans", "--status", status)).map(({ title, status: now }) => `${title} ${now}`);
    const first = await stage.submit("# One\n\n- [ ] Change `a.ts`\n");
    expect(await titles("approved")).toEqual([]);
    await stage.approve(first, [{ calls: [{ tool: "Read", input: { file_path: "a.ts" } }] }]);
    expect(await titles("approved")).toEqual(["One approved"]);
    const edit = { tool: "Edit", input: { file_path: "a.ts", old_string: "1", new_string: "2" } };
    await stage.say(["go on", "--resume", first.sessionId], [{ calls: [edit] }]);
    expect(await titles("approved")).toEqual(["One executing"]);
    expect(await titles("executing")).toEqual(["One executing"]);
    expect(await titles("done")).toEqual([]);
  });

  test("a plan that was emptied before anybody saw it is none", async () => {
    const stage = await newStage();
    await stage.submit("# Kept\n");
    const loose = join(stage.home, "plans", "calm-baking-otter.md");
    writeFileSync(loose, "# Loose\n");
    const titles = async (): Promise<string[]> =>
      (await stage.json<PlanEntry[]>("plans", "--all")).map(({ title }) => title);
    expect((await titles()).toSorted()).toEqual(["Kept", "Loose"]);
    writeFileSync(loose, " \n\u200b\n");
    expect(await titles()).toEqual(["Kept"]);
    writeFileSync(loose, "# Loose again\n");
    expect((await titles()).toSorted()).toEqual(["Kept", "Loose again"]);
  });
});

test.each<[number, string]>([
  [0, "just now"],
  [59, "just now"],
  [60, "1 min ago"],
  [3599, "59 min ago"],
  [3600, "1 h ago"],
  [86_399, "23 h ago"],
  [86_400, "1 day ago"],
  [13 * 86_400, "13 days ago"],
  [14 * 86_400, "2 weeks ago"],
  [70 * 86_400, "2 months ago"],
  [400 * 86_400, "13 months ago"],
  [800 * 86_400, "2 years ago"],
  [-3600, expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/) as string],
])("%i seconds are %s", (seconds, words) => {
  const now = Date.UTC(2026, 10, 18, 12);
  expect(ageOf(now - seconds * 1000, now)).toEqual(words);
});

/** Sent back with words and a comment, then approved. */
async function twice(stage: LibraryStage): Promise<Result> {
  const text = "# Login with codes\n\nSome **bold** words and `code`.\n\n- [ ] A step\n";
  const first = await stage.submit(text);
  const streaming = ["--output-format", "stream-json", "--input-format", "stream-json"];
  const child = stage.start(["-p", "--resume", first.sessionId, ...streaming]);
  const step = { id: "c1", kind: "change", from: 5, to: 5, quote: "- [ ] A step", text: "Two steps." };
  const other = { ...step, id: "c2", text: "", suggestion: "- [ ] Another step \u001b[2J" };
  const out = { ...step, id: "c3", from: 3, to: 3, quote: text.split("\n")[2], text: "Out.", suggestion: "" };
  const comments = [step, other, out];
  const verdict = { id: `${first.sessionId}-review-1`, kind: "revise", feedback: "Say it shorter.", comments };
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    printed += part;
    if (printed.includes('"plan.submitted"') && !child.stdin.writableEnded)
      child.stdin.end(`${JSON.stringify({ type: "verdict", hash: first.plan.hash, ...verdict })}\n`);
  });
  await new Promise((resolve) => child.on("close", resolve));
  const second = await stage.submit(`${text}- [ ] Another\n`, { resume: first.sessionId });
  await stage.approve(second);
  return first;
}
