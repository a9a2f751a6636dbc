// Starts the scripted model server: node scripts/loopback.mjs [--port N] [turns.json]; prints its address, then a line for each request.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const { values, positionals } = parseArgs({ options: { port: { type: "string" } }, allowPositionals: true });
const turns = positionals[0] === undefined ? [{ text: "hi" }] : JSON.parse(await readFile(positionals[0], "utf8"));

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL("../src/testing/loopback.ts", import.meta.url))],
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  write: false,
});
const { startLoopback } = await import(
  `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`
);

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
