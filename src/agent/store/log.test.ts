/** The log as a file: what is appended can be read, whatever was there and whatever fails. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { appendFile, chmod, open, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { describe, expect, test } from "vitest";
import { realFolder } from "../../../test/support/folder.ts";
import { encodeEntry, type LogEntry } from "../../core/wire/log-format.ts";
import { appendingTo, openLog, type LogFile } from "./log.ts";
import { loadLog, NewerLogError, readLog } from "./log-reader.ts";
import { cpuTime } from "../../../test/support/cpu-time.ts";

const fresh = async () => join(realFolder("-log"), "session.jsonl");

function said(text: string, at = 1): LogEntry {
  return { at, event: { type: "user-said", text } };
}

describe("appending", () => {
  test("R14.7 the file is 0600, also when it was open to others", async () => {
    const path = await fresh();
    await (await openLog(path)).close();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await (await openLog(join(path, "../new/below.jsonl"))).close();
    expect((await stat(join(path, "../new"))).mode & 0o777).toBe(0o700);
    await chmod(path, 0o644);
    await (await openLog(path)).close();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test("entries come back in order, also when many are appended at once and the log is opened again", async () => {
    const path = await fresh();
    const entries = Array.from({ length: 200 }, (_, index) => said(`line ${index}\n\u2028 é 😀`, index));
    const first = await openLog(path);
    await Promise.all(entries.slice(0, 150).map((entry) => first.append(entry)));
    await first.close();
    const second = await openLog(path);
    await Promise.all(entries.slice(150).map((entry) => second.append(entry)));
    await second.close();
    expect(await loadLog(path)).toEqual({
      entries,
      problems: [],
      broken: null,
      hasSeals: false,
      size: statSync(path).size,
    });
  });

  test("R14.5 a newline is put before the next entry when the file ends in a cut line", async () => {
    const path = await fresh();
    await writeFile(path, `${encodeEntry(said("before"))}\n{"v":1,"at":2,"ev`);
    const log = await openLog(path);
    await log.append(said("after"));
    await log.append(said("more"));
    await log.close();
    expect(await loadLog(path)).toEqual({
      entries: [said("before"), said("after"), said("more")],
      problems: [{ line: 2, problem: "not-json" }],
      broken: null,
      hasSeals: false,
      size: statSync(path).size,
    });
  });

  test("a symlink in its place is refused, and so is a folder", async () => {
    const path = await fresh();
    await writeFile(`${path}.other`, "");
    await symlink(`${path}.other`, path);
    await expect(openLog(path)).rejects.toThrow("ELOOP");
    await expect(openLog(join(path, ".."))).rejects.toThrow("EISDIR");
  });

  test("a full disk rejects", async () => {
    const file = await open("/dev/full", "w");
    const log = appendingTo(file, { size: 0, cut: false });
    await expect(log.append(said("x"))).rejects.toThrow("ENOSPC");
    await log.close();
  });
});

describe("a write that fails half way", () => {
  interface Weak extends LogFile {
    /** Bytes until the disk is full. */
    room: number;
    truncates: boolean;
  }

  async function weakFile(path: string): Promise<Weak> {
    const file = await open(path, "a+");
    const weak = {
      room: Infinity,
      truncates: true,
      stat: () => file.stat(),
      close: () => file.close(),
      truncate: (size: number) => (weak.truncates ? file.truncate(size) : Promise.reject(new Error("EIO"))),
      async write(bytes: Buffer, offset: number) {
        const length = Math.min(bytes.length - offset, weak.room, 20);
        if (length === 0) throw new Error("ENOSPC: no space left on device");
        weak.room -= length;
        return file.write(bytes, offset, length);
      },
    };
    return weak as unknown as Weak;
  }

  test("is taken back, and what comes after it is whole", async () => {
    const path = await fresh();
    const file = await weakFile(path);
    const log = appendingTo(file, { size: 0, cut: false });
    await log.append(said("one"));
    const before = await readFile(path, "utf8");
    file.room = 25;
    await expect(log.append(said("two"))).rejects.toThrow("ENOSPC");
    expect(await readFile(path, "utf8")).toBe(before);
    file.room = Infinity;
    await log.append(said("three"));
    await log.close();
    expect(await loadLog(path)).toEqual({
      entries: [said("one"), said("three")],
      problems: [],
      broken: null,
      hasSeals: false,
      size: statSync(path).size,
    });
  });

  test("R14.5 that cannot be taken back costs its own line alone, also when it happens again", async () => {
    const path = await fresh();
    const file = await weakFile(path);
    const log = appendingTo(file, { size: 0, cut: false });
    await log.append(said("one"));
    file.truncates = false;
    file.room = 25;
    await expect(log.append(said("lost"))).rejects.toThrow("ENOSPC");
    file.room = Infinity;
    await log.append(said("two"));
    file.truncates = true;
    file.room = 25;
    await expect(log.append(said("lost again"))).rejects.toThrow("ENOSPC");
    file.room = Infinity;
    await log.append(said("three"));
    await log.close();
    expect(await loadLog(path)).toEqual({
      entries: [said("one"), said("two"), said("three")],
      problems: [{ line: 2, problem: "not-json" }],
      broken: null,
      hasSeals: false,
      size: statSync(path).size,
    });
  });
});

describe("a process that is killed while it writes", () => {
  test("R14.5 leaves a log that loads and goes on, whenever it happens", async () => {
    const path = await fresh();
    const outfile = join(path, "../log.mjs");
    const entry = fileURLToPath(new URL("log.ts", import.meta.url));
    buildSync({ entryPoints: [entry], outfile, bundle: true, format: "esm", platform: "node", target: "node20" });
    const script = `const { openLog } = await import(${JSON.stringify(outfile)});
      const log = await openLog(${JSON.stringify(path)});
      for (let at = 1; ; at++) {
        await log.append({ at, event: { type: "user-said", text: "x".repeat((at * 7919) % 60000) } });
        if (at === 1) process.stdout.write("ready");
      }`;
    let before = 0;
    for (let round = 0; round < 6; round += 1) {
      const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
      await once(child.stdout, "data");
      await pause(5 + round * 3);
      child.kill("SIGKILL");
      await once(child, "close");
      const { entries, problems } = await loadLog(path);
      expect(entries.length).toBeGreaterThan(before);
      expect(problems.length).toBeLessThanOrEqual(round + 1);
      before = entries.length;
    }
  });
});

describe("reading", () => {
  test("R14.5 an unreadable line in the middle loses nothing but itself", async () => {
    const path = await fresh();
    const lines = [encodeEntry(said("a")), "\0\0\0", '{"v":1}', '{"v":"x","event":{}}', "", encodeEntry(said("b"))];
    await writeFile(path, lines.join("\n"));
    expect(await loadLog(path)).toEqual({
      entries: [said("a"), said("b")],
      problems: [
        { line: 2, problem: "not-json" },
        { line: 3, problem: "not-an-entry" },
        { line: 4, problem: "not-an-entry" },
      ],
      broken: null,
      hasSeals: false,
      size: statSync(path).size,
    });
  });

  test("a log of a newer version is refused, by an error that says what to do", async () => {
    const path = await fresh();
    await writeFile(path, `${encodeEntry(said("a"))}\n{"v":99,"at":1,"event":{"type":"user-said","text":"b"}}\n`);
    const error: unknown = await loadLog(path).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NewerLogError);
    expect(error).toMatchObject({ code: "log-newer-version", version: 99 });
    expect(String(error)).toContain(`${path}:2`);
    expect(String(error)).toContain("Update Groundplan");
  });

  test("letters that lie across two chunks stay whole, and 20 MB are read in linear time", async () => {
    const path = await fresh();
    const entry = said("é😀".repeat(50_000));
    const line = `${encodeEntry(entry)}\n`;
    for (let count = 0; count < 70; count += 1) await appendFile(path, line);
    const started = cpuTime();
    let count = 0;
    for await (const read of readLog(path)) {
      expect(read.entry?.event).toEqual(entry.event);
      count += 1;
    }
    expect(count).toBe(70);
    expect(cpuTime() - started).toBeLessThan(5000);
  });

  test("a missing log rejects", async () => {
    await expect(loadLog(await fresh())).rejects.toThrow("ENOENT");
  });
});
