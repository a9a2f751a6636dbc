/** The program as this Node compiles it, kept in the config home: what was built is of use to one version of Node only. */
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cachedDataVersionTag } from "node:v8";
import type { Script } from "node:vm";
import { configHome } from "../agent/host/config-home.ts";
import { homeProblem } from "./home-problem.ts";

interface Compiling {
  readonly compiledIn: (path: string) => Script | null;
  readonly compile: () => Script;
}

export function compiledHere(program: string, { compiledIn, compile }: Compiling): Script {
  if (homeProblem(process.env["GROUNDPLAN_HOME"]) !== null) return compile();
  const home = configHome();
  const folder = join(home, "compiled");
  const name = `${program}-${cachedDataVersionTag()}`;
  const kept = compiledIn(join(folder, name));
  if (kept?.cachedDataRejected === false) return kept;
  const script = kept ?? compile();
  /** Once there is a session, and what a start needs has run. */
  const timer = setInterval(() => {
    if (!existsSync(home)) return;
    clearInterval(timer);
    void keep(script.createCachedData()).catch(() => undefined);
  }, 1000).unref();
  return script;

  async function keep(bytes: Buffer): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const old = (await readdir(folder)).filter((other) => !other.startsWith(program));
    await Promise.all(old.map((other) => rm(join(folder, other), { force: true })));
    const draft = join(folder, `${name}.${process.pid}`);
    await writeFile(draft, bytes, { mode: 0o600 });
    await rename(draft, join(folder, name));
  }
}
