// A script on both sides of the crash test's cage: outside it asks, inside it does and tells.
import { spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCage } from "../../src/crashtest/cage.ts";
import { makePlace } from "../../src/crashtest/place.ts";

const mark = "--inside";

/** `act(wish, around)` runs in the cage; `lead(ask)` outside, where `ask(wish)` gives what it told, or a text that says why nothing. */
export async function inCage(name, program, { act, lead }) {
  const at = process.argv.indexOf(mark);
  if (at < 0) return led(name, program, lead);
  const { wish, around } = JSON.parse(process.argv[at + 1]);
  const told = await act(wish, around).catch((error) => String(error));
  await new Promise((resolve) => void process.stdout.write(`\n${JSON.stringify({ told })}\n`, resolve));
  process.exit();
}

async function led(name, program, lead) {
  const groundplan = join(process.cwd(), "dist/bin/groundplan.js");
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), "groundplan-clients-")));
  try {
    const visible = [program, groundplan, process.argv[1], process.execPath];
    const cage = await openCage(scratch, visible);
    if ("problem" in cage) throw new Error(cage.problem);
    return await lead(async (wish) => {
      const root = mkdtempSync(join(scratch, "one-"));
      const place = makePlace(root);
      const around = { name, program, groundplan, root };
      const own = [process.execPath, process.argv[1], mark, JSON.stringify({ wish, around })];
      const told = await heard(cage.confine(own, { place, visible }), place);
      remove(root);
      return told;
    });
  } finally {
    remove(scratch);
  }
}

function remove(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
}

function heard([file, ...args], { home, temporary }) {
  const env = { PATH: process.env["PATH"], HOME: home, TMPDIR: temporary, LANG: "C.UTF-8" };
  return new Promise((resolve) => {
    const options = { env, stdio: ["ignore", "pipe", "pipe"], timeout: 180_000, killSignal: "SIGKILL" };
    const child = spawn(file, args, options);
    let [said, complained] = ["", ""];
    child.stdout.on("data", (bytes) => (said += bytes));
    child.stderr.on("data", (bytes) => (complained += bytes));
    child.on("close", (code, signal) => {
      const line = said.split("\n").findLast((each) => each.startsWith('{"told":'));
      const brokenOff = `it broke off (${signal ?? code}): ${complained.slice(-2000)}`;
      resolve(line === undefined ? brokenOff : JSON.parse(line).told);
    });
  });
}
