/** How the cost of mailboxes grows from 1 to 100 teammates: messages to the lead, approvals from the request to the received answer, and approvals of whole sessions by a lead. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultTeam, teamLead, type Letter, type Mailbox } from "../src/mail/mailbox.ts";
import { createFileMailbox } from "../src/mail/files/mailbox.ts";
import { createNatsMailbox } from "../src/mail/nats/mailbox.ts";
import { findMissing } from "../test/support/programs.ts";
import { startNats } from "../test/team-mailbox/nats-servers.ts";
import { approveSessions } from "./team-sessions.ts";

const most = Number(process.argv[2] ?? 100);
const sizes = [1, 3, 10, 30, 100].filter((size) => size <= most);
const messages = 600;
const approvals = 200;
const plan = "- change a line in a file, then run the tests\n".repeat(90);
const lead = { team: defaultTeam, agent: teamLead };

interface Carrier {
  readonly name: string;
  open(): Mailbox;
  stop(): Promise<void>;
}

console.log(`A plan of ${(plan.length / 1024).toFixed(0)} KB. × compares with one teammate in the same run.
Sessions: real teammates that all submit at once, one lead that is shown one plan after the other and says yes at once.\n`);
await measure("files", startFiles);
const isNatsThere = !(await findMissing()).includes("nats-server");
if (!isNatsThere) console.log("nats-server is missing: NATS is left out.");
else {
  await measure("NATS, 1 server", () => startCluster(1));
  await measure("NATS, 3 servers", () => startCluster(3));
}

/** A fresh place for each number of teammates. */
async function measure(name: string, start: () => Promise<Omit<Carrier, "name">>): Promise<void> {
  console.log(
    name.padEnd(16),
    "messages/s".padStart(12),
    "".padStart(8),
    "approvals/s".padStart(12),
    "median ms".padStart(10),
    "p95 ms".padStart(8),
    "sessions: median s".padStart(20),
    "slowest".padStart(8),
    "",
  );
  let one: { readonly throughput: number; readonly median: number } | null = null;
  for (const size of sizes) {
    const carrier = await start();
    try {
      const throughput = await sendToLead(carrier, size);
      const { perSecond, median, late } = await approve(carrier, size);
      const { waits } = await approveSessions(() => carrier.open(), size, plan);
      const sessions = waits.toSorted((a, b) => a - b);
      one ??= { throughput, median };
      console.log(
        `${size} teammate${size === 1 ? "" : "s"}`.padStart(16),
        throughput.toFixed(0).padStart(12),
        `${(throughput / one.throughput).toFixed(2)} ×`.padStart(8),
        perSecond.toFixed(0).padStart(12),
        median.toFixed(1).padStart(10),
        late.toFixed(1).padStart(8),
        inSeconds(sessions[Math.floor(sessions.length / 2)]!).padStart(20),
        inSeconds(sessions.at(-1)!).padStart(8),
        `${(median / one.median).toFixed(2)} × the wait, ${(median / one.median / size).toFixed(2)} × for each teammate`,
      );
    } finally {
      await carrier.stop();
    }
  }
  console.log();
}

function inSeconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(2);
}

/** Everybody sends at once, the lead takes; from the first letter sent to the last one taken. */
async function sendToLead({ open }: Pick<Carrier, "open">, size: number): Promise<number> {
  const senders = Array.from({ length: size }, () => open());
  const desk = open();
  await Promise.all([...senders, desk].map((mailbox) => mailbox.snapshots.get({ team: defaultTeam, plan: "warm" })));
  const each = Math.ceil(messages / size);
  const ending = new AbortController();
  let taken = 0;
  const began = performance.now();
  const receiving = desk.receive(
    lead,
    async () => {
      taken += 1;
      if (taken === each * size) ending.abort();
    },
    { signal: ending.signal },
  );
  await Promise.all(
    senders.map(async (sender, index) => {
      for (let number = 0; number < each; number += 1) await post(sender, lead, `mate-${index}-${number}`);
    }),
  );
  await receiving;
  const seconds = (performance.now() - began) / 1000;
  await Promise.all([...senders, desk].map((mailbox) => mailbox.close()));
  return (each * size) / seconds;
}

/** Each teammate keeps its plan, asks, and waits for the answer before it asks again. */
async function approve({ open }: Pick<Carrier, "open">, size: number) {
  const desk = open();
  const ending = new AbortController();
  const { signal } = ending;
  const answering = desk.receive(
    lead,
    async ({ id, from }) => post(desk, { team: defaultTeam, agent: from }, `${id}-answer`),
    { signal },
  );
  const mates = Array.from({ length: size }, (_, index) => ({ name: `mate${index}`, mailbox: open() }));
  const each = Math.max(3, Math.ceil(approvals / size));
  const waits: number[] = [];
  const ask = async (mate: { readonly name: string; readonly mailbox: Mailbox }): Promise<void> => {
    const answers = new Map<string, () => void>();
    const receiving = mate.mailbox.receive(
      { team: defaultTeam, agent: mate.name },
      async ({ id }: Letter) => answers.get(id)?.(),
      { signal },
    );
    for (let number = -1; number < each; number += 1) {
      const id = `plan_approval-${mate.name}@default-${number + 1}`;
      const began = performance.now();
      const answered = new Promise<void>((resolve) => answers.set(`${id}-answer`, resolve));
      await mate.mailbox.snapshots.put({ team: defaultTeam, plan: id }, plan, { expected: 0 });
      await post(mate.mailbox, lead, id, mate.name);
      await answered;
      if (number >= 0) waits.push(performance.now() - began);
    }
    finished += 1;
    if (finished === size) ending.abort();
    await receiving;
  };
  let finished = 0;
  const began = performance.now();
  await Promise.all(mates.map(ask));
  const seconds = (performance.now() - began) / 1000;
  await answering;
  await Promise.all([desk, ...mates.map(({ mailbox }) => mailbox)].map((mailbox) => mailbox.close()));
  const sorted = waits.toSorted((a, b) => a - b);
  return {
    perSecond: ((each + 1) * size) / seconds,
    median: sorted[Math.floor(sorted.length / 2)]!,
    late: sorted[Math.floor(sorted.length * 0.95)]!,
  };
}

async function post(mailbox: Mailbox, to: typeof lead, id: string, from = "mate"): Promise<void> {
  const message = { from, text: JSON.stringify({ plan }), timestamp: new Date().toISOString() };
  const sending = await mailbox.send(to, message, { id });
  if (sending.kind === "refused") throw new Error(sending.reason);
}

async function startFiles(): Promise<Omit<Carrier, "name">> {
  const home = mkdtempSync(join(tmpdir(), "groundplan-bench-"));
  return {
    open: () => createFileMailbox({ home }),
    stop: async () => rmSync(home, { recursive: true, force: true }),
  };
}

async function startCluster(count: number): Promise<Omit<Carrier, "name">> {
  const servers = await startNats(count);
  return {
    open: () => createNatsMailbox({ url: servers.url, environment: {} }),
    stop: () => servers.stop(),
  };
}
