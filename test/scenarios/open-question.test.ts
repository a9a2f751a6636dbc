/** A question that was open when the process died is asked again after the resume. */
import { expect, test } from "vitest";
import { items } from "../../src/core/chain.ts";
import { scriptedModel, scriptedPerson, startHarness, type Harness } from "../../src/testing/index.ts";

const question = {
  question: "Which store?",
  header: "Store",
  options: [
    { label: "Files", description: "plain files" },
    { label: "SQLite", description: "one file" },
  ],
  multiSelect: false,
};

async function closedWhileAsking(): Promise<Harness> {
  const ask = { tool: "AskUserQuestion", input: { questions: [question] } };
  const silent = { ...scriptedPerson(), answer: () => new Promise<never>(() => undefined) };
  const harness = await startHarness({ model: scriptedModel(ask), mode: "plan", person: silent });
  await harness.session.send({ type: "user-said", text: "plan it" });
  while (harness.session.state.turn.open[0]?.state.kind !== "questioning")
    await new Promise((resolve) => setImmediate(resolve));
  harness.session.close();
  return harness;
}

test("R14.6 B8.5 an open question comes back after a crash, and the answer reaches the model", async () => {
  const first = await closedWhileAsking();

  const asked: string[] = [];
  const person = scriptedPerson({
    answer: ([one]) => {
      asked.push(one!.question);
      return { status: "answered", answers: { [one!.question]: "SQLite" } };
    },
  });
  const again = await startHarness({ model: scriptedModel("Noted."), person, past: first.log, files: first.files });
  await again.session.settled();
  expect(asked).toEqual(["Which store?"]);
  const results = items(again.session.state.transcript).filter((entry) => entry.kind === "result");
  expect(JSON.stringify(results)).toContain("SQLite");
  expect(again.session.state.permissions.mode).toEqual({ current: "plan", returnTo: "default" });
});

test("R14.6 B8.5 what the person answered before the crash is not asked again", async () => {
  const ask = { tool: "AskUserQuestion", input: { questions: [question] } };
  const answering = scriptedPerson({
    answer: () => ({ status: "answered", answers: { [question.question]: "SQLite" } }),
  });
  const first = await startHarness({ model: scriptedModel(ask, "Noted."), mode: "plan", person: answering });
  await first.say("plan it");
  first.session.close();
  const upTo = first.log.findIndex(({ type }) => type === "question-answered") + 1;
  expect(upTo).toBeGreaterThan(0);

  const again = await startHarness({
    model: scriptedModel("Noted."),
    person: scriptedPerson({ answer: () => expect.unreachable("asked again") }),
    past: first.log.slice(0, upTo),
    files: first.files,
  });
  await again.session.settled();
  const results = items(again.session.state.transcript).filter((entry) => entry.kind === "result");
  expect(JSON.stringify(results)).toContain("SQLite");
});

test("R14.6 B8.5 a question that was open in a log from before questions were state is asked again, too", async () => {
  const first = await closedWhileAsking();
  const old = first.log.map((event) =>
    event.type === "model-replied"
      ? { ...event, calls: event.calls.map((call) => ({ ...call, access: { kind: "ask-user" } as const })) }
      : event,
  );
  const again = await startHarness({
    model: scriptedModel("Noted."),
    person: scriptedPerson({ answer: () => ({ status: "answered", answers: { [question.question]: "SQLite" } }) }),
    past: old,
    files: first.files,
  });
  await again.session.settled();
  const results = items(again.session.state.transcript).filter((entry) => entry.kind === "result");
  expect(JSON.stringify(results)).toContain("SQLite");
});
