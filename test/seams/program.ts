/** The program in this very process: its real `print`, with the real wiring, against a scripted server on loopback. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { parseSessionArguments } from "../../src/cli/args.ts";
import { print } from "../../src/cli/headless/print.ts";
import { parseTeammate } from "../../src/cli/commands/team/start.ts";
import type { Event } from "../../src/core/event.ts";
import { decodeLog } from "../../src/core/wire/log-format.ts";
import { startLoopback, type LoopbackRequest, type ScriptedTurn } from "../../src/testing/loopback.ts";
import type { Sources } from "./expected.ts";
import { remove } from "../support/remove.ts";

export interface Place {
  readonly repository: string;
  /** A folder outside of the project. */
  readonly beside: string;
  readonly home: string;
  /** Writes the files of these settings. */
  settle(sources: Sources): void;
  /** Answers the requests of the next runs. */
  script(answer: Answer): void;
  run(args: readonly string[], driver?: Driver): Promise<Ran>;
  /** The log of a session, and those of its agents. */
  logs(id: string): readonly (readonly Event[])[];
  editLog(id: string, change: (text: string) => string): void;
  close(): Promise<void>;
}

export type Answer = (request: LoopbackRequest) => ScriptedTurn;

/** Reads what is streamed out, and writes lines in. */
export type Driver = (event: Record<string, unknown>, stdin: { write(line: object): void; end(): void }) => void;

export interface Ran {
  readonly code: number;
  readonly result: Record<string, unknown> & { readonly sessionId: string; readonly mode: string };
  readonly stderr: string;
}

export async function setPlace(): Promise<Place> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "groundplan-seams-")));
  const [repository, home, beside] = [join(folder, "repo"), join(folder, "home"), join(folder, "beside")];
  const files = { "a.ts": "1\n", ".env": "KEY=1\n", "src/b.ts": "2\n", "docs/d.md": "# d\n", "../beside/c.txt": "c\n" };
  for (const [name, text] of Object.entries(files)) put(join(repository, name), text);
  execFileSync("git", ["init", "-q", "-b", "main"], { cwd: repository, stdio: "pipe" });
  let answer: Answer | null = null;
  const server = await startLoopback({ script: (request) => answer?.(request) ?? { text: "Done." } });
  const restore = withEnvironment({ ...server.environment(), GROUNDPLAN_HOME: home, HOME: folder });
  const sessions = () => join(home, "sessions", readdirSync(join(home, "sessions"))[0]!);
  return {
    repository,
    beside,
    home,
    settle({ user, project }) {
      put(join(home, "settings.json"), JSON.stringify(user));
      put(join(repository, ".groundplan/settings.json"), JSON.stringify(project));
    },
    script: (given) => void (answer = given),
    run: (args, driver) => runHere([...args, "--cwd", repository], driver),
    logs(id) {
      const agents = join(sessions(), `${id}.agents`);
      const names = readdirSync(sessions()).includes(`${id}.agents`) ? readdirSync(agents).toSorted() : [];
      const paths = [join(sessions(), `${id}.jsonl`), ...names.map((name) => join(agents, name))];
      return paths.map((path) => decodeLog(readFileSync(path, "utf8")).entries.map(({ event }) => event));
    },
    editLog(id, change) {
      const path = join(sessions(), `${id}.jsonl`);
      writeFileSync(path, change(readFileSync(path, "utf8")));
    },
    async close() {
      restore();
      await server.close();
      remove(folder);
    },
  };
}

async function runHere(args: readonly string[], driver: Driver | undefined): Promise<Ran> {
  const [first, ...rest] = args;
  const parsed = first === "team" ? parseTeammate(rest) : parseSessionArguments(args);
  if ("problem" in parsed) throw new Error(parsed.problem);
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const control = {
    write: (line: object) => void stdin.write(`${JSON.stringify(line)}\n`),
    end: () => void stdin.end(),
  };
  let result: Ran["result"] | null = null;
  let told = "";
  let cut = "";
  stderr.on("data", (chunk: Buffer) => (told += chunk.toString()));
  stdout.on("data", (chunk: Buffer) => {
    const lines = (cut + chunk.toString()).split("\n");
    cut = lines.pop() ?? "";
    for (const line of lines) {
      const event = JSON.parse(line);
      if (event.type === "result") result = event;
      driver?.(event, control);
    }
  });
  if (driver === undefined) stdin.end();
  const undo = withoutSignals();
  const code = await print(parsed, { stdin, stdout, stderr }).finally(undo);
  if (result === null) throw new Error(`exit ${code}, no result\n${told}`);
  return { code, result, stderr: told };
}

/** The program listens for signals once in its life; here it has many. */
function withoutSignals(): () => void {
  const names = ["SIGINT", "SIGTERM"] as const;
  const before = names.map((name) => process.listeners(name));
  return () => {
    names.forEach((name, index) => {
      for (const listener of process.listeners(name))
        if (!before[index]!.includes(listener)) process.off(name, listener);
    });
  };
}

function withEnvironment(given: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(given).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, given);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}

/** Whole or not at all: the program may look at any moment. */
function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}
