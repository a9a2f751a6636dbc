// What a point costs in a large tree: node bench/undo.mjs [files] [rounds]
import { runTypeScript } from "../scripts/run-ts.mjs";

process.exitCode = await runTypeScript("bench/undo.ts", process.argv.slice(2));
