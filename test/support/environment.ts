/** The environment in which tests run: the same on every machine, for every person. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const kept =
  /^(PATH|TMPDIR|CHROMIUM|VITEST.*|NODE_ENV|NODE_V8_COVERAGE|GROUNDPLAN_TEST_.*|UPDATE_GOLDEN|TINYPOOL.*|SYSTEMROOT|TEMP|TMP)$/i;

/** Takes out what a person's shell brings (keys, proxies, colours, locale, git's identity); gives back how to undo it. */
export function settleEnvironment(environment: NodeJS.ProcessEnv): () => void {
  const before = { ...environment };
  const home = mkdtempSync(join(tmpdir(), "groundplan-test-home-"));
  for (const name of Object.keys(environment)) if (!kept.test(name)) delete environment[name];
  const path = `${environment["PATH"]}:/usr/sbin`;
  Object.assign(environment, { PATH: path, HOME: home, LANG: "C.UTF-8", TZ: "UTC", TERM: "dumb", NO_COLOR: "1" });
  const mask = process.umask(0o022);
  return () => {
    process.umask(mask);
    Object.assign(environment, before);
    rmSync(home, { recursive: true, force: true });
  };
}
