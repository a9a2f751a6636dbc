// The long run of the oracle over the shell guard: node scripts/oracle.mjs --seconds 600 --seed 1 [--arity] [--out findings.txt]
import { runTypeScript } from "./run-ts.mjs";

process.exitCode = await runTypeScript("test/oracle/main.ts", process.argv.slice(2));
