/** Starts the hook's program in the form that V8 has compiled it to; what cannot be started refuses. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import { hookFiles } from "./hook-files.ts";

/** One file of two functions, all of it ASCII, named by its content: what every call needs, and what only planning does. Known to the build alone. */
declare const hookFile: string;
declare const hookParts: readonly [first: number, second: number];
declare const latePart: string;

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
  const [length] = hookParts;
  const compiled = compiledIn(`${file}.${process.version}-${process.platform}-${process.arch}`);
  const part = (at: 0 | 1): Part => {
    const text = at === 0 ? source.toString("latin1", 0, length) : source.toString("latin1", length);
    const cachedData = compiled?.[at];
    const script = new Script(text, { filename: `${file}#${at}`, ...(cachedData === undefined ? {} : { cachedData }) });
    return script.runInThisContext() as Part;
  };
  const load = (name: string): unknown => {
    if (name === latePart) return part(1)(load, file);
    if (name === "node:fs/promises") return hookFiles(() => require(name) as Record<string | symbol, unknown>);
    return late.has(name) ? lateModule(name) : require(name);
  };
  (part(0)(load, file) as { readonly runHook: RunHook }).runHook({ args });
}

function lateModule(name: string): unknown {
  return new Proxy({}, { get: (_, key) => (require(name) as Record<string | symbol, unknown>)[key] });
}

/** Null where there is nothing whole. V8 runs damaged bytes too, so they are kept twice: to compare costs less than to load what makes a hash. */
function compiledIn(path: string): readonly [Buffer, Buffer] | null {
  try {
    const kept = readFileSync(path);
    const [first, second] = [kept.readUInt32LE(0), kept.readUInt32LE(4)];
    const once = kept.subarray(0, 8 + first + second);
    if (!once.equals(kept.subarray(once.length))) return null;
    return [once.subarray(8, 8 + first), once.subarray(8 + first)];
  } catch {
    return null;
  }
}
