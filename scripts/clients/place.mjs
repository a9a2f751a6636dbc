// Throw-away places for runs of a client: a project under git, a home, a folder elsewhere; and what of them was changed.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { marker } from "./probes.mjs";

/** `root` holds all of it; `remove` takes it away. */
export function makePlace() {
  const root = mkdtempSync(join(tmpdir(), "groundplan-client-"));
  const [home, project, elsewhere, temporary] = ["home", "project", "elsewhere", "tmp"].map((name) => join(root, name));
  for (const folder of [home, elsewhere, temporary, join(project, "src")]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(project, "note.txt"), "alpha\n");
  writeFileSync(join(project, "src/code.js"), `export const mark = "${marker}";\n`);
  const scripts = { touch: "touch made-by-npm.txt" };
  writeFileSync(join(project, "package.json"), `${JSON.stringify({ name: "probe", private: true, scripts })}\n`);
  writeFileSync(join(elsewhere, "kept.txt"), `${marker} elsewhere\n`);
  const git = (...args) =>
    execFileSync("git", ["-C", project, ...args], { stdio: "ignore", env: { ...process.env, HOME: home } });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "start");
  const browser = join(root, "browser");
  writeFileSync(browser, `#!/bin/sh\nprintf '%s\\n' "$1" >> '${join(root, "opened")}'\n`, { mode: 0o755 });
  return {
    root,
    home,
    project,
    elsewhere,
    temporary,
    browser,
    remove: () => removed(root),
  };
}

/** A client that is still ending may write into it: what is left lies among temporary files, and proves nothing. */
function removed(root) {
  try {
    rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  } catch (error) {
    process.stderr.write(`left behind: ${error.message}\n`);
  }
}

/** What changed is seen by comparing two of these. `own` are the client's own paths; git's index is renewed by readers. */
export function treeOf({ project, elsewhere }, own = []) {
  const entries = new Map();
  for (const top of [project, elsewhere]) walk(top, entries);
  for (const path of entries.keys()) {
    const name = relative(project, path);
    if (name === join(".git", "index") || own.some((each) => name === each || name.startsWith(`${each}/`)))
      entries.delete(path);
  }
  return entries;
}

/** The names of what is new, gone or other, shortened to the place. */
export function changesOf(before, after, { root }) {
  const names = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  return names.map((path) => relative(root, path)).toSorted((a, b) => (a < b ? -1 : 1));
}

function walk(folder, entries) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stat = lstatSync(path);
    if (stat.isDirectory()) {
      entries.set(path, "folder");
      walk(path, entries);
    } else if (stat.isSymbolicLink()) entries.set(path, `link ${readlinkSync(path)}`);
    else entries.set(path, `${stat.mode} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`);
  }
}

/** The command line that runs a program with only this place writable, where the machine lets us (root, bubblewrap); our own cage still fits into it. Of `fixed`, folders that the program insists on, it gets ones of this place. */
export function confinedTo({ root }, file, args, fixed = []) {
  if (!canConfine()) return [file, args];
  const instead = fixed.flatMap((folder) => {
    const own = join(root, "fixed", folder);
    for (const each of [folder, own]) mkdirSync(each, { recursive: true, mode: 0o700 });
    return ["--bind", own, folder];
  });
  const around = [
    "--bind",
    "/",
    "/",
    "--remount-ro",
    "/",
    "--dev-bind",
    "/dev",
    "/dev",
    "--bind",
    root,
    root,
    ...instead,
    "--cap-add",
    "ALL",
    "--die-with-parent",
  ];
  return ["bwrap", [...around, "--", file, ...args]];
}

export function canConfine() {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/bwrap")) return false;
  const probe = ["--bind", "/", "/", "--remount-ro", "/", "--dev-bind", "/dev", "/dev", "--cap-add", "ALL", "true"];
  return spawnSync("bwrap", probe).status === 0;
}

/** The link of each page that was opened in the browser of this place, oldest first. */
export function openedPages({ root }) {
  const file = join(root, "opened");
  const opened = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  return opened.map((address) => {
    const text = address.startsWith("file:") ? readFileSync(fileURLToPath(address), "utf8") : address;
    return /http:\/\/127\.0\.0\.1:[^"'<\s]+/.exec(text)?.[0] ?? null;
  });
}

/** The page process of this place, which outlives the client, is ended by the id that it wrote down. */
export function endReviews({ home }) {
  try {
    const { pid } = JSON.parse(readFileSync(join(home, ".groundplan/reviews/page.json"), "utf8"));
    if (Number.isInteger(pid)) process.kill(pid, "SIGKILL");
  } catch {
    // None was started, or it is gone already.
  }
}
