// A week of work taken up again: node bench/resume.mjs [events]
import { runTypeScript } from "../scripts/run-ts.mjs";

process.exitCode = await runTypeScript("bench/resume.ts", process.argv.slice(2));
