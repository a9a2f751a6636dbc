/** One leg from outside: a place is made, the agent runs in the cage, and what changed is looked at from here. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { launch } from "../agent/host/launch/launch.ts";
import { parseJson } from "../core/wire/shape.ts";
import type { CrashCage } from "./cage.ts";
import { end } from "./inside/process.ts";
import type { LegReport, LegWish } from "./inside/run-leg.ts";
import { filesNamedBy } from "./subject.ts";
import { changesOf, makePlace, treeOf, type Tree } from "./place.ts";

export interface LegOutcome {
  /** Null where it came to no end by itself. */
  readonly report: LegReport | null;
  readonly changes: readonly string[];
}

export interface LegPlan extends Omit<LegWish, "place" | "path"> {
  readonly own: readonly string[];
}

export interface CrashGround {
  readonly cage: CrashCage;
  /** The folder that all places lie in. */
  readonly scratch: string;
}

/** For what is done before and after the agent itself. */
const graceMs = 60_000;

export async function runCaged(plan: LegPlan, { cage, scratch }: CrashGround, name: string): Promise<LegOutcome> {
  const { own, ...rest } = plan;
  const root = join(scratch, name);
  mkdirSync(root);
  const place = makePlace(root);
  const wish: LegWish = { ...rest, place, path: process.env["PATH"] ?? "" };
  const visible = filesNamedBy([...wish.program, ...wish.workProgram, ...wish.groundplan]);
  const [program = "", ...args] = cage.confine([...wish.groundplan, "crashtest-leg"], { place, visible });
  let before: Tree | null = null;
  try {
    const report = await talked({ program, args, wish }, () => void (before = treeOf(place, own)));
    return { report, changes: before === null ? [] : changesOf(before, treeOf(place, own), place) };
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

interface Talk {
  readonly program: string;
  readonly args: readonly string[];
  readonly wish: LegWish;
}

function talked({ program, args, wish }: Talk, whenReady: () => void): Promise<LegReport | null> {
  const environment = { PATH: wish.path, HOME: wish.place.home, TMPDIR: wish.place.temporary, LANG: "C.UTF-8" };
  const child = launch({ program, args, directory: "/", environment, stdio: ["pipe", "pipe", "pipe"], detached: true });
  if (child instanceof Error) return Promise.resolve(null);
  return new Promise((settle) => {
    let [report, said]: [LegReport | null, string] = [null, ""];
    const timer = setTimeout(() => end(child), wish.limitMs * 2 + graceMs);
    createInterface({ input: child.stdout! }).on("line", (line) => {
      const told = parseJson(line) as { ready?: boolean; report?: LegReport } | undefined;
      if (told?.ready === true) {
        whenReady();
        child.stdin!.write("go\n");
      }
      if (told?.report === undefined) return;
      report = told.report;
      end(child);
    });
    child.stderr!.on("data", (bytes: Buffer) => (said = (said + bytes.toString()).slice(-2000)));
    child.stdin!.on("error", () => undefined);
    child.on("error", () => settle(null));
    child.on("close", () => {
      clearTimeout(timer);
      settle(report ?? (said === "" ? null : failed(said)));
    });
    child.stdin!.write(`${JSON.stringify(wish)}\n`);
  });
}

function failed(said: string): LegReport {
  const problem = said.trim().split("\n").at(-1) ?? "";
  return { scenes: [], offered: [], ended: null, requests: 0, unreachable: 0, toldChanged: false, problem };
}
