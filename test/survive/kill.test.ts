/** The same story in a real process that is killed with -9 at chance moments, again and again, until it is told. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { outcomeOf } from "./compare.ts";
import { eventsIn, tellStory } from "./run.ts";
import { remove } from "../support/remove.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "groundplan-kill-")));
const entry = fileURLToPath(new URL("child.ts", import.meta.url));
const cache = fileURLToPath(new URL("../../node_modules/.cache", import.meta.url));
let program = "";

beforeAll(async () => {
  mkdirSync(cache, { recursive: true });
  program = join(mkdtempSync(join(cache, "story-")), "child.mjs");
  await build({
    entryPoints: [entry],
    outfile: program,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20.19",
    plugins: [ownAddresses],
  });
});
afterAll(() => {
  remove(root);
  rmSync(join(program, ".."), { recursive: true, force: true });
});

test("R14.2 R14.5 R14.6 killed with -9 at chance moments and resumed, the story comes to its end with the same state, plans and files", async () => {
  const folder = join(root, "story");
  prepare(folder);
  const { session } = await tellStory({ folder });
  const expected = outcomeOf(session, folder).rest;
  let kills = 0;
  let told: unknown = null;
  prepare(folder);
  for (let tries = 0; told === null && tries < 100; tries += 1) {
    const printed = await runUntil(folder, linesIn(folder) + 4 + ((tries * 7) % 9));
    /** Where it was through before this process could look: once more from the beginning. */
    if (printed === null) kills += 1;
    else if (kills > 0) told = JSON.parse(printed);
    else prepare(folder);
  }
  expect(told).toEqual(expected);
  expect(kills).toBeGreaterThan(0);
  expect(eventsIn(folder).filter(({ type }) => type === "session-resumed").length).toBeGreaterThan(0);
});

/** In the bundle every file keeps its own `import.meta.url`: prompts are read from beside theirs. */
const ownAddresses: Plugin = {
  name: "own-addresses",
  setup(bundler) {
    bundler.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const url = JSON.stringify(pathToFileURL(path).href);
      return { loader: "ts", contents: readFileSync(path, "utf8").replaceAll("import.meta.url", url) };
    });
  },
};

/** What it printed, or null when it was killed first: soon after its log had so many lines, however fast the machine is. */
function runUntil(folder: string, lines: number): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, folder], { stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
    const timer = setInterval(() => {
      if (linesIn(folder) >= lines) child.kill("SIGKILL");
    }, 3);
    child.on("close", (code) => {
      clearInterval(timer);
      resolve(code === 0 ? printed : null);
    });
  });
}

/** A process may be killed before there is a log at all. */
function linesIn(folder: string): number {
  const log = join(folder, "log.jsonl");
  return existsSync(log) ? readFileSync(log, "utf8").split("\n").length - 1 : 0;
}

function prepare(folder: string): void {
  remove(folder);
  mkdirSync(join(folder, "repo"), { recursive: true });
  mkdirSync(join(folder, "plans"));
  writeFileSync(join(folder, "repo/a.ts"), "one\n");
}
