// What a mailbox costs, files and NATS, 1 to 100 teammates: node bench/team.mjs [most teammates]
import { runTypeScript } from "../scripts/run-ts.mjs";

process.exitCode = await runTypeScript("bench/team.ts", process.argv.slice(2));
