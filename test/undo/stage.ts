/** A session on real files without a model: works by tools and commands, prompts, a person who changes things, and going back. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Call } from "../../src/core/decide/access.ts";
import type { Event } from "../../src/core/event.ts";
import { reduce } from "../../src/core/reduce.ts";
import { freshSession } from "../../src/core/session.ts";
import type { SessionHandle } from "../../src/agent/ports/handle.ts";
import { openStore } from "../../src/agent/undo/open-store.ts";
import { createRecorder } from "../../src/agent/undo/recorder.ts";
import { rewind, type RewindResult, type RewindWish } from "../../src/agent/undo/rewind.ts";
import type { PointStore } from "../../src/agent/undo/store.ts";
import { call, commandAccess, start } from "../../src/testing/core-fixtures.ts";

export interface UndoStage {
  readonly root: string;
  readonly folder: string;
  readonly handle: SessionHandle;
  readonly store: PointStore;
  readonly told: readonly string[];
  /** A prompt that is answered at once. */
  prompt(text: string): Promise<void>;
  write(path: string, act: () => void | Promise<void>): Promise<void>;
  command(act: () => void | Promise<void>): Promise<void>;
  back(wish: Partial<RewindWish> & Pick<RewindWish, "to">): Promise<RewindResult>;
  /** Every picture is taken. */
  idle(): Promise<void>;
}

export async function openUndoStage(root: string, folder: string): Promise<UndoStage> {
  mkdirSync(folder, { recursive: true });
  const store = await openStore(root, join(folder, "s1.undo"));
  const told: string[] = [];
  const handle = plainHandle();
  await handle.send({ ...start(), roots: { project: root, home: folder } });
  const recorder = createRecorder({ root, report: (line) => void told.push(line) });
  recorder.follow(handle, async () => store);
  const run = (wanted: Call, act: () => void | Promise<void>): Promise<void> =>
    recorder.around(wanted, null, async () => act());
  return {
    root,
    folder,
    handle,
    store,
    told,
    async prompt(text) {
      await handle.send({ type: "user-said", text });
      const request = handle.state.turn.thinking ?? 0;
      await handle.send({ type: "model-replied", request, content: [], calls: [] });
    },
    write: (path, act) => run(call("w", { kind: "write", path: join(root, path), place: "project" }), act),
    command: (act) => run(call("b", commandAccess({ verdict: "writes" })), act),
    async back(wish) {
      await recorder.idle();
      const asked: RewindWish = { what: "files", how: "undo", overwrite: [], ...wish };
      return rewind(
        { session: () => handle.state, alone: (act) => handle.alone(act), store, folder, now: () => 1 },
        asked,
      );
    },
    idle: () => recorder.idle(),
  };
}

function plainHandle(): SessionHandle {
  let state = freshSession();
  return {
    get state() {
      return state;
    },
    async send(event: Event) {
      const { session, effects } = reduce(state, event);
      state = session;
      const refusal = effects.find((effect) => effect.type === "refuse");
      return refusal === undefined ? null : { reason: refusal.reason };
    },
    alone(act) {
      return act((event) => this.send(event));
    },
    settled: async () => undefined,
    compact: async () => null,
    subscribe: () => () => undefined,
    close: () => undefined,
  };
}

/** Path (bytes in a string) to what it is; folders and `.git` are not among them. */
export type Tree = ReadonlyMap<string, string>;

export function treeOf(root: string): Tree {
  const tree = new Map<string, string>();
  const walk = (folder: string): void => {
    for (const entry of readdirSync(placeOf(root, folder), { withFileTypes: true, encoding: "buffer" })) {
      const name = entry.name.toString("latin1");
      const path = folder === "" ? name : `${folder}/${name}`;
      if (path === ".git") continue;
      if (entry.isDirectory()) walk(path);
      else tree.set(path, stateOf(placeOf(root, path)));
    }
  };
  walk("");
  return tree;
}

export function placeOf(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(path === "" ? root : `${root}/`), Buffer.from(path, "latin1")]);
}

function stateOf(place: Buffer): string {
  const found = lstatSync(place);
  if (found.isSymbolicLink()) return `link ${readlinkSync(place)}`;
  if (!found.isFile()) return "other";
  const hash = createHash("sha1").update(readFileSync(place)).digest("hex");
  return `${(found.mode & 0o100) === 0 ? "file" : "program"} ${hash}`;
}

export function gitIn(root: string, ...args: readonly string[]): string {
  const own = { PATH: process.env["PATH"], HOME: root, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const named = ["-c", "user.name=t", "-c", "user.email=t@example.invalid"];
  return execFileSync("git", [...named, ...args], { cwd: root, env: own, stdio: "pipe" }).toString();
}

/** A repository of these files, committed. */
export function repositoryOf(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  gitIn(root, "init", "-q", "-b", "main");
  gitIn(root, "add", "-A");
  gitIn(root, "commit", "-qm", "begin");
}
