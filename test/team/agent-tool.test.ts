/** The Agent tool with a name: a teammate inside of the session, with an inbox of its own and under the session's gate. */
import { expect, test } from "vitest";
import type { SessionHandle, TeamNews } from "../../src/agent/ports/handle.ts";
import type { Person } from "../../src/agent/ports/ports.ts";
import { defaultSettings } from "../../src/core/settings/settings.ts";
import type { Mode } from "../../src/core/mode.ts";
import { leadingPart } from "../../src/program/team/compose-lead.ts";
import {
  approveShown,
  scriptedModel,
  scriptedPerson,
  startHarness,
  type Harness,
  type ScriptedStep,
} from "../../src/testing/index.ts";
import { agentsOf, answersIn, spawns, starts } from "../scenarios/agents.ts";
import { answerTo, eventually, homeFolder, incoming, plan, planThenWork, sealedFiles } from "./story.ts";

interface Staged {
  readonly harness: Harness;
  readonly home: string;
  readonly news: readonly TeamNews[];
  readonly close: () => Promise<void>;
}

async function stage(options: {
  readonly person: Person;
  readonly mode?: Mode;
  readonly parent: readonly ScriptedStep[];
  readonly child?: readonly ScriptedStep[];
}): Promise<Staged> {
  const { person, mode = "acceptEdits", parent, child = planThenWork } = options;
  const home = homeFolder();
  const news: TeamNews[] = [];
  const part = leadingPart(
    {
      settings: defaultSettings,
      home,
      environment: {},
      beginning: { past: [], next: [] },
      wish: { approve: null, prompt: null },
      person,
      tell: () => undefined,
      listen: (happening) => void (happening.kind === "team" && news.push(happening.news)),
    },
    null,
  );
  const session: { handle?: SessionHandle } = {};
  const harness = await startHarness({
    model: scriptedModel(...parent),
    person,
    mode,
    now: Date.now,
    agents: { modelFor: () => scriptedModel(...child), team: part.host! },
  });
  session.handle = harness.session;
  part.begin(harness.session);
  return { harness, home, news, close: () => part.close() };
}

const mate = spawns("general-purpose", { name: "bo", mode: "plan" });

test("R2.5 R12.1 R12.2 a teammate with mode plan plans, its plan comes to the session's own review, and only then it works", async () => {
  const person = scriptedPerson({
    reviews: [
      (request) => (
        expect(harness.files.contents.has("/repo/app.ts")).toBe(false),
        { kind: "approve", hash: request.hash, mode: "acceptEdits" }
      ),
    ],
  });
  const { harness, close } = await stage({ person, parent: starts(mate) });
  await harness.say("let bo do it");
  expect(person.reviewed.map(({ agent, plan: shown }) => ({ agent, shown }))).toEqual([
    { agent: "bo@default", shown: plan },
  ]);
  const [child] = agentsOf(harness);
  expect(child!.actor).toMatchObject({ kind: "teammate", name: "bo", team: "default", planRequired: true });
  expect(child!.permissions.mode).toEqual({ current: "acceptEdits" });
  expect(harness.files.contents.get("/repo/app.ts")).toBe("done");
  expect(answersIn(harness)).toEqual([{ text: "Done.", isError: false }]);
  await close();
});

test("B1.7 it gets no more than the session has: accept edits under a session that asks for each is narrowed", async () => {
  const person = scriptedPerson({ reviews: [approveShown({ mode: "acceptEdits" })], permit: () => false });
  const { harness, close } = await stage({ person, mode: "default", parent: starts(mate) });
  await harness.say("let bo do it");
  const [child] = agentsOf(harness);
  expect([child!.permissions.mode, harness.files.contents.has("/repo/app.ts")]).toEqual([
    { current: "default" },
    false,
  ]);
  await close();
});

test("B1.7 a planning session starts only teammates that narrow: one that must plan, and none that may work", async () => {
  const person = scriptedPerson();
  const parent = starts(spawns("general-purpose", { name: "cy" }), mate);
  const { harness, home, close } = await stage({ person, mode: "plan", parent, child: planThenWork });
  const said = harness.say("plan with help");
  const mailbox = await sealedFiles(home);
  const request = await incoming(mailbox);
  expect(harness.seen.filter((event) => event.type === "tool.denied").map(({ code }) => code)).toEqual(["plan-spawn"]);
  const yes = {
    from: "team-lead",
    text: JSON.stringify(answerTo(request.id, true)),
    timestamp: request.message.timestamp,
  };
  const bo = { team: "default", agent: "bo" };
  expect(await mailbox.send(bo, yes, { id: "yes" })).toEqual({ kind: "sent" });
  await eventually(async () => (await mailbox.peek(bo)).length === 0, "the yes is taken");
  expect([agentsOf(harness)[0]!.permissions.mode.current, harness.files.contents.has("/repo/app.ts")]).toEqual([
    "plan",
    false,
  ]);
  await harness.session.send({ type: "mode-chosen", mode: "acceptEdits" });
  await said;
  expect([agentsOf(harness)[0]!.permissions.mode.current, harness.files.contents.has("/repo/app.ts")]).toEqual([
    "default",
    false,
  ]);
  await close();
});

test("B1.7 while the session plans, a yes to its own teammate is not offered", async () => {
  const person = scriptedPerson({ reviews: [{ kind: "dismiss" }] });
  const { harness, close } = await stage({ person, mode: "plan", parent: starts(mate) });
  const said = harness.say("plan with help");
  await eventually(() => person.reviewed.length === 1, "it is shown");
  expect(person.reviewed[0]!.choices).toEqual([{ kind: "revise" }]);
  harness.session.close();
  await said;
  await close();
});

test("R12.4 a name that cannot be one, or that is taken, starts nobody and says why", async () => {
  const parent = starts(
    spawns("general-purpose", { name: "../x" }),
    spawns("general-purpose", { name: "team-lead" }),
    spawns("general-purpose", { team_name: "red" }),
  );
  const { harness, close } = await stage({ person: scriptedPerson(), parent, child: ["Done."] });
  await harness.say("go");
  expect(answersIn(harness).map(({ text, isError }) => [text.slice(0, 60), isError])).toEqual([
    ["A teammate needs a name: nothing was started. Call Agent wit", true],
    ['The teammate was not started: "../x" cannot name a team or a', true],
    ["The teammate was not started: team-lead is the lead's own na", true],
  ]);
  await close();
});

test("R12.3 a teammate without mode plan may plan by itself, and leaves by itself", async () => {
  const child: readonly ScriptedStep[] = [
    { tool: "EnterPlanMode" },
    planThenWork[0]!,
    { tool: "ExitPlanMode" },
    "Planned and left.",
  ];
  const person = scriptedPerson();
  const { harness, close } = await stage({ person, parent: starts(spawns("general-purpose", { name: "bo" })), child });
  await harness.say("go");
  const [session] = agentsOf(harness);
  expect([session!.permissions.mode, person.reviewed, answersIn(harness)[0]!.text]).toEqual([
    { current: "acceptEdits" },
    [],
    "Planned and left.",
  ]);
  await close();
});
