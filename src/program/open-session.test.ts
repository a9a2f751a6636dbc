import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { filesBelow } from "../../test/support/walk.ts";
import { loadLog } from "../agent/store/log-reader.ts";
import { openers, openSession, type Openers } from "./open-session.ts";
import { isUsageError } from "./usage-error.ts";
import { remove } from "../../test/support/remove.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) remove(folder);
});

type Part = keyof Openers;

function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "groundplan-parts-")));
  folders.push(folder);
  mkdirSync(join(folder, "repo/.git"), { recursive: true });
  return folder;
}

/** A teammate's: then every part is there. */
async function open(parts: Openers) {
  const folder = newFolder();
  const told: string[] = [];
  const options = {
    wish: { teammate: { name: "ada", team: "t", planRequired: false, answerWithinMs: 1_000 }, prompt: "do it" },
    environment: { GROUNDPLAN_HOME: join(folder, "home"), ANTHROPIC_API_KEY: "k" },
    startedIn: join(folder, "repo"),
    tell: (line: string) => void told.push(line),
  };
  const opened = await openSession(options, parts).catch((error: unknown) => error as Error);
  const own = /^home\/(sessions\/.*|teams\/t\/members\/ada)\.lock$/;
  return { opened, told, locks: () => filesBelow(folder).filter((name) => own.test(name)) };
}

/** The real parts; what is opened and closed is noted, and one of them fails. */
function watched(events: string[], failing: { readonly part: Part; readonly by: "error" | "problem" } | null): Openers {
  const noted = (name: Part, part: unknown): unknown => {
    if (typeof part !== "object" || part === null || !("close" in part)) return part;
    events.push(`open ${name}`);
    const { close } = part as { readonly close: () => unknown };
    return new Proxy(part, {
      get: (target, key) =>
        key !== "close" ? Reflect.get(target, key) : () => (events.push(`close ${name}`), close.call(target)),
    });
  };
  const entries = Object.entries(openers).map(([key, opener]) => {
    const name = key as Part;
    const real = opener as (...given: unknown[]) => unknown;
    const call = (...given: unknown[]): unknown => {
      if (failing?.part === name && failing.by === "error") throw new Error(`${name} failed`);
      if (failing?.part === name) return { problem: `no ${name}`, exitCode: 7 };
      const part = real(...given);
      return part instanceof Promise ? part.then((found) => noted(name, found)) : noted(name, part);
    };
    return [name, call];
  });
  return Object.fromEntries(entries) as Openers;
}

const closable = ["settings", "models", "files", "shell", "team", "session"] as const;

describe("whatever fails while a session is opened, what was opened is closed: once, the last one first", () => {
  const before: Readonly<Record<Part, number>> = {
    settings: 0,
    models: 1,
    files: 2,
    beginning: 3,
    shell: 3,
    team: 4,
    agents: 5,
    session: 5,
  };

  test.each(Object.keys(openers) as Part[])("%s breaks", async (part) => {
    const events: string[] = [];
    const { opened, locks } = await open(watched(events, { part, by: "error" }));
    expect(opened).toEqual(new Error(`${part} failed`));
    const those = closable.slice(0, before[part]);
    expect(events).toEqual([
      ...those.map((name) => `open ${name}`),
      ...those.toReversed().map((name) => `close ${name}`),
    ]);
    expect(locks()).toEqual([]);
  });

  test.each(["settings", "models", "beginning", "team"] as const)("%s says no", async (part) => {
    const events: string[] = [];
    const { opened, locks } = await open(watched(events, { part, by: "problem" }));
    expect(opened).toEqual({ problem: `no ${part}`, exitCode: 7 });
    const those = closable.slice(0, before[part]);
    expect(events.slice(those.length)).toEqual(those.toReversed().map((name) => `close ${name}`));
    expect(locks()).toEqual([]);
  });

  test("none fails: what works on the session ends before it, and a second close does nothing", async () => {
    const events: string[] = [];
    const { opened, locks } = await open(watched(events, null));
    if (opened instanceof Error || isUsageError(opened)) throw new Error(JSON.stringify(opened), { cause: opened });
    events.length = 0;
    await opened.close();
    await opened.close();
    expect(events).toEqual(["settings", "team", "session", "shell", "files", "models"].map((name) => `close ${name}`));
    expect(locks()).toEqual([]);
  });

  test("one that cannot be closed does not keep the others open", async () => {
    const events: string[] = [];
    const parts = watched(events, { part: "session", by: "error" });
    const broken = async (...given: Parameters<Openers["team"]>) => {
      const team = await parts.team(...given);
      return isUsageError(team) ? team : { ...team, close: () => Promise.reject(new Error("stuck")) };
    };
    const { opened, told } = await open({ ...parts, team: broken });
    expect(opened).toEqual(new Error("session failed"));
    expect(events.filter((event) => event.startsWith("close"))).toEqual([
      "close shell",
      "close files",
      "close models",
      "close settings",
    ]);
    expect(told).toEqual(["What was open could not be closed: Error: stuck"]);
  });
});

/** Somebody writes on in the log while it is read, and has not finished a line. */
const meanwhile = (path: string): Openers => ({
  ...openers,
  beginning: (request) =>
    openers.beginning({
      ...request,
      sealer: {
        ...request.sealer,
        check: (line, previous) => {
          appendFileSync(path, '{"v":1,"at":5,"ev');
          return request.sealer.check(line, previous);
        },
      },
    }),
});

const stage = async () => {
  const folder = newFolder();
  const options = {
    environment: { GROUNDPLAN_HOME: join(folder, "home"), ANTHROPIC_API_KEY: "k" },
    startedIn: join(folder, "repo"),
  };
  const first = await openSession({ ...options, wish: { mode: "plan" } });
  if (isUsageError(first)) throw new Error(first.problem);
  const { id } = first.handle.state;
  await first.close();
  const logs = () => filesBelow(folder).filter((name) => /\/sessions\/[^.]*\.jsonl$/.test(name));
  return { options: { ...options, wish: { resume: id, fork: true } }, path: join(folder, logs()[0]!), logs };
};

describe("R14.3 a fork of a session that is being written", () => {
  test("goes on from what was read, whole line by whole line", async () => {
    const { options, path } = await stage();
    const told: string[] = [];
    const before = readFileSync(path, "utf8");
    const forked = await openSession({ ...options, tell: (line) => void told.push(line) }, meanwhile(path));
    if (isUsageError(forked)) throw new Error(forked.problem);
    const copy = join(dirname(path), `${forked.handle.state.id}.jsonl`);
    expect(forked.handle.state.permissions.mode.current).toBe("plan");
    await forked.close();
    expect(copy).not.toBe(path);
    expect(readFileSync(copy, "utf8").startsWith(before)).toBe(true);
    expect(readFileSync(copy, "utf8")).not.toContain('"ev{');
    expect((await loadLog(copy)).problems).toEqual([]);
    expect(readFileSync(path, "utf8").length).toBeGreaterThan(before.length);
  });

  test("leaves nothing behind where it cannot be opened", async () => {
    const { options, logs } = await stage();
    const failing = { ...openers, session: () => Promise.reject(new Error("no session")) };
    await expect(openSession(options, failing)).rejects.toThrow("no session");
    expect(logs()).toHaveLength(1);
  });
});
