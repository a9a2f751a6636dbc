/** The program as this Node compiles it, kept in the config home: what was built is of use to one version of Node only. */
import { createHash } from "node:crypto";
import { existsSync, lstatSync, realpathSync } from "node:fs";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cachedDataVersionTag } from "node:v8";
import type { Script } from "node:vm";
import { configHome } from "../agent/host/config-home.ts";
import { homeProblem } from "./home-problem.ts";

interface Compiling {
  /** Null where nothing whole is kept. */
  readonly compiledIn: (path: string) => Script | null;
  readonly compile: () => Script;
}

export function compiledHere(program: string, { compiledIn, compile }: Compiling): Script {
  if (homeProblem(process.env["GROUNDPLAN_HOME"]) !== null) return compile();
  const home = configHome();
  const folder = join(home, "compiled");
  const name = `${program}-${cachedDataVersionTag()}`;
  const file = join(folder, name);
  const kept = isOurs(home) && isOurs(folder) && isOurs(file) && !isInProject(home) ? compiledIn(file) : null;
  if (kept?.cachedDataRejected === false) return kept;
  const script = kept ?? compile();
  /** Once there is a session, and what a start needs has run. */
  const timer = setInterval(() => {
    if (!isOurs(home)) return;
    clearInterval(timer);
    if (!isInProject(home)) void keep(script.createCachedData(), { folder, name, program }).catch(() => undefined);
  }, 1000).unref();
  return script;
}

interface Place {
  readonly folder: string;
  readonly name: string;
  readonly program: string;
}

/** What other versions of the program and killed runs left goes. */
async function keep(bytes: Buffer, { folder, name, program }: Place): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (!isOurs(folder)) return;
  const isOld = (other: string): boolean => !other.startsWith(program) || other.endsWith(".draft");
  const old = (await readdir(folder)).filter(isOld);
  for (const other of old) await rm(join(folder, other), { recursive: true, force: true });
  const draft = join(folder, `${name}.${process.pid}.draft`);
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(Buffer.concat([createHash("sha256").update(bytes).digest(), bytes]));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, join(folder, name));
}

/** Nobody else can have put there what is run as this person. */
function isOurs(path: string): boolean {
  try {
    const found = lstatSync(path);
    const { uid, mode } = found;
    if (!found.isFile() && !found.isDirectory()) return false;
    return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
  } catch {
    return false;
  }
}

function isInProject(home: string): boolean {
  try {
    const here = realpathSync(".");
    for (let folder = realpathSync(home); ; folder = dirname(folder)) {
      if (folder === here || existsSync(join(folder, ".git"))) return true;
      if (dirname(folder) === folder) return false;
    }
  } catch {
    return true;
  }
}
