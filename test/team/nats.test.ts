/** Teams over NATS: the same stories across machines, also when the node that leads the stream dies in the middle. */
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Person } from "../../src/agent/ports/ports.ts";
import { attachLead } from "../../src/program/team/lead.ts";
import { createNatsMailbox } from "../../src/mail/nats/mailbox.ts";
import type { Mailbox } from "../../src/mail/mailbox.ts";
import { lookAtInbox } from "../../src/program/team/requests.ts";
import { scriptedPerson, type ScriptedStep } from "../../src/testing/index.ts";
import { finish, planFileIn, setStage, treeHashes } from "../headless/program.ts";
import { writePlan } from "../scenarios/plan-writer.ts";
import { startNats, type NatsNode, type NatsServers } from "../team-mailbox/nats-servers.ts";
import { anHour, eventually, tellStory, verdictsOf } from "./story.ts";
import { needs } from "../support/needs.ts";
import { patience } from "../support/until.ts";

const by = { user: "ada", surface: "terminal" };
const mates = Array.from({ length: 10 }, (_, index) => `mate-${index}`);
const plansEach = 3;

describe("a team across machines", needs("nats-server"), () => {
  let servers: NatsServers;
  const opened: Mailbox[] = [];
  const open = (patienceMs = patience): Mailbox => {
    const mailbox = createNatsMailbox({ url: servers.url, environment: {}, patienceMs, takeoverMs: 5_000 });
    opened.push(mailbox);
    return mailbox;
  };
  beforeAll(async () => {
    servers = await startNats(3);
  });
  afterAll(async () => {
    await Promise.all(opened.map((mailbox) => mailbox.close()));
    await servers.stop();
  });

  test("B9.2 R12.2 the program: a teammate in one process, the lead in another, nothing shared but NATS and the team's secret", async () => {
    const stage = await setStage({ script: (request, turn) => turnOf(JSON.stringify(request.body), turn) });
    const settings = ["--settings", JSON.stringify({ team: { transport: "nats", natsUrl: servers.url } })];
    const before = treeHashes(stage.repository);
    const args = [
      "team",
      "start",
      "zoe",
      "add b",
      "--team",
      "red",
      "--plan-required",
      "--permission-mode",
      "acceptEdits",
    ];
    const secret = join(stage.home, "../team-secret");
    writeFileSync(secret, `${"s".repeat(40)}\n`, { mode: 0o600 });
    const here = { GROUNDPLAN_TEAM_SECRET_FILE: secret };
    const ran = finish(stage.start([...args, ...settings], { environment: here }), "");
    const elsewhere = { environment: { ...here, GROUNDPLAN_HOME: join(stage.home, "lead") } };
    const lead = async (...words: string[]) => {
      for (let tries = 1; ; tries += 1) {
        const ran = await stage.run(["team", ...words, "--team", "red", ...settings], elsewhere);
        if (tries === 5 || !/No (?:acknowledgement|connection within)/.test(ran.stderr)) return ran;
      }
    };
    await eventually(async () => (await lead("inbox")).stdout.includes("zoe@red"), "the plan");
    const stranger = await stage.run(["team", "inbox", "--team", "red", ...settings], {
      environment: { GROUNDPLAN_HOME: join(stage.home, "stranger") },
    });
    expect([stranger.stdout.includes("zoe@red"), stranger.stderr]).toEqual([
      false,
      expect.stringContaining("the members of a team share one secret"),
    ]);
    expect([(await lead("show", "zoe")).stdout, treeHashes(stage.repository)]).toEqual([
      expect.stringContaining("1. Create `b.ts`"),
      before,
    ]);
    expect((await lead("status")).stdout).toContain("zoe  awaiting_approval");
    expect(await lead("approve", "zoe")).toMatchObject({ code: 0 });
    expect([(await ran).code, existsSync(join(stage.repository, "b.ts"))]).toEqual([0, true]);
    await stage.close();
  });

  test("B9.1 B9.2 ten teammates, each sent back twice, then approved; the leading node killed with -9 meanwhile", async () => {
    const shown = new Map<string, number>();
    let answers = 0;
    let killed = "";
    const person: Person = {
      ...scriptedPerson(),
      async review({ agent, hash }) {
        const times = (shown.get(agent!) ?? 0) + 1;
        shown.set(agent!, times);
        answers += 1;
        if (answers === 8) {
          const leader = await leaderOf(servers);
          killed = leader.name;
          await leader.kill();
        }
        const verdict =
          times < plansEach
            ? ({ kind: "revise", feedback: `Again, ${times}.` } as const)
            : ({ kind: "approve", hash } as const);
        return { verdict, by };
      },
    };
    const lead = attachLead({
      mailbox: open(),
      team: "default",
      person,
      now: Date.now,
      tell: () => undefined,
      everyMs: 50,
    });
    const stories = await Promise.all(mates.map((name) => tellStory({ name, mailbox: open(), steps: revisedSteps })));
    await Promise.all(stories.map((story) => story.harness.session.send({ type: "user-said", text: "write app.ts" })));
    await Promise.all(stories.map((story) => story.settled()));
    await lead.close();
    expect(killed).toMatch(/^n[123]-/);
    expect(stories.map(verdictsOf)).toEqual(mates.map(() => ["revise", "revise", "approve"]));
    expect(stories.map((story) => story.tree())).toEqual(
      mates.map(() => ({ "/repo/README.md": "# Repo\n", "/repo/app.ts": "done" })),
    );
    const plans = stories.map(({ harness }) => harness.session.state.plans[0]!.decisions.length);
    expect(plans).toEqual(mates.map(() => plansEach));
    stories.forEach((story) => story.vanish());
  });

  test("B9.1 most nodes dead: the plan is not claimed as sent, and the teammate still ends at its deadline, unapproved", async () => {
    for (const node of servers.nodes.slice(0, 2)) await node.kill();
    const mailbox = createNatsMailbox({ url: servers.url, environment: {}, patienceMs: 1_000 });
    opened.push(mailbox);
    const story = await tellStory({ name: "late", mailbox, everyMs: 20 });
    await story.harness.session.send({ type: "user-said", text: "write app.ts" });
    await eventually(() => story.news.some(({ type }) => type === "team.connection"), "word of the connection");
    story.timePasses(anHour);
    await story.settled();
    expect([verdictsOf(story), Object.keys(story.tree())]).toEqual([["dismiss"], ["/repo/README.md"]]);
    story.vanish();
    await Promise.all(servers.nodes.slice(0, 2).map((node) => node.start()));
    /** On a busy machine it takes its time until they agree on a leader again. */
    expect((await lookAtInbox(open(), "default", Date.now())).pending).toEqual([]);
  });
});

/** Submits, is sent back twice, is approved, works. */
const revisedSteps: readonly ScriptedStep[] = [
  ...[1, 2, 3].flatMap((number): readonly ScriptedStep[] => [
    writePlan(`# Plan\n${"1. write `app.ts`\n".repeat(number)}`),
    { tool: "ExitPlanMode" },
    "I wait.",
  ]),
  { tool: "Write", input: { file_path: "/repo/app.ts", content: "done" } },
  "Done.",
];

function turnOf(body: string, turn: number) {
  if (turn === 1)
    return {
      calls: [{ tool: "Write", input: { file_path: planFileIn(body), content: "# Add b\n\n1. Create `b.ts`\n" } }],
    };
  if (turn === 2) return { calls: [{ tool: "ExitPlanMode", input: {} }] };
  if (turn === 3) return { text: "I wait." };
  if (turn === 4) return { calls: [{ tool: "Write", input: { file_path: "b.ts", content: "export const b = 2;\n" } }] };
  return { text: "Done." };
}

/** The node that leads the stream now. */
async function leaderOf(servers: NatsServers): Promise<NatsNode> {
  const connection = await connect({ servers: servers.url.split(",") });
  try {
    const { cluster } = await (await jetstreamManager(connection)).streams.info("groundplan_team");
    return servers.nodes.find(({ name }) => name === cluster?.leader)!;
  } finally {
    await connection.close();
  }
}
