/** The environment in which tests run: the same on every machine, for every person. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const kept =
  /^(PATH|TMPDIR|CHROMIUM|VITEST.*|NODE_ENV|NODE_V8_COVERAGE|GROUNDPLAN_TEST_.*|UPDATE_GOLDEN|SEAM_.*|TINYPOOL.*|SYSTEMROOT|TEMP|TMP)$/i;

/**
 * Takes out what a person's shell brings (keys, proxies, colours, locale, git's identity). Temporary folders are made in one of this
 * run's own; undoing removes it with all that the tests left in it, and tells of that.
 */
export function settleEnvironment(environment: NodeJS.ProcessEnv): () => void {
  const before = { ...environment };
  const own = mkdtempSync(join(plainPlace(), "gp-"));
  const home = join(own, "home");
  mkdirSync(home, { mode: 0o700 });
  for (const name of Object.keys(environment)) if (!kept.test(name)) delete environment[name];
  const path = `${environment["PATH"]}:/usr/sbin`;
  const same = { LANG: "C.UTF-8", TZ: "UTC", TERM: "dumb", NO_COLOR: "1" };
  Object.assign(environment, { PATH: path, HOME: home, TMPDIR: own, ...same });
  const mask = process.umask(0o022);
  return () => {
    process.umask(mask);
    for (const name of Object.keys(environment)) delete environment[name];
    Object.assign(environment, before);
    const left = countsOf(readdirSync(own).filter((name) => name !== "home"));
    if (left !== "") console.log(`\nLeft behind by tests, and removed now: ${left}`);
    try {
      rmSync(own, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    } catch (error) {
      console.log(`${own} could not be removed: ${String(error)}`);
    }
  };
}

/** Where nothing above makes a project of it: in a folder for temporary files that all share, somebody may have left a `.git`. */
function plainPlace(): string {
  const places = [tmpdir(), "/var/tmp", "/dev/shm"].filter((place) => existsSync(place));
  return places.find((place) => !isInProject(place)) ?? tmpdir();
}

function isInProject(folder: string): boolean {
  return existsSync(join(folder, ".git")) || (folder !== dirname(folder) && isInProject(dirname(folder)));
}

/** `3 groundplan-log, 1 x`: names without their chance part, most first. */
function countsOf(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names.map((one) => one.replace(/-?[A-Za-z0-9]{6}$/, "")))
    counts.set(name, (counts.get(name) ?? 0) + 1);
  const most = [...counts].toSorted(([, left], [, right]) => right - left);
  return most.map(([name, count]) => `${count} ${name}`).join(", ");
}
