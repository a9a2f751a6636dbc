/** Starts the program in the form that V8 has compiled it to: it lies beside it for the Node that built it, in the config home for others. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";

/** The program's text, all of it ASCII, named by its content; known to the build alone. */
declare const programFile: string;

const file = join(__dirname, programFile);
if (Number.parseInt(process.version.slice(1), 10) < 20) {
  process.stderr.write(`groundplan: This is Node.js ${process.version}; install 20.19 or later.\n`);
  process.exitCode = 1;
} else if (process.argv[2] === "hook" && !["--help", "-h"].includes(process.argv[3] ?? ""))
  require(join(__dirname, "hook.js"));
else start();

function start(): void {
  const built = compiledIn(`${file}.${process.version}-${process.platform}-${process.arch}`);
  if (built !== null) run(built);
  else
    void import("./other-node.ts").then(({ compiledHere }) => run(compiledHere(programFile, { compiledIn, compile })));
}

/** Null where there is nothing whole: V8 itself runs damaged bytes, so their SHA-256 stands before them. */
function compiledIn(path: string): Script | null {
  try {
    const kept = readFileSync(path);
    const cachedData = kept.subarray(32);
    const isWhole = createHash("sha256").update(cachedData).digest().equals(kept.subarray(0, 32));
    return isWhole ? compile({ cachedData }) : null;
  } catch {
    return null;
  }
}

function compile(kept: { readonly cachedData?: Buffer } = {}): Script {
  return new Script(readFileSync(file, "latin1"), { filename: file, ...kept });
}

function run(script: Script): void {
  (script.runInThisContext() as (load: NodeJS.Require, name: string) => void)(require, file);
}
