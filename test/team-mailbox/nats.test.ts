/** The NATS mailbox keeps the contract on a real cluster of three servers, one of which is killed and comes back. */
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe } from "vitest";
import { describeMailbox } from "./conformance.ts";
import { startNats, type NatsServers } from "./nats-servers.ts";
import { needs } from "../support/needs.ts";

describe("three NATS servers", needs("nats-server"), () => {
  let servers: NatsServers;
  beforeAll(async () => {
    servers = await startNats(3);
  });
  afterAll(() => servers.stop());

  describeMailbox({
    name: "NATS",
    place: () => ({ kind: "nats", url: servers.url, deployment: "test" }),
    async interrupt() {
      const [, second] = servers.nodes;
      await pause(200);
      await second!.kill();
      await pause(1000);
      await second!.start();
    },
  });
});
