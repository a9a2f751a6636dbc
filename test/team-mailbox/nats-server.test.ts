/** What only a NATS server can bring about: forgotten ids, foreign messages, pieces of long texts, a stream made by somebody else. */
import { jetstream, jetstreamManager, type JetStreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Letter, Mailbox } from "../../src/mail/mailbox.ts";
import { createNatsMailbox } from "../../src/mail/nats/mailbox.ts";
import { startNats, type NatsServers } from "./nats-servers.ts";
import { needs } from "../support/needs.ts";

const lead = { team: "default", agent: "team-lead" };
const subject = "groundplan.team.default.team-lead";
const first: Letter = { from: "mate", text: '{"n":1}', timestamp: "2026-01-02T03:04:05.678Z", id: "1" };
const second: Letter = { ...first, text: '{"n":2}', id: "2" };

describe("one NATS server", needs("nats-server"), () => {
  let servers: NatsServers;
  let connection: NatsConnection;
  let manager: JetStreamManager;
  let mailbox: Mailbox;
  let problems: string[];
  const publish = (text: string) => jetstream(connection).publish(subject, text);
  const kept = async () => (await manager.streams.info("KV_groundplan_plans")).state.messages;
  beforeAll(async () => {
    servers = await startNats(1);
    connection = await connect({ servers: servers.url });
    manager = await jetstreamManager(connection);
  });
  beforeEach(() => {
    problems = [];
    mailbox = createNatsMailbox({ url: servers.url, environment: {}, report: (problem) => problems.push(problem) });
  });
  afterEach(() => mailbox.close());
  afterAll(async () => {
    await connection.close();
    await servers.stop();
  });

  test("B9.2 a message whose id the servers have forgotten is still delivered once", async () => {
    await mailbox.send(lead, first, first);
    expect(await drain(mailbox)).toEqual([first]);
    await jetstream(connection).publish(subject, JSON.stringify(first), { msgID: "as if a day had passed" });
    await jetstream(connection).publish(subject, JSON.stringify(second), { msgID: "first copy" });
    await jetstream(connection).publish(subject, JSON.stringify(second), { msgID: "second copy" });
    expect(await drain(mailbox)).toEqual([second]);
    expect((await manager.streams.info("groundplan_team")).state.messages).toBe(0);
  });

  test("a message that is no letter is left out and told of", async () => {
    for (const text of ["", "{", "[]", '{"id":"x"}', JSON.stringify({ ...first, text: 7 })]) await publish(text);
    await publish(
      JSON.stringify({ ...first, id: "3", text: undefined, pieces: { key: "0".repeat(32), count: 2, hash: "" } }),
    );
    await mailbox.send(lead, first, { id: "4" });
    expect(await mailbox.peek(lead)).toEqual([{ ...first, id: "4" }]);
    expect(await drain(mailbox)).toEqual([{ ...first, id: "4" }]);
    expect(problems).toEqual([
      ...Array.from({ length: 5 }, () => `A message on ${subject} is no letter and is left out.`),
      "The text of the message 3 is gone from the servers; the message is left out.",
    ]);
  });

  test("the pieces of a long text are gone from the servers once it was taken", async () => {
    const long = { ...first, text: JSON.stringify("x".repeat(3_000_000)), id: "long" };
    const before = await kept();
    await mailbox.send(lead, long, long);
    expect(await kept()).toBe(before + 6);
    expect(await drain(mailbox)).toEqual([long]);
    expect(await kept()).toBe(before);
  });

  test("keeps the newest 64 revisions of a plan", async () => {
    const key = { team: "default", plan: "many" };
    for (let revision = 0; revision < 66; revision += 1) {
      await mailbox.snapshots.put(key, `revision ${revision + 1}`, { expected: revision });
    }
    expect(await mailbox.snapshots.get(key, 2)).toBe(null);
    expect(await mailbox.snapshots.get(key, 3)).toEqual({ revision: 3, text: "revision 3" });
    expect(await mailbox.snapshots.get(key)).toEqual({ revision: 66, text: "revision 66" });
  });

  test("tells when a stream that is there already is kept fewer times than was asked for", async () => {
    const other = createNatsMailbox({
      url: servers.url,
      environment: {},
      replicas: 3,
      report: (problem) => problems.push(problem),
    });
    await other.send(lead, first, { id: "5" });
    await other.close();
    expect(problems[0]).toBe("The NATS stream groundplan_team is kept 1 time(s) only, not 3.");
  });
});

/** Everything that is there now. */
async function drain(mailbox: Mailbox): Promise<readonly Letter[]> {
  const heard: Letter[] = [];
  const ending = new AbortController();
  await mailbox.receive(lead, async (letter) => void heard.push(letter), {
    signal: ending.signal,
    whenEmpty: () => ending.abort(),
  });
  return heard;
}
