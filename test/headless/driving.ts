/** A session of the real program that another program drives, line by line. */
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { onTestFinished } from "vitest";
import { patience } from "../support/until.ts";
import type { Stage, RunOptions } from "./program.ts";

const driven = ["-p", "--input-format", "stream-json", "--output-format", "stream-json"];

export interface Event {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface Driven {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<number | null>;
  readonly stderr: () => string;
  readonly events: () => readonly Event[];
  /** The first event that fits, now or later. */
  readonly until: (fits: (event: Event) => boolean) => Promise<Event>;
  readonly send: (line: object | string) => void;
}

/** Its process ends with the test. */
export function drive(stage: Stage, args: readonly string[] = [], options: RunOptions = {}): Driven {
  const child = stage.start([...driven, ...args], options);
  child.setMaxListeners(0);
  onTestFinished(() => void child.kill("SIGKILL"));
  let out = "";
  let err = "";
  const lookers = new Set<() => void>();
  const look = (): void => lookers.forEach((one) => one());
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
    look();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  child.stdin.on("error", () => undefined);
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const events = (): readonly Event[] =>
    out
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Event);
  const told = (): string =>
    `${events()
      .map((event) => JSON.stringify(event).slice(0, 300))
      .join("\n")}\n${err}`;
  return {
    child,
    ended,
    events,
    stderr: () => err,
    until: (fits) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          const found = events().find(fits);
          if (found === undefined) return;
          lookers.delete(check);
          clearTimeout(limit);
          resolve(found);
        };
        const limit = setTimeout(() => reject(new Error(`it never came:\n${told()}`)), patience);
        lookers.add(check);
        child.on("close", () => reject(new Error(`it ended before: ${out}${err}`)));
        check();
      }),
    send: (line) => void child.stdin.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`),
  };
}
