/** The hook's program: reads the payload, answers whole, and ends; no way out of it is taken for "go on" (B11.4). */
import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { errorText } from "../../core/error-text.ts";
import type { Spoken } from "../client.ts";
import { clientNamed } from "../table.ts";
import { openExchange } from "./exchange.ts";
import { sight } from "./sight.ts";

/** For the build, which has it judge a few calls before it keeps what V8 compiled. */
export { clientNamed, openExchange, sight };

export interface HookProcess {
  /** `[hook] <agent> <event> [review]` */
  readonly args: readonly string[];
  /** The answer is out, the process ends next. */
  readonly onAnswered?: () => void;
}

/** Shorter than any client's own. */
const toolSeconds = 20;
const mostBytes = 16 * 1024 * 1024;

export function runHook({ args, onAnswered }: HookProcess): void {
  const [agent = "", event = "", entry = ""] = args[0] === "hook" ? args.slice(1) : args;
  const ending = new AbortController();
  const exchange = openExchange({
    client: clientNamed(agent),
    event,
    isForReview: entry === "review",
    environment: process.env,
    sight,
    signal: ending.signal,
    onReview: () => clearTimeout(timer),
    tell: (line) => writeWhole(2, `groundplan: ${line}\n`),
  });
  let isOver = false;
  const end = (spoken: Spoken): void => {
    if (isOver) return;
    isOver = true;
    const isOut = writeWhole(2, spoken.stderr) && writeWhole(1, spoken.stdout);
    if (isOut) quietly(onAnswered);
    process.exit(isOut ? spoken.exitCode : 2);
  };
  const fail = (error: unknown): void => end(exchange.refusal({ kind: "failed", problem: errorText(error) }));
  const timer = setTimeout(() => end(exchange.refusal({ kind: "late", seconds: toolSeconds })), toolSeconds * 1000);
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.on(signal, () => {
      ending.abort();
      setTimeout(() => fail(new Error(`it was ended by ${signal}`)), graceMs);
    });
  readPayload().then(async (bytes) => {
    if (bytes === null) end(exchange.refusal({ kind: "unreadable", problem: "the payload is larger than 16 MB" }));
    else end(await exchange.answer(bytes));
  }, fail);
}

/** What waits for a person tells that it is over. */
const graceMs = 1000;

/** Read to its end also where there is too much (null): a client that cannot write to us may take that for anything. */
function readPayload(): Promise<Buffer | null> {
  const { chunks, isWhole } = readWhatIsThere();
  let size = chunks.reduce((sum, { length }) => sum + length, 0);
  const whole = (): Buffer | null => (size > mostBytes ? null : Buffer.concat(chunks));
  if (isWhole) return Promise.resolve(whole());
  return new Promise((settle, reject) => {
    process.stdin.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= mostBytes) chunks.push(chunk);
      else chunks.length = 0;
    });
    process.stdin.on("end", () => settle(whole()));
    process.stdin.on("error", reject);
  });
}

/** Clients write at once: by now all of it is mostly in the pipe, and a stream need not be made. Never waits. */
function readWhatIsThere(): { readonly chunks: Buffer[]; readonly isWhole: boolean } {
  const chunks: Buffer[] = [];
  let pipe: number | null = null;
  try {
    if (process.platform !== "linux" || !fstatSync(0).isFIFO()) return { chunks, isWhole: false };
    pipe = openSync("/proc/self/fd/0", constants.O_RDONLY | constants.O_NONBLOCK);
    for (let size = 0; size <= mostBytes;) {
      const chunk = Buffer.allocUnsafe(64 * 1024);
      const count = readSync(pipe, chunk);
      if (count === 0) return { chunks, isWhole: true };
      chunks.push(chunk.subarray(0, count));
      size += count;
    }
    return { chunks, isWhole: false };
  } catch {
    return { chunks, isWhole: false };
  } finally {
    if (pipe !== null) closeSync(pipe);
  }
}

/** All of it, whatever the pipe takes at once; false where nobody reads any more. */
function writeWhole(file: 1 | 2, text: string): boolean {
  const bytes = Buffer.from(text, "utf8");
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(file, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return file === 2;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
  return true;
}

function quietly(act: (() => void) | undefined): void {
  try {
    act?.();
  } catch {
    /* The answer is out. */
  }
}
