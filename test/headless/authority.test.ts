/** Where permissions come from: this start and today's settings, never a log (B1.15). */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { LoopbackRequest, ScriptedTurn } from "../../src/testing/loopback.ts";
import { openStage, planFileIn, type Stage } from "./program.ts";

/** Whatever is said, the model writes a file named after it, and then ends its turn. */
async function writingStage(): Promise<Stage> {
  const stage = await openStage({
    script: (request): ScriptedTurn => {
      const said = lastWords(request);
      if (said === null) return { text: "Done." };
      return { calls: [{ tool: "Write", input: { file_path: `${said}.txt`, content: said } }] };
    },
  });
  return stage;
}

/** What the person said, where that is the last thing in the request; null after a tool's result. */
function lastWords({ body }: LoopbackRequest): string | null {
  const { messages } = body as unknown as { messages: readonly { content: readonly Record<string, unknown>[] }[] };
  const last = messages.at(-1)!.content;
  if (last.some(({ type }) => type === "tool_result")) return null;
  const words = last.map(({ text }) => /^make-\w+$/m.exec(String(text))?.[0]).filter((word) => word !== undefined);
  return words.at(-1) ?? null;
}

interface Ended {
  readonly sessionId: string;
  readonly mode: string;
  readonly denials: readonly { readonly code: string }[];
  readonly notices: readonly { readonly key: string; readonly text: string }[];
  readonly made: boolean;
  readonly stderr: string;
}

async function say(stage: Stage, word: string, ...args: readonly string[]): Promise<Ended> {
  const { stdout, stderr } = await stage.run(["-p", word, "--output-format", "json", ...args]);
  return { ...JSON.parse(stdout), stderr, made: existsSync(join(stage.repository, `${word}.txt`)) };
}

function setRules(stage: Stage, permissions: object): void {
  mkdirSync(stage.home, { recursive: true });
  writeFileSync(join(stage.home, "settings.json"), JSON.stringify({ permissions }));
}

function logOf(stage: Stage, id: string): string {
  const folder = join(stage.home, "sessions", readdirSync(join(stage.home, "sessions"))[0]!);
  return join(folder, `${id}.jsonl`);
}

function edit(path: string, change: (text: string) => string): void {
  const text = readFileSync(path, "utf8");
  const changed = change(text);
  expect(changed).not.toBe(text);
  writeFileSync(path, changed);
}

test("B1.15 R17.1 a deny rule that was added since holds in a resumed session and in its fork, an allow rule that is gone does not", async () => {
  const stage = await writingStage();
  setRules(stage, { allow: ["Edit"] });
  const first = await say(stage, "make-one");
  expect(first).toMatchObject({ made: true, denials: [] });
  const id = first.sessionId;
  setRules(stage, { allow: ["Edit"], deny: ["Edit(make-two.txt)"] });
  expect(await say(stage, "make-two", "--resume", id)).toMatchObject({ made: false, denials: [{ code: "rule" }] });
  expect(await say(stage, "make-two", "--resume", id, "--fork")).toMatchObject({ denials: [{ code: "rule" }] });
  setRules(stage, {});
  expect(await say(stage, "make-three", "--resume", id)).toMatchObject({ made: false, denials: [{ code: "nobody" }] });
  const option = ["--settings", '{"permissions":{"allow":["Edit"]}}'];
  expect(await say(stage, "make-four", "--resume", id, ...option)).toMatchObject({ made: true, denials: [] });
  expect(await say(stage, "make-five", "--continue")).toMatchObject({ made: false, denials: [{ code: "nobody" }] });
});

test("B1.15 a deny rule given together with --approve holds for the work that follows", async () => {
  const stage = await openStage({
    script: (request, turn): ScriptedTurn => {
      const body = JSON.stringify(request.body);
      if (turn === 1)
        return {
          calls: [{ tool: "Write", input: { file_path: planFileIn(body), content: "# Plan\n\nWrite b.txt\n" } }],
        };
      if (turn === 2) return { calls: [{ tool: "ExitPlanMode", input: {} }] };
      if (turn === 3) return { calls: [{ tool: "Write", input: { file_path: "b.txt", content: "b" } }] };
      return { text: "Done." };
    },
  });
  const planned = await stage.run(["-p", "go", "--permission-mode", "plan", "--output-format", "json"]);
  const { sessionId, plan } = JSON.parse(planned.stdout);
  const approval = ["-p", "--resume", sessionId, "--approve", plan.hash, "--permission-mode", "acceptEdits"];
  const rules = ["--settings", '{"permissions":{"deny":["Edit(b.txt)"]}}'];
  const done = await stage.run([...approval, ...rules, "--output-format", "json"]);
  expect(JSON.parse(done.stdout)).toMatchObject({ mode: "acceptEdits", denials: [{ code: "rule" }] });
  expect(existsSync(join(stage.repository, "b.txt"))).toBe(false);
});

test("B1.15 R17.3 bypass is this start's: dropped on resume and said, taken where the flag is given", async () => {
  const stage = await writingStage();
  const first = await say(stage, "make-one", "--dangerously-skip-permissions");
  expect(first).toMatchObject({ made: true, mode: "bypassPermissions" });
  const id = first.sessionId;
  const plain = await say(stage, "make-two", "--resume", id);
  expect(plain).toMatchObject({ made: false, mode: "default", notices: [{ key: "bypass-unavailable" }] });
  expect(plain.stderr).toContain(plain.notices[0]!.text);
  const again = await say(stage, "make-three", "--resume", id, "--dangerously-skip-permissions");
  expect(again).toMatchObject({ made: true, mode: "bypassPermissions" });
  const chosen = ["--allow-dangerously-skip-permissions", "--permission-mode", "bypassPermissions"];
  expect(await say(stage, "make-four", "--resume", id, ...chosen)).toMatchObject({ made: true });
});

test("B1.15 R14.8 a resumed session in plan mode stays in it under the bypass flag", async () => {
  const stage = await writingStage();
  const first = await say(stage, "make-one", "--permission-mode", "plan");
  expect(first).toMatchObject({ made: false, mode: "plan" });
  const again = await say(stage, "make-two", "--resume", first.sessionId, "--dangerously-skip-permissions");
  expect(again).toMatchObject({ made: false, mode: "plan" });
});

const forgeries: readonly {
  readonly name: string;
  readonly change: (text: string) => string;
  readonly told?: string;
}[] = [
  {
    name: "bypass",
    change: (text) =>
      text
        .replace('"mode":"default"', '"mode":"bypassPermissions"')
        .replace('"bypassAvailable":false', '"bypassAvailable":true'),
  },
  { name: "a mode", change: (text) => text.replace('"mode":"default"', '"mode":"acceptEdits"') },
  { name: "a rule", change: (text) => text.replace('"allow":[]', '"allow":["Edit"]') },
  {
    name: "a line taken out",
    change: (text) => text.split("\n").toSpliced(1, 1).join("\n"),
  },
  {
    name: "a line put in",
    change: (text) => `${text}{"v":1,"at":1,"event":{"type":"mode-chosen","mode":"acceptEdits"}}\n`,
  },
  {
    name: "every seal removed, or one from before there were any",
    change: (text) => text.replaceAll(/"seal":"[0-9a-f]+",/g, ""),
    told: "has no seals (made by an older version",
  },
];

test.each(forgeries)(
  "B1.15 a log changed outside ($name) is resumed in plan mode, and said; nothing is written",
  async ({ change, told = "changed outside of Groundplan" }) => {
    const stage = await writingStage();
    const { sessionId: id } = await say(stage, "make-one");
    edit(logOf(stage, id), change);
    for (const options of [[], ["--permission-mode", "acceptEdits"], ["--dangerously-skip-permissions"]]) {
      const ended = await say(stage, "make-two", "--resume", id, ...options);
      expect(ended).toMatchObject({ made: false, mode: "plan" });
      const notice = ended.notices.find(({ key }) => key === "log-doubted");
      expect(notice?.text).toContain(options.length === 0 ? told : "changed outside of Groundplan");
      expect(ended.stderr).toContain(notice!.text);
    }
    const hash = "0".repeat(64);
    const refused = await stage.run(["-p", "--resume", id, "--approve", hash]);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("nothing is approved from it");
  },
);

test("B1.15 another session's log under this id, and one from another key, are not believed", async () => {
  const stage = await writingStage();
  const { sessionId: id } = await say(stage, "make-one", "--permission-mode", "acceptEdits");
  const other = "0fed8a6e-2222-4333-8444-555566667777";
  writeFileSync(logOf(stage, other), readFileSync(logOf(stage, id)));
  expect(await say(stage, "make-two", "--resume", other)).toMatchObject({ made: false, mode: "plan" });
  expect(await say(stage, "make-three", "--resume", id)).toMatchObject({ made: true, mode: "acceptEdits" });
  writeFileSync(join(stage.home, "log.key"), `${"ab".repeat(32)}\n`);
  expect(await say(stage, "make-four", "--resume", id)).toMatchObject({ made: false, mode: "plan" });
});

test("R14.5 a log whose last line was cut off is believed, again and again", async () => {
  const stage = await writingStage();
  const { sessionId: id } = await say(stage, "make-one", "--permission-mode", "acceptEdits");
  const path = logOf(stage, id);
  for (const word of ["make-two", "make-three"]) {
    writeFileSync(path, `${readFileSync(path, "utf8")}{"v":1,"seal":"00000000000000000000000000000000","at":1,"ev`);
    expect(await say(stage, word, "--resume", id)).toMatchObject({ made: true, mode: "acceptEdits" });
  }
});

test("B1.15 an edited log rebuilds no file outside of the plans", async () => {
  const stage = await writingStage();
  const { sessionId: id } = await say(stage, "make-one", "--permission-mode", "plan");
  const planted = join(stage.repository, "planted.md");
  edit(logOf(stage, id), (text) => {
    const claimed = { type: "plan-claimed", slug: "planted", file: planted, origin: { branch: null, commit: null } };
    const saved = { type: "plan-saved", text: "# Planted\n", by: "model", at: 1 };
    const lines = text.split("\n").filter((line) => !line.includes('"plan-claimed"') && !line.includes("plan-claim-"));
    const at = lines.findIndex((line) => line.includes('"user-said"')) + 1;
    const forged = [claimed, saved].map((event) => JSON.stringify({ v: 1, at: 1, event }));
    return lines.toSpliced(at, 0, ...forged).join("\n");
  });
  const { mode } = await say(stage, "make-two", "--resume", id);
  expect(mode).toBe("plan");
  expect(existsSync(planted)).toBe(false);
});
