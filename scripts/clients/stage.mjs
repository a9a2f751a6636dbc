// A real client on its stage, in the cage of the crash test: its settings, our guard, a scripted model, and what can be seen and broken there.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { agentNamed } from "../../src/crashtest/agents/table.ts";
import { offeredTools } from "../../src/crashtest/inside/wire.ts";
import { pause } from "../../src/crashtest/inside/pause.ts";
import { changesOf, placeIn, setUp, treeOf } from "../../src/crashtest/place.ts";
import { startLoopback } from "../../src/testing/loopback.ts";

/** `turn(at, asked)` gives the model's nth turn, null for the end; `work(stage, model)` tells what does not hold. */
export async function onStage({ name, program, groundplan, root }, wish, work) {
  const row = agentNamed(name);
  const place = placeIn(root);
  const { mode = "plan", circumstances = {}, environment = {}, guard = installed, turn } = wish;
  const browser = join(root, "browser");
  writeFileSync(browser, `#!/bin/sh\nprintf '%s\\n' "$1" >> '${join(root, "opened")}'\n`, { mode: 0o755 });
  const own = {
    PATH: process.env["PATH"],
    SHELL: "/bin/bash",
    LANG: "C.UTF-8",
    HOME: place.home,
    TMPDIR: place.temporary,
  };
  const stage = {
    ...place,
    mode,
    circumstances,
    program: [program],
    wire: row.wires[0],
    prompt: "Please do the probe.",
    resumes: false,
    limitMs: 60_000,
    finished: new Promise(() => {}),
    environment: { ...own, BROWSER: browser, ...environment },
  };
  const turns = [];
  const server = await startLoopback({
    script: (request) => {
      const offered = offeredTools(request);
      if (!(row.isTurn?.(request) ?? offered.length > 0)) return { text: "ok" };
      turns.push(request);
      return turn(turns.length - 1, { stage, offered, request }) ?? { text: "Done." };
    },
  });
  stage.url = server.url;
  try {
    const made = spawnSync("sh", ["-c", setUp(circumstances.repository)], {
      cwd: place.project,
      env: stage.environment,
    });
    if (made.status !== 0) throw new Error(`the repository: ${made.stderr}`);
    row.prepare(stage);
    await guard({ stage, row, groundplan });
    const before = treeOf(place, row.own);
    const changes = () => changesOf(before, treeOf(place, row.own), place);
    return await work(stage, { turns, row, changes });
  } finally {
    await server.close();
  }
}

/** By the very program that a person runs. */
export async function installed({ stage, row, groundplan }) {
  const { status, stderr } = spawnSync(process.execPath, [groundplan, "install", row.name, "--yes"], {
    cwd: stage.project,
    env: stage.environment,
    encoding: "utf8",
  });
  if (status !== 0 && row.trust === undefined) throw new Error(`install: ${status}: ${stderr}`);
  await row.trust?.(stage);
}

export async function until(what, look, limitMs = 60_000) {
  const end = Date.now() + limitMs;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (Date.now() > end) throw new Error(`never: ${what}`);
    await pause(100);
  }
}

/** The link of each page that was opened in the browser of this place, oldest first. */
export function openedPages({ root }) {
  const file = join(root, "opened");
  const opened = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  return opened.map((address) =>
    linkIn(address.startsWith("file:") ? readFileSync(fileURLToPath(address), "utf8") : address),
  );
}

/** The link that waits for a person who has no browser. */
export function waitingPage({ home }) {
  const folder = join(home, ".groundplan/reviews/open");
  const [name] = existsSync(folder) ? readdirSync(folder) : [];
  return name === undefined ? null : linkIn(readFileSync(join(folder, name), "utf8"));
}

function linkIn(text) {
  return /http:\/\/127\.0\.0\.1:[^"'<\s]+/.exec(text)?.[0] ?? null;
}

/** What the process of the pages wrote down of itself; null where there is none. */
export function pageOffice({ home }) {
  const file = join(home, ".groundplan/reviews/page.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
}

/** Processes of the cage that were started with this word. */
export function killStarted(word) {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && wordsOf(name).includes(word));
  for (const pid of pids) process.kill(Number(pid), "SIGKILL");
  return pids.length > 0;
}

function wordsOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}
