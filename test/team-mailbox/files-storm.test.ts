/** Many real processes write into one inbox and are killed at random: nothing acknowledged is lost or read twice. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { defaultTeam, teamLead, type Letter } from "../../src/mail/mailbox.ts";
import { createFileMailbox } from "../../src/mail/files/mailbox.ts";
import { bundleProgram } from "./bundled-program.ts";
import { until } from "../support/until.ts";
import { namesBelow } from "../support/walk.ts";

const writers = 20;
const each = 200;
const inbox = { team: defaultTeam, agent: teamLead };

let program = "";
let home = "";
beforeAll(async () => {
  program = bundleProgram(new URL("writer.ts", import.meta.url));
  home = await mkdtemp(join(tmpdir(), "groundplan-storm-"));
});
afterAll(async () => {
  await rm(dirname(program), { recursive: true, force: true });
  await rm(home, { recursive: true, force: true });
});

test("R12.4 20 processes × 200 messages at once, writers killed at random: each acknowledged one is read exactly once, none half written", async () => {
  const read: Letter[] = [];
  const problems: string[] = [];
  const mailbox = createFileMailbox({ home, report: (problem) => problems.push(problem) });
  const ending = new AbortController();
  const receiving = mailbox.receive(inbox, async (letter) => void read.push(letter), { signal: ending.signal });
  const looking = lookAllTheTime(ending.signal);

  const runs = await Promise.all(Array.from({ length: writers }, (_, index) => writeAll(`writer-${index}`)));
  const expected = new Set(runs.flatMap(({ acknowledged }) => acknowledged));
  await untilQuiet(() => read.length >= expected.size);
  ending.abort();
  expect(await receiving).toEqual({ kind: "ended" });
  await mailbox.close();

  const counts = new Map<string, number>();
  for (const { id } of read) counts.set(id, (counts.get(id) ?? 0) + 1);
  const seen = {
    acknowledged: expected.size,
    lost: [...expected].filter((id) => !counts.has(id)),
    twice: [...counts].filter(([, count]) => count > 1),
    half: read.filter((letter) => !isWhole(letter)).map(({ id }) => id),
    disorder: runs.filter(({ name }) => !isInOrder(read.filter(({ from }) => from === name))).map(({ name }) => name),
    refused: runs.flatMap(({ refused }) => refused),
    problems,
    unreadableWhileWriting: (await looking).unreadable,
    left: await leftOver(),
    file: await readFile(join(home, "teams/default/inboxes/team-lead.json"), "utf8"),
  };
  const wanted = {
    acknowledged: writers * each,
    lost: [],
    twice: [],
    half: [],
    disorder: [],
    refused: [],
    problems: [],
    unreadableWhileWriting: 0,
    left: [".team-lead", ".team-lead/arriving", ".team-lead/taken", "team-lead.json"],
    file: "[]\n",
  };
  expect(seen, differing(seen, wanted)).toEqual(wanted);
  expect(runs.reduce((sum, { kills }) => sum + kills, 0)).toBeGreaterThan(writers / 2);
});

/** Until everything is read, and nothing of it lies about any more; what comes twice would come soon. */
async function untilQuiet(isRead: () => boolean): Promise<void> {
  await until("all is read", async () => {
    const names = await leftOver();
    const file = await readFile(join(home, "teams/default/inboxes/team-lead.json"), "utf8");
    return isRead() && file === "[]\n" && names.length === 4;
  });
  await pause(1200);
}

/** Besides what killed writers left on their way to the lock: nobody waits for it. */
async function leftOver(): Promise<readonly string[]> {
  return namesBelow(join(home, "teams/default/inboxes"))
    .filter((name) => !/\.(new|tmp|takeover)$/.test(name))
    .toSorted();
}

function differing(seen: Readonly<Record<string, unknown>>, wanted: Readonly<Record<string, unknown>>): string {
  const fields = Object.keys(wanted).filter((field) => !isDeepStrictEqual(seen[field], wanted[field]));
  return fields.map((field) => `${field}: ${JSON.stringify(seen[field])?.slice(0, 500)}`).join("; ");
}

/** Goes on after each kill with the first letter that was not acknowledged, under the same id. */
async function writeAll(name: string) {
  const acknowledged: string[] = [];
  const refused: string[] = [];
  let kills = 0;
  while (acknowledged.length < each && refused.length === 0) {
    const willDie = kills < 3 && Math.random() < 0.7;
    const run = await write(name, acknowledged.length, willDie ? Math.floor(Math.random() * 60) : Infinity);
    acknowledged.push(...run.acknowledged);
    refused.push(...run.refused);
    if (run.isKilled) kills += 1;
  }
  return { name, acknowledged, refused, kills };
}

/** Killed some time after so many acknowledgements: most likely in the middle of the next one. */
function write(name: string, first: number, killAfter: number) {
  return new Promise<{ acknowledged: string[]; refused: string[]; isKilled: boolean }>((resolve, reject) => {
    const child = spawn(process.execPath, [program, home, name, String(first), String(each)], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let complaint = "";
    child.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.split("\n").length > killAfter) setTimeout(() => child.kill("SIGKILL"), Math.random() * 30);
    });
    child.on("error", reject);
    child.on("close", (_, signal) => {
      const lines = output.split("\n").slice(0, -1);
      const numbers = lines.filter((line) => /^\d+$/.test(line));
      const refused = [...lines.filter((line) => !/^\d+$/.test(line)), ...complaint.split("\n").filter(Boolean)];
      resolve({ acknowledged: numbers.map((number) => `${name}-${number}`), refused, isKilled: signal === "SIGKILL" });
    });
  });
}

/** As another tool would, without a lock. */
async function lookAllTheTime(signal: AbortSignal) {
  let unreadable = 0;
  while (!signal.aborted) {
    const text = await readFile(join(home, "teams/default/inboxes/team-lead.json"), "utf8").catch(() => "[]");
    try {
      JSON.parse(text);
    } catch {
      unreadable += 1;
    }
    await pause(5);
  }
  return { unreadable };
}

function isWhole({ text }: Letter): boolean {
  const { body, hash } = JSON.parse(text) as { body: string; hash: string };
  return createHash("sha256").update(body).digest("hex") === hash;
}

function isInOrder(letters: readonly Letter[]): boolean {
  return letters.every(({ text }, index) => (JSON.parse(text) as { number: number }).number === index);
}
