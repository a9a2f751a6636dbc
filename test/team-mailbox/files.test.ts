/** The file mailbox: the contract, then what only files can get wrong. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { mkdir, readdir, readFile, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { whileLocked } from "../../src/agent/host/files/lock.ts";
import type { Letter } from "../../src/mail/mailbox.ts";
import { createFileMailbox } from "../../src/mail/files/mailbox.ts";
import { inboxPaths, prepareInbox } from "../../src/mail/files/inbox.ts";
import { bundleProgram, bundleTalkingProgram } from "./bundled-program.ts";
import { describeMailbox } from "./conformance.ts";
import { remove } from "../support/remove.ts";

const homes: string[] = [];
function freshHome(): string {
  const home = mkdtempSync(join(tmpdir(), "groundplan-mailbox-"));
  homes.push(home);
  return home;
}
const shared = freshHome();
afterAll(() => homes.forEach((home) => remove(home)));

describeMailbox({
  name: "files",
  place: () => ({ kind: "files", home: shared }),
  async interrupt(inbox) {
    const paths = inboxPaths(shared, inbox);
    await prepareInbox(paths);
    await whileLocked(paths.lock, () => pause(1500));
  },
});

const inbox = { team: "default", agent: "team-lead" };
const first: Letter = { from: "mate", text: '{"n":1}', timestamp: "2026-01-02T03:04:05.678Z", id: "1" };
const second: Letter = { ...first, text: '{"n":2}', id: "2" };
const third: Letter = { ...first, text: '{"n":3}', id: "3" };

function open(home = freshHome()) {
  const problems: string[] = [];
  const mailbox = createFileMailbox({ home, report: (problem) => problems.push(problem) });
  const paths = inboxPaths(home, inbox);
  return { home, paths, mailbox, problems, drain: () => drain(mailbox) };
}

/** Everything that is there now. */
async function drain(mailbox: ReturnType<typeof createFileMailbox>): Promise<readonly Letter[]> {
  const heard: Letter[] = [];
  const ending = new AbortController();
  const options = { signal: ending.signal, whenEmpty: () => ending.abort() };
  expect(await mailbox.receive(inbox, async (letter) => void heard.push(letter), options)).toEqual({ kind: "ended" });
  return heard;
}

describe("an inbox on disk", () => {
  test("R12.4 is a JSON list in the config home that other tools can read, for this person alone", async () => {
    const { home, mailbox, drain: drainAll } = open();
    for (const letter of [first, second]) await mailbox.send(inbox, letter, letter);
    const file = join(home, "teams/default/inboxes/team-lead.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual([first, second]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const folder of ["teams", "teams/default", "teams/default/inboxes"]) {
      expect([folder, statSync(join(home, folder)).mode & 0o777]).toEqual([folder, 0o700]);
    }
    expect(await drainAll()).toEqual([first, second]);
    expect(readFileSync(file, "utf8")).toBe("[]\n");
  });

  test("R12.4 takes what another tool wrote, also without an id, and once only", async () => {
    const { paths, mailbox, drain: drainAll } = open();
    await prepareInbox(paths);
    const { from, text, timestamp } = first;
    await writeFile(
      paths.file,
      JSON.stringify(
        [
          { from, text, timestamp, read: false, color: "red" },
          { from, text, timestamp },
        ],
        null,
        2,
      ),
    );
    await mailbox.send(inbox, second, second);
    expect(await drainAll()).toEqual([
      { from, text, timestamp, id: expect.stringMatching(/^content-[0-9a-f]{64}$/) as string },
      second,
    ]);
  });

  const lines = [first, second, third].map((letter) => JSON.stringify(letter));
  const nested = JSON.stringify({ ...second, text: JSON.stringify([{ ...third, id: "forged" }]) });
  test.each<readonly [string, string, readonly Letter[]]>([
    ["cut off", `[\n${lines[0]},\n${lines[1]},\n${lines[2]!.slice(0, -20)}`, [first, second]],
    ["cut off within a letter that quotes another", `[\n${lines[0]},\n${nested.slice(0, -40)}`, [first]],
    ["damaged in the middle", `[\n${lines[0]},\n{"from": "mate", "text\n},\n${lines[2]}\n]\n`, [first, third]],
    ["with an entry that is no letter", `[${lines[0]}, {"from": 1}, 7, ${lines[1]}]`, [first, second]],
    [
      "with an id that could not have been sent",
      `[${lines[0]}, ${JSON.stringify({ ...second, id: "a\nb" })}]`,
      [first],
    ],
    ["empty", "", []],
    ["without a list", `{"messages": 1}`, []],
    ["full of brackets", "[".repeat(1000) + '{"'.repeat(100_000), []],
    ["with bytes of another kind", "\u0000\u0001\uFFFD", []],
  ])("a file that is %s is set aside and told of; whole letters are handed over", async (_, text, letters) => {
    const { paths, mailbox, problems, drain: drainAll } = open();
    await prepareInbox(paths);
    await writeFile(paths.file, text);
    await mailbox.send(inbox, third, { id: "4" });
    expect(await drainAll()).toEqual([...letters, { ...third, id: "4" }]);
    const aside = readdirSync(paths.folder).filter((name) => name.includes("broken"));
    expect(aside.map((name) => readFileSync(join(paths.folder, name), "utf8"))).toEqual([text]);
    expect(problems).toEqual([
      `${paths.file} was damaged: it is kept as ${aside[0]}, ${letters.length} message(s) could be read.`,
    ]);
    expect(readFileSync(paths.file, "utf8")).toBe("[]\n");
  });

  test("a reader alone mends a damaged file as well", async () => {
    const { paths, problems, drain: drainAll } = open();
    await prepareInbox(paths);
    await writeFile(paths.file, `[${lines[0]}, ${lines[1]!.slice(0, 30)}`);
    expect(await drainAll()).toEqual([first]);
    expect(problems).toHaveLength(1);
  });

  test.each(["teams", "teams/default", "teams/default/inboxes", "teams/default/inboxes/team-lead.json"])(
    "a symbolic link in place of %s is not followed: refused, with what to do",
    async (path) => {
      const { home, mailbox } = open();
      const elsewhere = freshHome();
      await mkdir(dirname(join(home, path)), { recursive: true });
      const target = path.endsWith(".json") ? join(elsewhere, "file") : elsewhere;
      if (path.endsWith(".json")) await writeFile(target, "[]");
      await symlink(target, join(home, path));
      const reason = `${join(home, path)} is a symbolic link. Remove it, then try again.`;
      expect(await mailbox.send(inbox, first, first)).toEqual({ kind: "refused", reason, mayArrive: false });
      const { signal } = new AbortController();
      const receiving = await mailbox.receive(inbox, async () => undefined, { signal });
      expect(receiving).toEqual({ kind: "refused", reason });
      expect(readdirSync(elsewhere)).toEqual(path.endsWith(".json") ? ["file"] : []);
      if (path.endsWith(".json")) expect(await readFile(target, "utf8")).toBe("[]");
    },
  );

  test("R12.4 a half-written message that a killed sender laid down is never read, and what it laid down whole arrives", async () => {
    const { paths, problems, drain: drainAll } = open();
    await prepareInbox(paths);
    await writeFile(join(paths.arriving, "000000000000001-aa.json"), `[${lines[0]}`);
    await writeFile(join(paths.arriving, "000000000000002-bb.json"), `[${lines[1]}]`);
    await writeFile(join(paths.arriving, "000000000000003-cc.tmp"), `[${lines[2]}]`);
    expect(await drainAll()).toEqual([second]);
    expect(problems).toEqual([
      `${join(paths.arriving, "000000000000001-aa.json")} is not a whole message; it was never acknowledged and is removed.`,
    ]);
  });

  test("what a killed writer left beside the inbox is swept once nobody can be writing it", async () => {
    const { paths, drain: drainAll } = open();
    await prepareInbox(paths);
    const [left, young] = [".groundplan-00.tmp", ".groundplan-01.tmp"];
    await writeFile(join(paths.folder, left), "half");
    await utimes(join(paths.folder, left), 1, 1);
    await writeFile(join(paths.folder, young), "half");
    await writeFile(join(paths.arriving, "000000000000001-aa.json"), `[${lines[0]}]`);
    expect(await drainAll()).toEqual([first]);
    expect(readdirSync(paths.folder).filter((name) => name.endsWith(".tmp"))).toEqual([young]);
  });

  test("remembers what was taken within bounds, and shortens the memory by itself", async () => {
    const { paths, mailbox, drain: drainAll } = open();
    await prepareInbox(paths);
    await writeFile(paths.taken, Array.from({ length: 19_999 }, (_, index) => `old-${index}\n`).join(""));
    await mailbox.send(inbox, first, first);
    expect(await drainAll()).toEqual([first]);
    const remembered = readFileSync(paths.taken, "utf8").trimEnd().split("\n");
    expect([remembered.length, remembered.at(-1)]).toEqual([10_000, first.id]);
    await mailbox.send(inbox, first, first);
    expect(readFileSync(paths.file, "utf8")).toBe("[]\n");
    expect(await drainAll()).toEqual([]);
  });
});

/** Seconds, as a file's time. */
function daysAgo(days: number): number {
  return Date.now() / 1000 - days * 24 * 60 * 60;
}

describe("plan snapshots on disk", () => {
  const key = { team: "default", plan: "plan_approval-mate@default:1" };

  test("keep the newest 64 revisions, for this person alone, and what killed writers left is swept", async () => {
    const { home, mailbox } = open();
    for (let revision = 0; revision < 66; revision += 1) {
      expect(await mailbox.snapshots.put(key, `${revision + 1}`, { expected: revision })).toEqual({
        kind: "kept",
        revision: revision + 1,
      });
    }
    const name = readdirSync(join(home, "teams/default/plans")).find((each) => !each.startsWith("."));
    const folder = join(home, "teams/default/plans", name!);
    expect([statSync(folder).mode & 0o777, statSync(join(folder, "66.json")).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(await mailbox.snapshots.get(key, 2)).toBe(null);
    expect(await mailbox.snapshots.get(key, 3)).toEqual({ revision: 3, text: "3" });
    await writeFile(join(folder, ".left.tmp"), "half");
    await utimes(join(folder, ".left.tmp"), 1, 1);
    await mailbox.snapshots.put(key, "67", { expected: 66 });
    expect(readdirSync(folder).filter((each) => each.endsWith(".tmp"))).toEqual([]);
    expect(readdirSync(folder)).toHaveLength(64);
  });

  test("R12.4 plans that nobody can wait for any more are let go, so that they do not grow without end", async () => {
    const { home, mailbox } = open();
    const plans = join(home, "teams/default/plans");
    const put = async (plan: string): Promise<string> => {
      const before = new Set(await readdir(plans).catch(() => []));
      await mailbox.snapshots.put({ team: "default", plan }, plan, { expected: 0 });
      return (await readdir(plans)).find((name) => !before.has(name) && !name.startsWith("."))!;
    };
    const [old, young] = [await put("old"), await put("young")];
    await utimes(join(plans, old), daysAgo(61), daysAgo(61));
    await utimes(join(plans, young), daysAgo(59), daysAgo(59));
    const same = await put("same");
    expect((await readdir(plans)).toSorted()).toEqual([".swept", old, same, young].toSorted());
    await utimes(join(plans, ".swept"), daysAgo(2), daysAgo(2));
    const next = await put("next");
    expect((await readdir(plans)).toSorted()).toEqual([".swept", next, same, young].toSorted());
    expect(await mailbox.snapshots.get({ team: "default", plan: "old" })).toBe(null);
  });

  test("a damaged one is told of, and a link in its place is not followed", async () => {
    const { home, mailbox } = open();
    await mailbox.snapshots.put(key, "1", { expected: 0 });
    const name = readdirSync(join(home, "teams/default/plans")).find((each) => !each.startsWith("."));
    const path = join(home, "teams/default/plans", name!, "1.json");
    await writeFile(path, '{"revision": 1, "te');
    await expect(mailbox.snapshots.get(key)).rejects.toThrow(`${path} is damaged.`);
    rmSync(path);
    await symlink("/etc/hostname", path);
    await expect(mailbox.snapshots.get(key)).rejects.toThrow(`${path} is a symbolic link. Remove it, then try again.`);
  });
});

describe("with other processes", () => {
  let writer = "";
  beforeAll(() => {
    writer = bundleProgram(new URL("writer.ts", import.meta.url));
  });
  afterAll(() => rmSync(dirname(writer), { recursive: true, force: true }));

  test("R12.4 a holder of the lock that was killed blocks nobody", async () => {
    const { home, paths, mailbox } = open();
    await prepareInbox(paths);
    const child = spawn(process.execPath, ["-e", "setInterval(() => undefined, 1000)"]);
    const stat = await readFile(`/proc/${child.pid}/stat`, "utf8").catch(() => "");
    const started = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    await whileLocked(paths.lock, async () => {
      const held = JSON.parse(await readFile(paths.lock, "utf8")) as object;
      await writeFile(
        join(home, "held"),
        JSON.stringify({ ...held, pid: child.pid, ...(started !== undefined && { started }) }),
      );
    });
    await writeFile(paths.lock, await readFile(join(home, "held")));
    const sending = mailbox.send(inbox, first, first);
    await pause(300);
    expect(await mailbox.peek(inbox)).toEqual([]);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(await sending).toEqual({ kind: "sent" });
    expect(await mailbox.peek(inbox)).toEqual([first]);
  });

  test("R12.4 a message is acknowledged only after its text, then its name are on disk for good", async () => {
    const home = freshHome();
    const talking = await bundleTalkingProgram(new URL("writer.ts", import.meta.url));
    const { stdout, stderr } = spawnSync(process.execPath, [talking, home, "ann", "0", "3"], { encoding: "utf8" });
    rmSync(dirname(talking), { recursive: true, force: true });
    const folder = join(home, "teams/default/inboxes");
    const named = stdout
      .replaceAll(/\S*\.tmp/g, "draft")
      .replaceAll(join(folder, "team-lead.json"), "inbox")
      .replaceAll(folder, "folder");
    const each = [0, 1, 2].map((number) => `sync draft\nrename draft inbox\nsync folder\n${number}\n`);
    expect([stderr, named]).toEqual(["", each.join("")]);
  });

  test("R12.4 a disk that takes no more: refused, not acknowledged, and what was there stays", async () => {
    const { home, paths, mailbox } = open();
    for (let number = 0; number < 40; number += 1) {
      const id = `before-${number}`;
      await mailbox.send(inbox, { ...first, text: JSON.stringify("x".repeat(100)) }, { id });
    }
    const before = readFileSync(paths.file, "utf8");
    const limited = 'trap "" XFSZ; ulimit -f 8; exec "$@"';
    const { stdout } = spawnSync("bash", ["-c", limited, "bash", process.execPath, writer, home, "writer", "0", "30"], {
      encoding: "utf8",
    });
    const said = stdout.trimEnd().split("\n");
    const acknowledged = said.filter((line) => /^\d+$/.test(line));
    expect(said).toHaveLength(30);
    expect(said.find((line) => !/^\d+$/.test(line))).toBe(`refused: ${paths.file} cannot be written (EFBIG).`);
    const present = JSON.parse(readFileSync(paths.file, "utf8")) as Letter[];
    expect(JSON.stringify(present.slice(0, 40))).toBe(JSON.stringify(JSON.parse(before)));
    expect(present.slice(40).map(({ id }) => id)).toEqual(acknowledged.map((number) => `writer-${number}`));
    expect(readdirSync(paths.folder).toSorted()).toEqual([".team-lead", "team-lead.json"]);
  });
});
