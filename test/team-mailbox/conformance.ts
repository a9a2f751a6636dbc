/** What every mailbox keeps, whoever carries the letters: run for each driver (B9.2). */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { longestText, type Address, type Letter, type Mailbox } from "../../src/mail/mailbox.ts";
import { until } from "../support/until.ts";
import { bundleProgram } from "./bundled-program.ts";
import { openPlace, type Place } from "./place.ts";

export interface DriverUnderTest {
  readonly name: string;
  place(): Place;
  /** Puts the carrier out of reach for a while and back again. */
  interrupt(inbox: Address): Promise<void>;
}

export function describeMailbox(driver: DriverUnderTest): void {
  describe(`a mailbox of ${driver.name}`, () => {
    let opened: Mailbox[] = [];
    let count = 0;
    let stuckReader = "";
    const open = (place = driver.place()): Mailbox => {
      const mailbox = openPlace(place);
      opened.push(mailbox);
      return mailbox;
    };
    const freshInbox = (): Address => ({ team: `team-${(count += 1)}-${process.pid}`, agent: "team-lead" });
    beforeAll(() => {
      stuckReader = bundleProgram(new URL("stuck-reader.ts", import.meta.url));
    });
    afterEach(async () => {
      await Promise.all(opened.map((mailbox) => mailbox.close()));
      opened = [];
    });
    afterAll(() => rmSync(dirname(stuckReader), { recursive: true, force: true }));

    test("R12.4 B9.2 hands over what was sent, whole and in order, also when the calls did not wait for each other", async () => {
      const inbox = freshInbox();
      const sender = open();
      const texts = [
        "{}",
        JSON.stringify({
          plan: "Zeile\r\n\tzwei \u2028\u2029 \u0000 \u{1F9ED}\u{1F468}\u200D\u{1F469} e\u0301 \u202Eabc \uFEFF",
        }),
        JSON.stringify("\uD800 lone"),
        ...Array.from({ length: 20 }, (_, number) => JSON.stringify({ number })),
      ];
      const letters = texts.map((text, index) => letter(text, `id-${index}`));
      const sendings = await Promise.all(letters.map((each) => sender.send(inbox, each, each)));
      expect(sendings).toEqual(letters.map(() => ({ kind: "sent" })));
      expect(await receive(open(), inbox, letters.length)).toEqual(letters);
    });

    test("R12.4 delivers a message that is sent again with its id once: while it waits, after it was taken, and after a restart", async () => {
      const inbox = freshInbox();
      const first = letter("1", "plan_approval-a@b-1");
      const sender = open();
      expect(await sender.send(inbox, first, first)).toEqual({ kind: "sent" });
      expect(await sender.send(inbox, first, first)).toEqual({ kind: "sent" });
      expect(await receive(open(), inbox, 1)).toEqual([first]);
      await sender.close();
      const restarted = open();
      expect(await restarted.send(inbox, first, first)).toEqual({ kind: "sent" });
      const second = letter("2", "plan_approval-a@b-2");
      expect(await restarted.send(inbox, second, second)).toEqual({ kind: "sent" });
      expect(await receive(open(), inbox, 1)).toEqual([second]);
      expect(await open().peek(inbox)).toEqual([]);
    });

    test("the same id to two inboxes is two messages", async () => {
      const sender = open();
      const both = [freshInbox(), freshInbox()];
      const same = letter("1", "same");
      for (const inbox of both) expect(await sender.send(inbox, same, same)).toEqual({ kind: "sent" });
      for (const inbox of both) expect(await receive(open(), inbox, 1)).toEqual([same]);
    });

    test("hands a message over again that could not be taken, and keeps the others behind it", async () => {
      const inbox = freshInbox();
      const mailbox = open();
      const letters = ["1", "2", "3"].map((text) => letter(text, text));
      for (const each of letters) await mailbox.send(inbox, each, each);
      const heard: string[] = [];
      const ending = new AbortController();
      await mailbox.receive(
        inbox,
        async ({ id }) => {
          heard.push(id);
          if (heard.length < 3) throw new Error("not now");
          if (id === "3") ending.abort();
        },
        { signal: ending.signal },
      );
      expect(heard).toEqual(["1", "1", "1", "2", "3"]);
    });

    test("R12.4 hands a message over again whose reader was killed before it had taken it", async () => {
      const inbox = freshInbox();
      const mailbox = open();
      const letters = ["1", "2"].map((text) => letter(text, text));
      for (const each of letters) await mailbox.send(inbox, each, each);
      const args = [stuckReader, JSON.stringify(driver.place()), inbox.team, inbox.agent];
      const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
      const [said] = (await once(child.stdout, "data")) as [Buffer];
      expect(said.toString()).toBe("1\n");
      child.kill("SIGKILL");
      await once(child, "close");
      expect(await receive(mailbox, inbox, 2)).toEqual(letters);
    });

    test("R12.4 gives each message to one of two readers", async () => {
      const inbox = freshInbox();
      const sender = open();
      const ending = new AbortController();
      const heard: Letter[] = [];
      const readers = [open(), open()].map((reader) =>
        reader.receive(
          inbox,
          async (each) => {
            await pause(2);
            heard.push(each);
          },
          { signal: ending.signal },
        ),
      );
      const letters = Array.from({ length: 40 }, (_, index) => letter(String(index), `id-${index}`));
      for (const each of letters) await sender.send(inbox, each, each);
      await until("all are heard", () => heard.length >= letters.length);
      await pause(300);
      ending.abort();
      expect(await Promise.all(readers)).toEqual([{ kind: "ended" }, { kind: "ended" }]);
      expect(heard).toEqual(letters);
    });

    test("R12.4 loses nothing of many senders, and keeps each one's order", async () => {
      const inbox = freshInbox();
      const names = Array.from({ length: 20 }, (_, index) => `mate-${index}`);
      const receiving = receive(open(), inbox, names.length * 10);
      await Promise.all(
        names.map(async (from) => {
          const sender = open();
          for (let number = 0; number < 10; number += 1) {
            const each = { ...letter(String(number), `${from}-${number}`), from };
            expect(await sender.send(inbox, each, each)).toEqual({ kind: "sent" });
          }
        }),
      );
      const heard = await receiving;
      for (const from of names) {
        expect(heard.filter((each) => each.from === from).map(({ text }) => text)).toEqual("0123456789".split(""));
      }
    });

    test("carries a plan of 1 MB and one of 5 MB whole, and refuses what is too long with the reason", async () => {
      const inbox = freshInbox();
      const mailbox = open();
      const letters = [1, 5].map((size) =>
        letter(JSON.stringify("plän ".repeat((size * 1024 * 1024) / 6)), `big-${size}`),
      );
      for (const each of letters) expect(await mailbox.send(inbox, each, each)).toEqual({ kind: "sent" });
      const huge = letter("x".repeat(longestText + 1), "huge");
      expect(await mailbox.send(inbox, huge, huge)).toEqual({
        kind: "refused",
        reason: `The message has ${longestText + 1} bytes; more than ${longestText} cannot be sent.`,
        mayArrive: false,
      });
      expect(await receive(open(), inbox, 2)).toEqual(letters);
    });

    test.each([
      "",
      ".",
      "..",
      "../x",
      "a/b",
      "a\\b",
      "a.b",
      "a b",
      "*",
      ">",
      "a\n",
      "\u0000",
      "ä",
      "-x",
      "a@b",
      "x".repeat(65),
    ])("refuses %j as the name of a team or an agent, with what to do", async (name) => {
      const mailbox = open();
      const reason = expect.stringContaining("cannot name a team or an agent: use 1 to 64 letters") as string;
      const refused = { kind: "refused", reason, mayArrive: false };
      const some = letter("1", "1");
      expect(await mailbox.send({ team: name, agent: "a" }, some, some)).toEqual(refused);
      expect(await mailbox.send({ team: "a", agent: name }, some, some)).toEqual(refused);
      expect(await mailbox.send({ team: "a", agent: "a" }, { ...some, from: name }, some)).toEqual(refused);
      const { signal } = new AbortController();
      expect(await mailbox.receive({ team: "a", agent: name }, async () => undefined, { signal })).toEqual({
        kind: "refused",
        reason,
      });
      await expect(mailbox.peek({ team: name, agent: "a" })).rejects.toThrow("cannot name a team or an agent");
      expect(await mailbox.snapshots.put({ team: name, plan: "p" }, "x", { expected: 0 })).toEqual(refused);
    });

    test.each(["", "a/b", "a b", "a\n", "ä", "x".repeat(201)])("refuses %j as an id, with what to do", async (id) => {
      const mailbox = open();
      const refused = {
        kind: "refused",
        reason: expect.stringContaining("cannot be an id: use") as string,
        mayArrive: false,
      };
      expect(await mailbox.send(freshInbox(), letter("1", "1"), { id })).toEqual(refused);
      expect(await mailbox.snapshots.put({ team: "a", plan: id }, "x", { expected: 0 })).toEqual(refused);
    });

    test("shows what waits without taking it", async () => {
      const inbox = freshInbox();
      const mailbox = open();
      expect(await mailbox.peek(inbox)).toEqual([]);
      const letters = ["1", "2", "3"].map((text) => letter(text, text));
      for (const each of letters) await mailbox.send(inbox, each, each);
      expect(await open().peek(inbox)).toEqual(letters);
      expect(await open().peek(inbox, 2)).toEqual(letters.slice(0, 2));
      expect(await receive(mailbox, inbox, 1)).toEqual(letters.slice(0, 1));
      expect(await open().peek(inbox)).toEqual(letters.slice(1));
    });

    test("tells a reader who only looks once that everything was handed over", async () => {
      const inbox = freshInbox();
      const mailbox = open();
      for (const id of ["1", "2"]) await mailbox.send(inbox, letter(id, id), { id });
      const rounds: string[][] = [];
      for (let round = 0; round < 2; round += 1) {
        const heard: string[] = [];
        const ending = new AbortController();
        await mailbox.receive(inbox, async ({ id }) => void heard.push(id), {
          signal: ending.signal,
          whenEmpty: () => ending.abort(),
        });
        rounds.push(heard);
      }
      expect(rounds).toEqual([["1", "2"], []]);
      let refusals = 3;
      const ending = new AbortController();
      await mailbox.send(inbox, letter("3", "3"), { id: "3" });
      await mailbox.receive(
        inbox,
        async () => {
          refusals -= 1;
          if (refusals > 0) throw new Error("not now");
        },
        { signal: ending.signal, whenEmpty: () => ending.abort() },
      );
      expect(refusals).toBe(0);
    });

    test("ends waiting readers when it is closed or told to stop, and refuses what is sent afterwards", async () => {
      const inbox = freshInbox();
      const mailbox = open();
      const ending = new AbortController();
      const stopped = mailbox.receive(inbox, async () => undefined, { signal: ending.signal });
      const closed = mailbox.receive({ ...inbox, agent: "other" }, async () => undefined, {
        signal: new AbortController().signal,
      });
      await pause(100);
      ending.abort();
      expect(await stopped).toEqual({ kind: "ended" });
      await mailbox.close();
      expect(await closed).toEqual({ kind: "ended" });
      expect(await mailbox.send(inbox, letter("1", "1"), { id: "1" })).toEqual({
        kind: "refused",
        reason: "The mailbox is closed.",
        mayArrive: false,
      });
    });

    test("waits for a take under way before it ends", async () => {
      const inbox = freshInbox();
      const mailbox = open();
      await mailbox.send(inbox, letter("1", "1"), { id: "1" });
      const ending = new AbortController();
      let isTaken = false;
      await mailbox.receive(
        inbox,
        async () => {
          ending.abort();
          await pause(100);
          isTaken = true;
        },
        { signal: ending.signal },
      );
      expect(isTaken).toBe(true);
      expect(await open().peek(inbox)).toEqual([]);
    });

    test("B9.2 sends and receives on after the carrier was away: nothing lost, nothing twice", async () => {
      const inbox = freshInbox();
      const [sender, reader] = [open(), open()];
      const letters = Array.from({ length: 30 }, (_, index) => letter(String(index), `id-${index}`));
      const receiving = receive(reader, inbox, letters.length);
      const interrupted = driver.interrupt(inbox);
      for (const each of letters) {
        expect(await sender.send(inbox, each, each)).toEqual({ kind: "sent" });
        await pause(20);
      }
      await interrupted;
      expect(await receiving).toEqual(letters);
      await until("it is connected", () => sender.connection().state === "connected");
    });

    test("refuses more than an inbox may hold, and takes more once some were taken", async () => {
      const inbox = freshInbox();
      const place = driver.place();
      const mailbox = open({ ...place, mostUnread: 3, ...(place.kind === "nats" && { deployment: "narrow" }) });
      const letters = ["1", "2", "3"].map((text) => letter(text, text));
      for (const each of letters) expect(await mailbox.send(inbox, each, each)).toEqual({ kind: "sent" });
      expect(await mailbox.send(inbox, letter("4", "4"), { id: "4" })).toEqual({
        kind: "refused",
        reason: expect.stringMatching(/is full.* reader has to take some/) as string,
        mayArrive: expect.any(Boolean) as boolean,
      });
      expect(await mailbox.send(inbox, letters[0]!, letters[0]!)).toEqual({ kind: "sent" });
      expect(await receive(mailbox, inbox, 1)).toEqual(letters.slice(0, 1));
      expect(await mailbox.send(inbox, letter("4", "4"), { id: "4" })).toEqual({ kind: "sent" });
      expect((await mailbox.peek(inbox)).map(({ id }) => id)).toEqual(["2", "3", "4"]);
    });

    test("B9.2 keeps plan snapshots with compare-and-set: of many writers one is first, each revision stays", async () => {
      const { team } = freshInbox();
      const key = { team, plan: "plan_approval-mate@team:7" };
      const mailbox = open();
      expect(await mailbox.snapshots.get(key)).toBe(null);
      const puttings = await Promise.all(
        Array.from({ length: 8 }, (_, index) => open().snapshots.put(key, `first ${index}`, { expected: 0 })),
      );
      const winner = puttings.findIndex(({ kind }) => kind === "kept");
      const present = { revision: 1, text: `first ${winner}` };
      expect(puttings).toEqual(
        puttings.map((_, index) => (index === winner ? { kind: "kept", revision: 1 } : { kind: "changed", present })),
      );
      const long = "größer ".repeat(400_000);
      expect(await mailbox.snapshots.put(key, long, { expected: 1 })).toEqual({ kind: "kept", revision: 2 });
      expect(await mailbox.snapshots.put(key, "stale", { expected: 1 })).toEqual({
        kind: "changed",
        present: { revision: 2, text: long },
      });
      expect(await mailbox.snapshots.put(key, "early", { expected: 3 })).toEqual({
        kind: "changed",
        present: { revision: 2, text: long },
      });
      expect(await open().snapshots.get(key)).toEqual({ revision: 2, text: long });
      expect(await open().snapshots.get(key, 1)).toEqual(present);
      expect(await open().snapshots.get(key, 3)).toBe(null);
      expect(await open().snapshots.get({ team, plan: "plan_approval-mate@team-7" })).toBe(null);
    });
  });
}

function letter(text: string, id: string): Letter {
  return { from: "mate", text, timestamp: "2026-01-02T03:04:05.678Z", id };
}

/** Exactly so many, and it would have noticed one more. */
async function receive(mailbox: Mailbox, inbox: Address, count: number): Promise<readonly Letter[]> {
  const heard: Letter[] = [];
  const ending = new AbortController();
  const take = async (each: Letter): Promise<void> => {
    heard.push(each);
    if (heard.length >= count) ending.abort();
  };
  expect(await mailbox.receive(inbox, take, { signal: ending.signal })).toEqual({ kind: "ended" });
  return heard;
}
