// What the cage costs: node bench/cage.mjs [rounds]
import { runTypeScript } from "../scripts/run-ts.mjs";

process.exitCode = await runTypeScript("bench/cage.ts", process.argv.slice(2));
