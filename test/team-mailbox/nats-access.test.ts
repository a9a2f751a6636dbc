/** Who we are to the NATS servers: certificates and credentials by the usual names, refused clearly, never told on. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Connection, Mailbox } from "../../src/mail/mailbox.ts";
import { createNatsMailbox, type NatsMailboxOptions } from "../../src/mail/nats/mailbox.ts";
import { openMailbox } from "../../src/mail/open-mailbox.ts";
import { startNats, type NatsServers } from "./nats-servers.ts";
import { needs } from "../support/needs.ts";
import { remove } from "../support/remove.ts";
import { patience, until } from "../support/until.ts";

const lead = { team: "default", agent: "team-lead" };
const hello = { from: "mate", text: "{}", timestamp: "2026-01-02T03:04:05.678Z" };
const secret = "correct horse battery";

let opened: Mailbox[] = [];
let told: (string | Connection)[] = [];
function open(options: Omit<NatsMailboxOptions, "environment"> & { environment?: Record<string, string> }): Mailbox {
  const mailbox = createNatsMailbox({
    environment: {},
    patienceMs: patience,
    report: (problem) => told.push(problem),
    ...options,
  });
  mailbox.onConnection((connection) => told.push(connection));
  opened.push(mailbox);
  return mailbox;
}
afterEach(async () => {
  await Promise.all(opened.map((mailbox) => mailbox.close()));
  expect(JSON.stringify(told)).not.toContain(secret);
  expect(JSON.stringify(told)).not.toContain(encodeURIComponent(secret));
  opened = [];
  told = [];
});

describe("a NATS server with TLS and a password", needs("nats-server", "openssl"), () => {
  let servers: NatsServers;
  let folder = "";
  const file = (name: string): string => join(folder, name);
  const address = (scheme: string, user = ""): string =>
    `${scheme}://${user}${servers.nodes[0]!.url.slice("nats://".length)}`;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "groundplan-tls-"));
    makeCertificates(file);
    const tls = [
      "--tls",
      "--tlscert",
      file("server.pem"),
      "--tlskey",
      file("server.key"),
      "--tlscacert",
      file("ca.pem"),
    ];
    servers = await startNats(1, [...tls, "--user", "mate", "--pass", secret]);
  });
  afterAll(async () => {
    await servers.stop();
    remove(folder);
  });

  test("lets us in with the authority's certificate, a user and a password from the environment", async () => {
    const mailbox = open({
      url: address("tls"),
      environment: { NATS_CA: file("ca.pem"), NATS_USER: "mate", NATS_PASSWORD: secret },
    });
    expect(await mailbox.send(lead, hello, { id: "1" })).toEqual({ kind: "sent" });
    expect(mailbox.connection().state).toBe("connected");
  });

  test("takes user and password from the address as well, without ever showing them", async () => {
    const user = `mate:${encodeURIComponent(secret)}@`;
    const mailbox = open({ url: address("tls", user), environment: { NATS_CA: file("ca.pem") } });
    expect(await mailbox.send(lead, hello, { id: "2" })).toEqual({ kind: "sent" });
    expect(mailbox.connection()).toEqual({ state: "connected", detail: servers.nodes[0]!.url.slice("nats://".length) });
  });

  test.each([
    ["a wrong password", { NATS_USER: "mate", NATS_PASSWORD: `not ${secret}` }, "ca.pem"],
    ["no password", {}, "ca.pem"],
    ["a certificate of an unknown authority", { NATS_USER: "mate", NATS_PASSWORD: secret }, "other.pem"],
  ])("is refused at once with %s, and shows it", async (_, environment, ca) => {
    const mailbox = open({ url: address("tls"), environment: { ...environment, NATS_CA: file(ca) } });
    const refused = { kind: "refused", reason: expect.stringContaining("refused the connection") as string };
    expect(await mailbox.send(lead, hello, { id: "3" })).toEqual({ ...refused, mayArrive: false });
    expect(await mailbox.receive(lead, async () => undefined, { signal: new AbortController().signal })).toEqual(
      refused,
    );
    expect(mailbox.connection().state).toBe("refused");
  });

  test("shows our own certificate where the server wants one, and is refused without", async () => {
    const tls = [
      "--tlsverify",
      "--tlscert",
      file("server.pem"),
      "--tlskey",
      file("server.key"),
      "--tlscacert",
      file("ca.pem"),
    ];
    const strict = await startNats(1, tls);
    try {
      const url = strict.url.replace("nats:", "tls:");
      const environment = { NATS_CA: file("ca.pem"), NATS_CERT: file("server.pem"), NATS_KEY: file("server.key") };
      expect(await open({ url, environment }).send(lead, hello, { id: "1" })).toEqual({ kind: "sent" });
      const without = await open({ url, environment: { NATS_CA: file("ca.pem") }, patienceMs: 2000 }).send(
        lead,
        hello,
        { id: "2" },
      );
      expect(without).toMatchObject({ kind: "refused", mayArrive: false });
    } finally {
      await strict.stop();
    }
  });

  test("names the file of the environment that cannot be read", async () => {
    const mailbox = open({ url: address("tls"), environment: { NATS_CREDS: file("missing.creds") } });
    expect(await mailbox.send(lead, hello, { id: "4" })).toEqual({
      kind: "refused",
      reason: `${file("missing.creds")}, named by the environment for NATS, cannot be read.`,
      mayArrive: false,
    });
  });
});

describe("a NATS server with a token", needs("nats-server"), () => {
  test("lets us in with the token; loss of the connection is shown, and mended by itself", async () => {
    const servers = await startNats(1, ["--auth", secret]);
    try {
      const inUrl = open({ url: servers.url.replace("//", `//${encodeURIComponent(secret)}@`) });
      expect(await inUrl.peek(lead)).toEqual([]);
      await inUrl.close();
      told = [];
      const mailbox = open({ url: servers.url, environment: { NATS_TOKEN: secret } });
      expect(await mailbox.send(lead, hello, { id: "1" })).toEqual({ kind: "sent" });
      await servers.nodes[0]!.kill();
      const sending = mailbox.send(lead, hello, { id: "2" });
      await servers.nodes[0]!.start();
      expect(await sending).toEqual({ kind: "sent" });
      expect((await mailbox.peek(lead)).map(({ id }) => id)).toEqual(["1", "2"]);
      const states = told.map((each) => (typeof each === "string" ? each : each.state));
      expect(states.slice(0, 2)).toEqual(["connected", "reconnecting"]);
      expect(states.at(-1)).toBe("connected");
    } finally {
      await servers.stop();
    }
  });
});

describe("two NATS servers", needs("nats-server"), () => {
  test("are too few for three copies: refused with what to do, and enough for one", async () => {
    const servers = await startNats(2);
    try {
      const few = open({ url: servers.url, patienceMs: 15_000 });
      expect(await few.send(lead, hello, { id: "1" })).toEqual({
        kind: "refused",
        reason: expect.stringMatching(/Three servers are needed; with fewer set NATS_REPLICAS to 1\.$/) as string,
        mayArrive: false,
      });
      const settings = { transport: "nats", home: tmpdir(), natsUrl: servers.url, report: () => undefined } as const;
      const mailbox = await openMailbox({ ...settings, environment: { NATS_REPLICAS: "1" } });
      opened.push(mailbox);
      expect(await mailbox.send(lead, hello, { id: "1" })).toEqual({ kind: "sent" });
      await expect(openMailbox({ ...settings, environment: { NATS_REPLICAS: "many" } })).rejects.toThrow(
        "use a number from 1 to 5",
      );
    } finally {
      await servers.stop();
    }
  });
});

describe("a NATS mailbox without a server", () => {
  test("refuses after its time, shows that it is trying, and closes at once", async () => {
    const mailbox = open({ url: "nats://127.0.0.1:9", patienceMs: 700 });
    const ending = mailbox.receive(lead, async () => undefined, { signal: new AbortController().signal });
    await until("it was tried", () => mailbox.connection().detail.includes("cannot be reached"));
    expect(await mailbox.send(lead, hello, { id: "1" })).toEqual({
      kind: "refused",
      reason: expect.stringMatching(/^No acknowledgement within 1 s \(127\.0\.0\.1:9 cannot be reached/) as string,
      mayArrive: false,
    });
    expect(mailbox.connection().state).toBe("reconnecting");
    await mailbox.close();
    expect(await ending).toEqual({ kind: "ended" });
  });

  test("gives up when it is told to", async () => {
    const mailbox = open({ url: "nats://127.0.0.1:9" });
    const stop = new AbortController();
    const sending = mailbox.send(lead, hello, { id: "1", signal: stop.signal });
    await until("it was tried", () => mailbox.connection().detail.includes("cannot be reached"));
    stop.abort();
    expect(await sending).toEqual({ kind: "refused", reason: "Sending was given up.", mayArrive: false });
  });

  test.each(["http://host:4222", "nats://", `nats://mate:${encodeURIComponent(secret)}@:x`])(
    "refuses %j as an address, without repeating it",
    async (url) => {
      const reason = "team.natsUrl is not the address of a NATS server: use nats://host:4222 or tls://host:4222.";
      expect(await open({ url }).send(lead, hello, { id: "1" })).toEqual({ kind: "refused", reason, mayArrive: false });
    },
  );

  test("the settings have to name a server", async () => {
    const settings = { transport: "nats", home: tmpdir(), environment: {}, report: () => undefined } as const;
    await expect(openMailbox(settings)).rejects.toThrow("team.natsUrl is not set");
  });
});

function makeCertificates(file: (name: string) => string): void {
  for (const authority of ["ca", "other"]) {
    openssl(
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-days",
      "2",
      "-subj",
      `/CN=${authority}`,
      "-keyout",
      file(`${authority}.key`),
      "-out",
      file(`${authority}.pem`),
    );
  }
  openssl(
    "req",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-subj",
    "/CN=127.0.0.1",
    "-keyout",
    file("server.key"),
    "-out",
    file("server.csr"),
  );
  writeFileSync(file("names"), "subjectAltName=IP:127.0.0.1\n");
  openssl(
    "x509",
    "-req",
    "-days",
    "2",
    "-in",
    file("server.csr"),
    "-CA",
    file("ca.pem"),
    "-CAkey",
    file("ca.key"),
    "-CAcreateserial",
    "-extfile",
    file("names"),
    "-out",
    file("server.pem"),
  );
}

function openssl(...args: readonly string[]): void {
  execFileSync("openssl", args, { stdio: "pipe" });
}
