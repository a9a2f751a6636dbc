import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFileMailbox } from "./files/mailbox.ts";
import { openTaken } from "./files/taken.ts";
import { sealMailbox } from "./mailbox-sealed.ts";
import type { Letter, Mailbox } from "./mailbox.ts";
import { longestAgeMs, sealOf } from "./seal.ts";
import { teamSecret } from "./team-secret.ts";
import { remove } from "../../test/support/remove.ts";

const secret = "0123456789abcdef0123456789abcdef";
const bo = { team: "default", agent: "bo" };
const day = 24 * 60 * 60 * 1000;
const sentAt = Date.parse("2026-03-04T05:06:07.000Z");
const said = { from: "team-lead", text: '{"type":"yes"}', timestamp: new Date(sentAt).toISOString() };

let home: string;
let told: string[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "groundplan-sealed-"));
  told = [];
});
afterEach(() => remove(home));

const open = (now = sentAt, own = secret): Mailbox =>
  sealMailbox(createFileMailbox({ home }), {
    secret: async () => own,
    secretFile: () => "the-secret",
    report: (problem) => void told.push(problem),
    now: () => now,
  });
const bare = (): Mailbox => createFileMailbox({ home });

async function all(mailbox: Mailbox, inbox = bo): Promise<readonly Letter[]> {
  const heard: Letter[] = [];
  const enough = new AbortController();
  const take = async (letter: Letter): Promise<void> => void heard.push(letter);
  await mailbox.receive(inbox, take, { signal: enough.signal, whenEmpty: () => enough.abort() });
  return heard;
}

describe("R12.4 B9.2 letters under the team's seal", () => {
  test("arrive as they were sent; on the way they carry it beside their own fields", async () => {
    expect(await open().send(bo, said, { id: "1" })).toEqual({ kind: "sent" });
    expect(await bare().peek(bo)).toEqual([{ ...said, id: "1", mac: expect.stringMatching(/^[\w-]{43}$/) as string }]);
    expect(await open().peek(bo)).toEqual([{ ...said, id: "1" }]);
    expect(await all(open())).toEqual([{ ...said, id: "1" }]);
    expect(told).toEqual([]);
  });

  const mac = sealOf(secret, bo, { ...said, id: "1" });
  test.each<[string, Letter]>([
    ["none", { ...said, id: "1" }],
    ["another text", { ...said, id: "1", text: '{"type":"no"}', mac }],
    ["another sender", { ...said, id: "1", from: "cy", mac }],
    ["another id, so that it is not known as taken", { ...said, id: "2", mac }],
    [
      "another time, so that it is not too old",
      { ...said, id: "1", timestamp: new Date(sentAt + 1).toISOString(), mac },
    ],
    ["another inbox", { ...said, id: "1", mac: sealOf(secret, { ...bo, agent: "cy" }, { ...said, id: "1" }) }],
    ["another team", { ...said, id: "1", mac: sealOf(secret, { ...bo, team: "b" }, { ...said, id: "1" }) }],
    ["another secret", { ...said, id: "1", mac: sealOf(`${secret}0`, bo, { ...said, id: "1" }) }],
    ["a shorter one", { ...said, id: "1", mac: mac.slice(0, -1) }],
  ])("a seal of %s is left out and said once", async (_, letter) => {
    await bare().send(bo, letter, letter);
    const mailbox = open();
    expect([await mailbox.peek(bo), await mailbox.peek(bo), await all(mailbox)]).toEqual([[], [], []]);
    expect(told).toEqual([expect.stringContaining("is left out")]);
    expect(await bare().peek(bo)).toEqual([]);
  });

  test.each([
    [longestAgeMs, 1, ""],
    [longestAgeMs + 1, 0, "too long ago"],
    [-day, 1, ""],
    [-day - 1, 0, "yet to come here"],
  ])("read %i ms after it was written: %i arrive", async (later, count, words) => {
    await open().send(bo, said, { id: "1" });
    expect(await all(open(sentAt + later))).toHaveLength(count);
    expect(told.join()).toContain(words);
  });

  test("read twice after a crash it comes again, without a word of complaint; once it was taken, never", async () => {
    const taken = join(home, "taken");
    const remembering = (): Mailbox =>
      sealMailbox(createFileMailbox({ home }), {
        secret: async () => secret,
        secretFile: () => "the-secret",
        report: (problem) => void told.push(problem),
        now: () => sentAt,
        taken: () => openTaken(taken),
      });
    await remembering().send(bo, said, { id: "1" });
    const crash = new AbortController();
    await remembering().receive(
      bo,
      async () => {
        crash.abort();
        throw new Error("killed while it was taken");
      },
      { signal: crash.signal },
    );
    expect(await all(remembering())).toEqual([{ ...said, id: "1" }]);
    rmSync(join(home, "teams"), { recursive: true });
    await remembering().send(bo, said, { id: "1" });
    expect(await all(remembering())).toEqual([]);
    expect(told).toEqual([]);
  });
});

describe("B9.2 plans under the team's seal", () => {
  const key = { team: "default", plan: "p" };

  test("are kept and read; what a hand wrote, moved or took from another plan or revision is refused", async () => {
    const { snapshots } = open();
    expect(await snapshots.put(key, "one", { expected: 0 })).toEqual({ kind: "kept", revision: 1 });
    expect(await snapshots.get(key)).toEqual({ revision: 1, text: "one" });
    expect(await snapshots.put(key, "two", { expected: 0 })).toEqual({
      kind: "changed",
      present: { revision: 1, text: "one" },
    });
    const sealed = (await bare().snapshots.get(key))!.text;
    await bare().snapshots.put(key, sealed, { expected: 1 });
    await bare().snapshots.put({ ...key, plan: "q" }, sealed, { expected: 0 });
    await bare().snapshots.put({ ...key, plan: "r" }, "one", { expected: 0 });
    for (const plan of ["p", "q", "r"]) {
      await expect(snapshots.get({ ...key, plan })).rejects.toThrow("does not carry the seal");
      expect(await snapshots.put({ ...key, plan }, "new", { expected: 7 })).toMatchObject({ kind: "refused" });
    }
    expect(await snapshots.get(key, 1)).toEqual({ revision: 1, text: "one" });
  });
});

describe("the team's secret", () => {
  test("is made once, for this person alone, however many ask at once", async () => {
    const place = { home, environment: {} };
    const found = await Promise.all(Array.from({ length: 20 }, () => teamSecret("default", place)));
    expect(new Set(found).size).toBe(1);
    expect(found[0]).toMatch(/^[\w-]{43}$/);
    expect(statSync(join(home, "teams/default/secret")).mode & 0o777).toBe(0o600);
    expect(await teamSecret("other", place)).not.toBe(found[0]);
  });

  test("a file that others can read, or that holds none, is refused in words that say what to do", async () => {
    const file = join(home, "mine");
    const place = { home, environment: { GROUNDPLAN_TEAM_SECRET_FILE: file } };
    await expect(teamSecret("default", place)).rejects.toThrow("is not there. Copy the team's secret to it");
    writeFileSync(file, `${secret}\n`, { mode: 0o644 });
    await expect(teamSecret("default", place)).rejects.toThrow("chmod 600");
    rmSync(file);
    writeFileSync(file, "short\n", { mode: 0o600 });
    await expect(teamSecret("default", place)).rejects.toThrow("holds no secret");
    writeFileSync(file, `${secret}\n`);
    expect(await teamSecret("default", place)).toBe(secret);
  });
});
