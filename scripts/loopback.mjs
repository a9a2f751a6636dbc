// Starts the scripted model server: node scripts/loopback.mjs [--port N] [turns.json]; prints its address, then a line for each request.
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { loadLoopback } from "./load-loopback.mjs";

const { values, positionals } = parseArgs({ options: { port: { type: "string" } }, allowPositionals: true });
const turns = positionals[0] === undefined ? [{ text: "hi" }] : JSON.parse(await readFile(positionals[0], "utf8"));

const startLoopback = await loadLoopback();

/** After the last turn the script begins again. */
const server = await startLoopback({
  port: Number(values.port ?? 0),
  script: (request, turn) => {
    process.stdout.write(
      `${JSON.stringify({ turn, wire: request.wire, path: request.path, bytes: request.bytes.length })}\n`,
    );
    return turns[(turn - 1) % turns.length];
  },
});
process.stdout.write(`${server.url}\n`);
