/** Finds the page process of a config home, or starts it: detached, without a key, one for all agents and sessions. */
import { request } from "node:http";
import { existsSync } from "node:fs";
import { lstat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as pause } from "node:timers/promises";
import { makePrivateFolder } from "../../agent/host/config-home.ts";
import { readRegularText } from "../../agent/host/files/read-regular.ts";
import { launch } from "../../agent/host/launch/launch.ts";
import { passedOn } from "./passed-on.ts";
import { readPageRecord, recordFile, secretHeader } from "./wire.ts";

export interface ProcessWish {
  /** The config home. */
  readonly home: string;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly signal: AbortSignal;
  /** How it is started: program and arguments. */
  readonly starter?: Starter;
}

type Starter = readonly [program: string, ...args: string[]];

export interface ProcessPlace {
  readonly socket: string;
  readonly secret: string;
}

export interface ProcessQuestion {
  readonly path: "/present" | "/answered" | "/received" | "/list" | "/ping";
  readonly body: object;
  readonly signal: AbortSignal;
  /** A line of JSON. */
  readonly hear: (line: string) => void;
}

/** Rejects where it can neither be reached nor started in time. */
export async function reachProcess(wish: ProcessWish): Promise<ProcessPlace> {
  const { home, signal } = wish;
  const started: Started = { failed: null, note: join(home, `page-failed-${process.pid}`) };
  for (let tried = 0; ; tried += 1) {
    const found = await livingPlace(home, signal);
    if (found !== null) return found;
    signal.throwIfAborted();
    if (tried % triesPerStart === 0) {
      if (tried >= mostStarts * triesPerStart) throw new Error("its program does not start");
      await start(wish, started);
    }
    await pause(betweenMs, undefined, { signal });
    await lookAtNote(started);
    if (started.failed !== null) throw new Error(started.failed);
  }
}

/** So often it is looked for before it is started once more: another one may be on its way, or have ended just now. */
const triesPerStart = 40;
const mostStarts = 15;
const betweenMs = 50;

/** Resolves when the last line was heard; rejects when the line is cut. */
export function askProcess({ socket, secret }: ProcessPlace, question: ProcessQuestion): Promise<void> {
  const { path, body, signal, hear } = question;
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body);
    const headers = {
      host: "groundplan",
      [secretHeader]: secret,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
    };
    const sent = request({ socketPath: socket, path, method: "POST", headers, signal, agent: false }, (response) => {
      let rest = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        const lines = `${rest}${chunk}`.split("\n");
        rest = lines.pop() ?? "";
        if (rest.length > longestLine) response.destroy(new Error("it said too much"));
        for (const line of lines) hear(line);
      });
      response.on("error", reject);
      response.on("end", () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`its page process refused (${response.statusCode})`));
      });
    });
    sent.on("error", reject);
    sent.end(text);
  });
}

const longestLine = 32 * 1024 * 1024;

/** Only by a record and a socket that nobody but this person could have put there. */
async function livingPlace(home: string, signal: AbortSignal): Promise<ProcessPlace | null> {
  const bounds = { direct: true, others: "refused", limit: 4096 } as const;
  const record = readPageRecord(await readRegularText(recordFile(home), bounds).catch(() => ""));
  if (record === null || record.socket === null) return null;
  const { socket, secret } = record;
  if (process.platform !== "win32") {
    const found = await lstat(socket).catch(() => null);
    if (found?.isSocket() !== true || found.uid !== process.getuid?.()) return null;
  }
  const place = { socket, secret };
  const ping = { path: "/ping", body: {}, signal, hear: () => undefined } as const;
  return askProcess(place, ping).then(
    () => place,
    () => null,
  );
}

interface Started {
  /** Why it ended at once; one that finds another at work ends well. */
  failed: string | null;
  /** A file with the code that it ended with, where that was a failure. */
  readonly note: string;
}

async function lookAtNote(started: Started): Promise<void> {
  const code = await readRegularText(started.note, { direct: true, others: "refused", limit: 16 }).catch(() => null);
  if (code === null || code === "") return;
  await unlink(started.note).catch(() => undefined);
  started.failed ??= `its program ended with ${code}`;
}

async function start({ home, environment = process.env, starter }: ProcessWish, started: Started): Promise<void> {
  await makePrivateFolder(home);
  await unlink(started.note).catch(() => undefined);
  const [program, ...args] = letGo(starter ?? ownStarter(), started.note);
  const child = launch({
    program,
    args,
    directory: home,
    environment: { ...passedOn(environment), GROUNDPLAN_HOME: home },
    stdio: "ignore",
    detached: true,
  });
  if (child instanceof Error) throw child;
  child.once("error", (error) => void (started.failed = error.message));
  child.once("exit", (code) => void (code === 0 || (started.failed = `its program ended with ${String(code)}`)));
  child.unref();
}

/** A client that ends a hook ends all that descends from it (Claude Code, at Escape): what lives on is nobody's child from the start. */
function letGo(starter: Starter, note: string): Starter {
  if (process.platform === "win32") return starter;
  const told = 'code=$?; [ "$code" -eq 0 ] || [ "$code" -gt 128 ] || (umask 077; printf %s "$code" >"$0")';
  return ["/bin/sh", "-c", `{ "$@"; ${told}; } & exit 0`, note, ...starter];
}

/** Our own program, which lies beside the hook's in the bundle. */
function ownStarter(): Starter {
  const places = ["./groundplan.js", "../../../bin/groundplan.js", "../../../dist/bin/groundplan.js"];
  const found = places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((path) => existsSync(path));
  if (found === undefined) throw new Error("the program of Groundplan is not where it was installed");
  return [process.execPath, found, "reviews"];
}
