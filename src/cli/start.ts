/** Starts the program in the form that V8 has compiled it to: it lies beside it for the Node that built it, in the config home for others. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";

/** The program's text, all of it ASCII, named by its content; known to the build alone. */
declare const programFile: string;

const file = join(__dirname, programFile);
const built = compiledIn(`${file}.${process.version}-${process.platform}-${process.arch}`);
if (built !== null) run(built);
else void import("./other-node.ts").then(({ compiledHere }) => run(compiledHere(programFile, { compiledIn, compile })));

/** Null where there is nothing; whatever does not fit this Node is not used. */
function compiledIn(path: string): Script | null {
  try {
    return compile({ cachedData: readFileSync(path) });
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
