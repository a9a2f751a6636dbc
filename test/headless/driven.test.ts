/** A session driven by another program, whatever that program does: odd lines, a reader that is gone, a signal. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { publicEventShape } from "../../src/agent/ports/event-shapes.ts";
import { drive, type Event } from "./driving.ts";
import { openStage, planFileIn, stageWith, type StageOptions } from "./program.ts";

const said = (text: string) => (event: Event) => event.type === "message" && event["text"] === text;

test("R16.2 lines that are broken, too long or unknown are refused by name, and the session goes on", async () => {
  const stage = await stageWith((request) => {
    const body = JSON.stringify(request.body);
    return { text: body.includes("LAST") ? "Both heard." : "Heard." };
  });
  const session = drive(stage);
  session.send("{ not json");
  session.send({ type: "nonsense" });
  session.send({ type: "permission", id: "q9", allow: true });
  session.send(`{"type":"user","text":"${"x".repeat(17 * 1024 * 1024)}"}`);
  session.send('{"type":"user","text":"one\u2028line \\ud800 \u0000 here"}'.replace("\u0000", "\\u0000"));
  await session.until(said("Heard."));
  session.send({ type: "user", text: "LAST 🦊 ‮x" });
  await session.until(said("Both heard."));
  session.child.stdin.end();
  expect(await session.ended).toBe(0);
  const refused = session.events().filter(({ type }) => type === "refused");
  expect(refused.map(({ event, reason }) => [event, reason])).toEqual([
    ["line", "this line is not JSON"],
    ["line", expect.stringContaining("type")],
    ["permission", "nothing waits for that answer"],
    ["line", "this line is longer than 16 MiB"],
  ]);
  for (const [at, what] of ["not JSON", "type", "nothing waits", "longer than"].entries())
    expect(session.stderr()).toMatch(new RegExp(`stdin line ${at + 1}: .*${what}`));
  for (const event of session.events()) expect(publicEventShape.safeParse(event).error).toBe(undefined);
  expect(session.events().find(({ type }) => type === "user")!["text"]).toBe("one\u2028line \uFFFD \u0000 here");
});

test("R4.1 a slash command on a user line is carried out or refused by name, and never said to the model", async () => {
  const stage = await stageWith(() => ({ text: "Planning." }));
  const session = drive(stage);
  session.send({ type: "user", text: "/todos" });
  session.send({ type: "user", text: "/model x" });
  session.send({ type: "user", text: "/nonsense now" });
  session.send({ type: "user", text: "/plan look around" });
  await session.until(said("Planning."));
  session.child.stdin.end();
  expect(await session.ended).toBe(0);
  const events = session.events();
  expect(events.filter(({ type }) => type === "command.answered")).toEqual([
    { type: "command.answered", command: "/todos", text: "No todos." },
  ]);
  const refused = events.flatMap(({ type, reason }) => (type === "refused" ? [reason] : []));
  expect(refused).toEqual([expect.stringContaining("--model"), expect.stringContaining("Unknown command: /nonsense")]);
  expect(events.filter(({ type }) => type === "plan.entered")).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ type: "result", mode: "plan", result: "Planning." });
  expect(stage.server.requests).toHaveLength(1);
  expect(JSON.stringify(stage.server.requests[0]!.body)).not.toContain("/plan look");
});

test("B2.1 R16.2 what does not count is said on stderr, too: words that are none, another hash, a mode that is not to be had", async () => {
  const stage = await stageWith(planner);
  const session = drive(stage, ["--permission-mode", "plan"]);
  session.send({ type: "user", text: " " });
  session.send({ type: "user", text: "/nonsense" });
  session.send({ type: "user", text: "plan it" });
  const { id, hash, choices } = await session.until(({ type }) => type === "plan.submitted");
  session.send({ type: "verdict", id, hash: "0".repeat(64), kind: "approve" });
  session.send({ type: "verdict", id, hash, kind: "approve", mode: "bypassPermissions" });
  const fresh = (choices as readonly { kind: string }[]).find(({ kind }) => kind === "approve-fresh");
  session.send({ ...fresh, type: "verdict", id, hash });
  await session.until(({ type }) => type === "session.linked");
  session.child.stdin.end();
  await session.ended;
  const reasons = session.events().flatMap(({ type, reason }) => (type === "refused" ? [reason] : []));
  const unknown = "Unknown command: /nonsense. Nothing was sent.";
  expect(reasons).toEqual(["there are no words in it", unknown, "other-hash", "mode-not-available"]);
  const lines = session.stderr().split("\n");
  expect(lines.filter((line) => line.includes("stdin line"))).toEqual([
    "groundplan: stdin line 1: there are no words in it; ignored.",
    "groundplan: stdin line 2: Unknown command: /nonsense. Nothing was sent; ignored.",
    "groundplan: stdin line 4: the plan that waits has another hash, nothing was approved; ignored.",
    "groundplan: stdin line 5: that mode is not available here, nothing was approved; ignored.",
  ]);
});

test("B2.6 a signal ends a driven run although its stdin stays open", async () => {
  const stage = await stageWith(() => ({ text: "There." }));
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const session = drive(stage, ["hello"]);
    await session.until(said("There."));
    session.child.kill(signal);
    expect(await session.ended).toBe(130);
    expect(session.events().at(-1)).toMatchObject({ type: "result", status: "interrupted" });
  }
});

test("B2.6 a reader that is gone ends a driven run, also in the middle of a turn; the log loads", async () => {
  const stage = await stageWith((_, turn) => (turn === 1 ? { text: "There." } : { text: "Again." }));
  const session = drive(stage, ["hello"]);
  await session.until(said("There."));
  const { sessionId } = session.events().find(({ type }) => type === "session.started")!;
  session.child.stdout.destroy();
  /** Other programs that are started meanwhile may hold our end of the pipe for a moment: it is gone a little later. */
  const asking = setInterval(() => session.send({ type: "user", text: "anybody?" }), 100);
  expect(await session.ended.finally(() => clearInterval(asking))).toBe(130);
  const again = await stage.run(["-p", "hi", "--resume", String(sessionId)]);
  expect(again).toMatchObject({ code: 0, stdout: "Again.\n" });
});

/** Writes a plan, submits it, says that it is done. */
const planner: StageOptions["script"] = (request, turn) => {
  if (turn === 1) {
    const file_path = planFileIn(JSON.stringify(request.body));
    return { calls: [{ tool: "Write", input: { file_path, content: "# Plan\n\n1. Look\n" } }] };
  }
  return turn === 2 ? { calls: [{ tool: "ExitPlanMode", input: {} }] } : { text: "Done." };
};

test("R7.8 R6.5 a channel drives a session under its name: its approval is kept as its own, with the typed output", async () => {
  const stage = await stageWith(planner);
  const session = drive(stage, ["--channel", "chat.one", "--permission-mode", "plan", "plan it"]);
  const { id, hash, path } = await session.until(({ type }) => type === "plan.submitted");
  const text = "# Plan\n\n1. Look twice\n";
  session.send({ type: "permission", id, allow: true });
  expect(await session.until(({ type }) => type === "refused")).toMatchObject({ event: "permission" });
  session.send({ type: "verdict", id, hash, kind: "approve", mode: "acceptEdits", plan: text });
  const approved = await session.until(({ type }) => type === "plan.approved");
  const edited = createHash("sha256").update(text).digest("hex");
  expect(approved).toMatchObject({ path, hash: edited, mode: "acceptEdits", edited: true });
  expect(approved["output"]).toEqual({
    plan: text,
    isAgent: false,
    filePath: path,
    hasTaskTool: true,
    planWasEdited: true,
  });
  await session.until(said("Done."));
  session.child.stdin.end();
  expect(await session.ended).toBe(0);
  for (const event of session.events()) expect(publicEventShape.safeParse(event).error).toBe(undefined);
  expect((await stage.run(["plans", "show", String(path)])).stdout).toContain("chat.one");
});

test("B8.5 a question that is called as something every object has is not answered by that, and the other answers count", async () => {
  const options = ["Euro", "Yen"].map((label) => ({ label, description: label }));
  const questions = ["Which?", "constructor", "__proto__"].map((question) => ({ question, header: "Name", options }));
  const stage = await stageWith((_, turn) =>
    turn === 1 ? { calls: [{ tool: "AskUserQuestion", input: { questions } }] } : { text: "Done." },
  );
  const session = drive(stage, ["--permission-mode", "plan", "plan it"]);
  const { id } = await session.until(({ type }) => type === "question.requested");
  session.send({ type: "question", id, answers: { "Which?": "Yen" } });
  expect(await session.until(({ type }) => type === "tool.finished")).toMatchObject({ isError: false });
  await session.until(said("Done."));
  session.child.stdin.end();
  expect(await session.ended).toBe(0);
  const told = JSON.stringify(stage.server.requests.at(-1)!.body);
  expect([told.includes("→ Yen"), told.includes("native code")]).toEqual([true, false]);
});

test("B2.6 B8.5 a driving program answers questions once: the second answer is refused by the session, and hears whose was taken", async () => {
  const options = ["Euro", "Yen"].map((label) => ({ label, description: label }));
  const question = { question: "Which currency?", header: "Currency", options };
  const stage = await stageWith((_, turn) =>
    turn === 1 ? { calls: [{ tool: "AskUserQuestion", input: { questions: [question] } }] } : { text: "Done." },
  );
  const session = drive(stage, ["--channel", "chat.one", "--permission-mode", "plan", "plan it"]);
  const { id, questions } = await session.until(({ type }) => type === "question.requested");
  expect(questions).toEqual([{ ...question, multiSelect: false }]);
  const answers = (answer: string) => ({ type: "question", id, answers: { "Which currency?": answer } });
  session.send({ type: "question", id, answers: { Currency: "Euro" } });
  expect(await session.until(({ type }) => type === "refused")).toMatchObject({
    event: "question-answered",
    reason: "foreign-answer",
  });
  session.send(answers("Euro"));
  const closed = await session.until(({ type }) => type === "question.closed");
  expect(closed).toMatchObject({ id, by: { surface: "chat.one" } });
  session.send(answers("Yen"));
  const late = await session.until(({ type, reason }) => type === "refused" && reason !== "foreign-answer");
  expect(late).toMatchObject({
    event: "question-answered",
    reason: "already-answered",
    by: { surface: "chat.one" },
  });
  await session.until(said("Done."));
  session.child.stdin.end();
  expect(await session.ended).toBe(0);
  const told = JSON.stringify(stage.server.requests.at(-1)!.body);
  expect([told.includes("→ Euro"), told.includes("→ Yen")]).toEqual([true, false]);
  for (const event of session.events()) expect(publicEventShape.safeParse(event).error).toBe(undefined);
});

test("R6.5 where a channel cannot show an approval EnterPlanMode is not offered, in a new session and in a resumed one", async () => {
  const stage = await stageWith(() => ({ text: "Hello." }));
  const offered = (): boolean => JSON.stringify(stage.server.requests.at(-1)!.body).includes('"EnterPlanMode"');
  const settings = ["--settings", JSON.stringify({ channels: ["chat"] })];
  const run = async (...args: readonly string[]): Promise<string> => {
    const session = drive(stage, [...args, "hi"]);
    session.child.stdin.end();
    expect(await session.ended).toBe(0);
    return String(session.events().at(-1)!["sessionId"]);
  };
  const id = await run("--channel", "chat");
  expect(offered()).toBe(true);
  await run("--channel", "chat", ...settings, "--resume", id);
  expect(offered()).toBe(false);
  await run("--channel", "chat", ...settings);
  expect(offered()).toBe(false);
  await run("--channel", "page", ...settings);
  expect(offered()).toBe(true);
  await run(...settings);
  expect(offered()).toBe(false);
  const alone = await stage.run(["-p", "hi", "--channel", "chat"]);
  expect(alone).toMatchObject({ code: 2, stdout: "" });
  expect(alone.stderr).toContain("--channel goes with --input-format stream-json");
});

test("R14.1 a driven /compact is answered when it was carried out, and the session listens meanwhile", async () => {
  const summary = new AbortController();
  const held = new Promise((resolve) => summary.signal.addEventListener("abort", resolve));
  const stage = await stageWith(async (_, turn) => {
    if (turn === 2) await held;
    return { text: turn === 1 ? "Hello." : "A summary." };
  });
  const run = drive(stage);
  run.send({ type: "user", text: "hello" });
  await run.until(said("Hello."));
  run.send({ type: "user", text: "/compact" });
  run.send({ type: "user", text: "/todos" });
  await run.until(({ type, command }) => type === "command.answered" && command === "/todos");
  expect(run.events().filter(({ command }) => command === "/compact")).toEqual([]);
  summary.abort();
  const answered = await run.until(({ command }) => command === "/compact");
  expect(answered["text"]).toBe("The conversation was summarised.");
  const order = run.events().map(({ type }) => type);
  expect(order.indexOf("context.compacted")).toBeLessThan(order.lastIndexOf("command.answered"));
  run.child.stdin.end();
  expect(await run.ended).toBe(0);
});

test("R14.1 a driven /compact that fails or is stopped is not said to be done", async () => {
  const stage = await stageWith((_, turn) =>
    turn === 1 ? { text: "Hello." } : turn === 2 ? { status: 400, message: "no summary today" } : { hang: true },
  );
  const run = drive(stage);
  run.send({ type: "user", text: "hello" });
  await run.until(said("Hello."));
  run.send({ type: "user", text: "/compact" });
  const first = await run.until(({ type }) => type === "refused");
  expect(first["reason"]).toMatch(/^\/compact: .*no summary today/);
  run.send({ type: "user", text: "/compact" });
  await run.until(() => run.events().filter(({ type }) => type === "context.compacting").length === 2);
  run.send({ type: "interrupt" });
  const second = await run.until(({ type, reason }) => type === "refused" && reason !== first["reason"]);
  expect(second["reason"]).toBe("/compact: The summary was stopped.");
  run.child.stdin.end();
  await run.ended;
  expect(run.events().filter(({ type }) => type === "command.answered")).toEqual([]);
});

const edit = (old_string: string) => ({ tool: "Edit", input: { file_path: "a.ts", old_string, new_string: "b" } });

test("R17.1 what would fail anyway is not asked about: whoever answers every question is asked for the one edit that can be made", async () => {
  const replies = [
    { calls: ["a.ts", "folder"].map((file_path) => ({ tool: "Write", input: { file_path, content: "x" } })) },
    { calls: ["a.ts", "bad.ipynb"].map((file_path) => ({ tool: "Read", input: { file_path } })) },
    {
      calls: [
        edit("missing"),
        edit("a"),
        { tool: "NotebookEdit", input: { notebook_path: "bad.ipynb", new_source: "x" } },
      ],
    },
    { calls: [edit("const a")] },
    { text: "Done." },
  ];
  const stage = await openStage({
    script: (_, turn) => replies[turn - 1]!,
    files: { "a.ts": "const a = 1; // a\n", "folder/x": "", "bad.ipynb": "no notebook" },
  });
  const session = drive(stage, ["edit"]);
  let answered = 0;
  session.child.stdout.on("data", () => {
    const asked = session.events().filter(({ type }) => type === "permission.requested");
    for (const { id } of asked.slice(answered)) session.send({ type: "permission", id, allow: true });
    answered = asked.length;
  });
  await session.until(said("Done."));
  session.child.stdin.end();
  expect(await session.ended).toBe(0);
  const events = session.events();
  expect(events.filter(({ type }) => /^permission|^refused/.test(type))).toMatchObject([
    { type: "permission.requested", input: { old_string: "const a" } },
    { type: "permission.answered", allowed: true },
  ]);
  expect(events.filter(({ type, isError }) => type === "tool.finished" && isError === true)).toHaveLength(5);
});

test("B2.6 an answer to a question that was taken back is refused, and never said to be the answer", async () => {
  const stage = await stageWith((_, turn) =>
    turn === 1 ? { calls: [{ tool: "Write", input: { file_path: "b.txt", content: "b" } }] } : { text: "Done." },
  );
  const session = drive(stage, ["write"]);
  const { id } = await session.until(({ type }) => type === "permission.requested");
  session.send({ type: "mode", mode: "acceptEdits" });
  await session.until(said("Done."));
  session.send({ type: "permission", id, allow: false });
  await session.until(({ type }) => type === "refused");
  session.child.stdin.end();
  expect(await session.ended).toBe(0);
  const heard = session.events().flatMap(({ type }) => (/^permission|^refused|^tool/.test(type) ? [type] : []));
  expect(heard).toEqual(["permission.requested", "tool.started", "permission.withdrawn", "tool.finished", "refused"]);
});

test("R11.1 a mode that is refused is said: to the driver, on stderr and in the result", async () => {
  const stage = await stageWith(() => ({ text: "Done." }));
  const session = drive(stage);
  session.send({ type: "mode", mode: "auto" });
  session.send({ type: "user", text: "hi" });
  await session.until(said("Done."));
  session.child.stdin.end();
  expect(await session.ended).toBe(0);
  const told = { key: "mode-refused", text: expect.stringContaining("mode stays as it is · auto: ") as string };
  const events = session.events();
  expect(events).toContainEqual(expect.objectContaining({ type: "notification", ...told }));
  expect(events.at(-1)).toMatchObject({ type: "result", mode: "default", notices: [told] });
  expect(session.stderr()).toContain("mode stays as it is · auto: ");
});
