/** Starts the hook's program in the form that V8 has compiled it to; what cannot be started refuses. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import { hookFiles } from "./hook-files.ts";

/** One file of a few functions, all of it ASCII, named by its content: what every call needs, and behind it what only some do. Known to the build alone. */
declare const hookFile: string;
/** How long each is. */
declare const hookParts: readonly number[];
/** What those behind the first one are called. */
declare const lateParts: readonly string[];

type Part = (load: (name: string) => unknown, file: string) => unknown;
type RunHook = (hook: { readonly args: readonly string[] }) => void;

/** Modules of Node that cost more to load than most calls need of them. */
const late: ReadonlySet<string> = new Set(
  "crypto os url child_process timers/promises net dns dns/promises http https zlib readline"
    .split(" ")
    .map((name) => `node:${name}`),
);

const file = join(__dirname, hookFile);
const args = process.argv.slice(2);

try {
  if (args[0] === "hook") start();
  else require(join(__dirname, "groundplan.js"));
} catch (error) {
  process.stderr.write(`groundplan: the guard could not be started: ${String(error)}\n`);
  process.exit(2);
}

function start(): void {
  /** Files are looked at one after the other: more threads would only cost their start. */
  process.env["UV_THREADPOOL_SIZE"] ??= "2";
  const source = readFileSync(file);
  const compiled = compiledIn(`${file}.${process.version}-${process.platform}-${process.arch}`);
  const part = (at: number): unknown => {
    const begin = startOf(hookParts, at);
    const text = source.toString("latin1", begin, begin + hookParts[at]!);
    const cachedData = compiled?.[at];
    const script = new Script(text, { filename: `${file}#${at}`, ...(cachedData === undefined ? {} : { cachedData }) });
    return (script.runInThisContext() as Part)(load, file);
  };
  const loaded = new Map<string, unknown>();
  const load = (name: string): unknown => {
    if (lateParts.includes(name)) {
      if (!loaded.has(name)) loaded.set(name, part(lateParts.indexOf(name) + 1));
      return loaded.get(name);
    }
    if (name === "node:fs/promises") return hookFiles(() => require(name) as Record<string | symbol, unknown>);
    return late.has(name) ? lateModule(name) : require(name);
  };
  (part(0) as { readonly runHook: RunHook }).runHook({ args });
}

function lateModule(name: string): unknown {
  return new Proxy({}, { get: (_, key) => (require(name) as Record<string | symbol, unknown>)[key] });
}

/** Null where there is nothing whole. V8 runs damaged bytes too, so they are kept twice: to compare costs less than to load what makes a hash. */
function compiledIn(path: string): readonly Buffer[] | null {
  try {
    const kept = readFileSync(path);
    const sizes = hookParts.map((_, at) => kept.readUInt32LE(at * 4));
    const begin = sizes.length * 4;
    const once = kept.subarray(0, begin + startOf(sizes, sizes.length));
    if (!once.equals(kept.subarray(once.length))) return null;
    return sizes.map((size, at) => once.subarray(begin + startOf(sizes, at)).subarray(0, size));
  } catch {
    return null;
  }
}

function startOf(lengths: readonly number[], at: number): number {
  return lengths.slice(0, at).reduce((sum, length) => sum + length, 0);
}
