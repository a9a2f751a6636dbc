/** The stream's leader is killed while plans are submitted and answered; then most of the cluster is dead: nothing lost, doubled or claimed. */
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Connection, Letter, Mailbox } from "../../src/mail/mailbox.ts";
import { createNatsMailbox } from "../../src/mail/nats/mailbox.ts";
import { startNats, type NatsNode, type NatsServers } from "./nats-servers.ts";
import { needs } from "../support/needs.ts";
import { patience, until } from "../support/until.ts";

const teammates = 10;
const plansEach = 30;
const lead = { team: "default", agent: "team-lead" };

describe("three NATS servers in trouble", needs("nats-server"), () => {
  let servers: NatsServers;
  let opened: Mailbox[] = [];
  const open = (patienceMs = patience): Mailbox => {
    const mailbox = createNatsMailbox({ url: servers.url, environment: {}, patienceMs, takeoverMs: 5000 });
    opened.push(mailbox);
    return mailbox;
  };
  beforeAll(async () => {
    servers = await startNats(3);
  });
  afterEach(async () => {
    await Promise.all(opened.map((mailbox) => mailbox.close()));
    opened = [];
  });
  afterAll(() => servers.stop());

  test("B9.2 the leader killed with -9 while 10 teammates submit 300 plans: 300 requests, 300 answers, each effective once", async () => {
    const requests: string[] = [];
    const answers: string[] = [];
    const ending = new AbortController();
    let killed: NatsNode | null = null;
    const desk = open();
    const answering = desk.receive(
      lead,
      async ({ from, id }) => {
        requests.push(id);
        if (requests.length === 100) {
          killed = await leaderOf(servers);
          await killed.kill();
        }
        const answer = message("team-lead", { type: "plan_approval_response", requestId: id, approve: true });
        expect(await desk.send({ team: "default", agent: from }, answer, { id: `answer-${id}` })).toEqual({
          kind: "sent",
        });
      },
      { signal: ending.signal },
    );
    await Promise.all(
      Array.from({ length: teammates }, async (_, index) => {
        const name = `mate-${index}`;
        const mailbox = open();
        const answered = inbox(mailbox, name, ending.signal);
        for (let number = 0; number < plansEach; number += 1) {
          const requestId = `plan_approval-${name}@default-${number}`;
          const plan = `# Plan ${number} of ${name}`;
          expect(await mailbox.snapshots.put({ team: "default", plan: name }, plan, { expected: number })).toEqual({
            kind: "kept",
            revision: number + 1,
          });
          const request = message(name, { type: "plan_approval_request", requestId, planContent: plan });
          expect(await mailbox.send(lead, request, { id: requestId })).toEqual({ kind: "sent" });
          const { text } = await answered();
          expect(JSON.parse(text)).toMatchObject({ requestId, approve: true });
          answers.push(requestId);
        }
      }),
    );
    /** The last answer may arrive before its request is acknowledged. */
    await until("nothing waits", async () => (await desk.peek(lead)).length === 0);
    ending.abort();
    expect(await answering).toEqual({ kind: "ended" });
    const all = Array.from(
      { length: teammates * plansEach },
      (_, index) => `plan_approval-mate-${Math.floor(index / plansEach)}@default-${index % plansEach}`,
    );
    expect(requests.toSorted()).toEqual(all.toSorted());
    expect(answers.toSorted()).toEqual(all.toSorted());
    expect(await desk.snapshots.get({ team: "default", plan: "mate-3" })).toEqual({
      revision: 30,
      text: "# Plan 29 of mate-3",
    });
    expect(killed).not.toBe(null);
    await killed!.start();
  });

  test("B9.2 two of three servers dead: refused within the time, nothing claimed, and shown; once they are back it goes through once", async () => {
    const shown: Connection["state"][] = [];
    const mailbox = open(4000);
    mailbox.onConnection(({ state }) => shown.push(state));
    const first = message("mate", { number: 1 });
    expect(await open().send(lead, first, { id: "before" })).toEqual({ kind: "sent" });
    await until("it is sent", async () => (await mailbox.send(lead, first, { id: "first" })).kind === "sent");
    await Promise.all([servers.nodes[0]!.kill(), servers.nodes[2]!.kill()]);

    const [sending, keeping] = await Promise.all([
      mailbox.send(lead, message("mate", { number: 2 }), { id: "second" }),
      mailbox.snapshots.put({ team: "default", plan: "late" }, "late", { expected: 0 }),
    ]);
    const reason = expect.stringMatching(/^No acknowledgement within 4 s \(/) as string;
    expect(sending).toEqual({ kind: "refused", reason, mayArrive: expect.any(Boolean) as boolean });
    expect(keeping).toEqual({ kind: "refused", reason, mayArrive: expect.any(Boolean) as boolean });
    expect(mailbox.connection().state).toBe("reconnecting");

    await Promise.all([servers.nodes[0]!.start(), servers.nodes[2]!.start()]);
    const patient = open();
    expect(await patient.send(lead, message("mate", { number: 2 }), { id: "second" })).toEqual({ kind: "sent" });
    expect(await patient.send(lead, message("mate", { number: 3 }), { id: "third" })).toEqual({ kind: "sent" });
    const heard: string[] = [];
    const ending = new AbortController();
    await patient.receive(
      lead,
      async ({ id }) => {
        heard.push(id);
        if (id === "third") ending.abort();
      },
      { signal: ending.signal },
    );
    expect(heard).toEqual(["before", "first", "second", "third"]);
    expect(shown[0]).toBe("connected");
    expect(shown).toContain("reconnecting");
  });
});

/** Each call gives the next letter of the inbox. */
function inbox(mailbox: Mailbox, agent: string, signal: AbortSignal): () => Promise<Letter> {
  const waiting: Letter[] = [];
  let wake: (() => void) | undefined;
  void mailbox.receive(
    { team: "default", agent },
    async (letter) => {
      waiting.push(letter);
      wake?.();
    },
    { signal },
  );
  return async () => {
    while (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    return waiting.shift()!;
  };
}

function message(from: string, content: Readonly<Record<string, unknown>>) {
  return { from, text: JSON.stringify({ ...content, from }), timestamp: new Date().toISOString() };
}

async function leaderOf(servers: NatsServers): Promise<NatsNode> {
  const connection = await connect({ servers: servers.url.split(",") });
  try {
    const { cluster } = await (await jetstreamManager(connection)).streams.info("groundplan_team");
    return servers.nodes.find(({ name }) => name === cluster?.leader)!;
  } finally {
    await connection.close();
  }
}
