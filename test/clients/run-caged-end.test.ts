/** How a caged command of another agent streams, and what ends it: signals, a parent that dies, nobody who reads. */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packCaged } from "../../src/clients/caged/caged-text.ts";
import { linuxRungs, only } from "../edges/rungs.ts";
import { finish, program } from "../headless/program.ts";
import { needs } from "../support/needs.ts";
import { cagedStage, processesWith } from "./caged.ts";

const untilThere = "until [ -e go ]; do sleep 0.05; done";

for (const rung of linuxRungs) {
  describe(`in the cage by ${rung}`, needs(rung), () => {
    test("output is seen before the command has ended, on both streams", async () => {
      const { start, repository } = cagedStage();
      const child = start(`echo first; echo other >&2; ${untilThere}; echo second`, only(rung));
      const said = heard(child);
      await expect.poll(said).toEqual(["first\n", "other\n"]);
      expect(child.exitCode).toBe(null);
      writeFileSync(join(repository, "go"), "");
      const [code] = await once(child, "close");
      expect([code, ...said()]).toEqual([0, "first\nsecond\n", "other\n"]);
    });

    test.each([
      ["SIGTERM", 143],
      ["SIGINT", 130],
      ["SIGHUP", 129],
    ] as const)("%s to us ends all of it", async (signal, code) => {
      const { child, mark } = await endless(rung);
      child.kill(signal);
      expect(await once(child, "close")).toEqual([code, null]);
      await expect.poll(() => processesWith(mark)).toBe(0);
    });

    test("when we are killed all of it ends, also where it says nothing and nothing in it would end", async () => {
      const { start } = cagedStage();
      const mark = `silent-${randomUUID()}`;
      const child = start(`echo begun; node -e 'setInterval(() => 0, 100000)' ${mark}`, only(rung));
      await expect.poll(heard(child)).toEqual(["begun\n", ""]);
      await expect.poll(() => processesWith(mark)).toBeGreaterThan(0);
      child.kill("SIGKILL");
      await expect.poll(() => processesWith(mark)).toBe(0);
    });

    test("when the agent's shell is killed all of it ends, though its output is still read", async () => {
      const { child, mark } = await endless(rung, (command, { environment, repository }) => {
        const packed = packCaged({ command, directory: repository });
        const words = [process.execPath, program].map((word) => `'${word}'`).join(" ");
        return spawn("bash", ["-c", `${words} run-caged ${packed}; echo over`], {
          env: { ...environment, ...only(rung) },
        });
      });
      const closed = once(child, "close");
      child.kill("SIGKILL");
      await expect.poll(() => processesWith(mark)).toBe(0);
      await closed;
    });

    test("when nobody reads any more all of it ends", async () => {
      const { child, mark } = await endless(rung);
      child.stdout.destroy();
      expect(await once(child, "exit")).toEqual([141, null]);
      await expect.poll(() => processesWith(mark)).toBe(0);
    });

    test("what was started in the background ends with the command", async () => {
      const mark = `86400.${String(Date.now())}${rung.length}`;
      const { run } = cagedStage();
      const ran = await run(`sleep ${mark} & (setsid sleep ${mark} &) ; echo done`, only(rung));
      expect(ran).toEqual({ code: 0, stdout: "done\n", stderr: "" });
      await expect.poll(() => processesWith(mark)).toBe(0);
    });
  });
}

const megabyte = 1024 * 1024;

test("250 MB go through whole, in little memory", needs("bubblewrap"), async () => {
  const { start, run, repository } = cagedStage();
  await run("true");
  const child = start(`echo begun >&2; head -c ${250 * megabyte} /dev/zero; echo all >&2; ${untilThere}`);
  let bytes = 0;
  let said = "";
  let before = 0;
  child.stderr.on("data", (text: Buffer) => {
    if (said === "") before = peak(child.pid!);
    said += text.toString();
  });
  child.stdout.on("data", (chunk: Buffer) => (bytes += chunk.length));
  await expect.poll(() => [bytes, said]).toEqual([250 * megabyte, "begun\nall\n"]);
  const grown = peak(child.pid!) - before;
  writeFileSync(join(repository, "go"), "");
  await once(child, "close");
  expect(grown).toBeLessThan(125 * megabyte);
});

test(
  "no more is taken from the command than is read of us, and nothing of it is lost",
  needs("bubblewrap"),
  async () => {
    const { start, run } = cagedStage();
    await run("true");
    const child = start(`head -c ${50 * megabyte} /dev/zero; echo end >&2`);
    await once(child.stdout, "readable");
    const taken: number[] = [];
    await expect
      .poll(() => {
        taken.push(read(child.pid!));
        return taken.length > 10 && new Set(taken.slice(-10)).size === 1;
      })
      .toBe(true);
    expect(taken.at(-1)).toBeLessThan(25 * megabyte);
    let bytes = 0;
    child.stdout.on("data", (chunk: Buffer) => (bytes += chunk.length));
    const [code] = await once(child, "close");
    expect([code, bytes]).toEqual([0, 50 * megabyte]);
  },
);

test("the output of a command that has ended waits for a reader who comes late", needs("bubblewrap"), async () => {
  const { start, repository } = cagedStage();
  const mark = `ended-${randomUUID()}`;
  const child = start(`${untilThere}; node -e 'process.stdout.write("x".repeat(200000))' ${mark}`);
  await expect.poll(() => processesWith(mark)).toBeGreaterThan(0);
  writeFileSync(join(repository, "go"), "");
  await once(child.stdout, "readable");
  expect((await finish(child, "")).stdout.length).toBe(200_000);
});

interface Endless {
  readonly child: ChildProcessWithoutNullStreams;
  /** On the command line of everything in the cage. */
  readonly mark: string;
}

type Start = (command: string, stage: ReturnType<typeof cagedStage>) => ChildProcessWithoutNullStreams;

/** A command that does not end and has children of its own; it runs. */
async function endless(rung: (typeof linuxRungs)[number], start?: Start): Promise<Endless> {
  const stage = cagedStage();
  const mark = `endless-${randomUUID()}`;
  const inner =
    'require("child_process").spawn("sleep", ["86400"], { detached: true }); setInterval(() => console.log("more"), 20)';
  const command = `node -e '${inner}' ${mark} & node -e 'setInterval(() => 0, 1000)' ${mark} & wait`;
  const child = start === undefined ? stage.start(command, only(rung)) : start(command, stage);
  const said = heard(child);
  await expect.poll(said).toEqual([expect.stringContaining("more\nmore\n"), ""]);
  await expect.poll(() => processesWith(mark)).toBeGreaterThan(1);
  return { child, mark };
}

/** What came on both streams so far. */
function heard(child: ChildProcessWithoutNullStreams): () => readonly [string, string] {
  let [out, error] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (error += text));
  return () => [out, error];
}

/** The most memory that it had, in bytes. */
function peak(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) * 1024;
}

/** How many bytes it has read, of whatever. */
function read(pid: number): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))![1]);
}
