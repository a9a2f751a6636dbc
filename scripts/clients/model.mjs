// The scripted model of one run: says a probe's turns in order, and tells when it has said the last.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Bundled once for a whole run of the script. */
export async function loadLoopback() {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../../src/testing/loopback.ts", import.meta.url))],
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    write: false,
  });
  const text = Buffer.from(outputFiles[0].contents).toString("base64");
  return (await import(`data:text/javascript;base64,${text}`)).startLoopback;
}

/** `turn(n, request)` gives the nth turn, null for the end; `finished` resolves when that was said. */
export async function startModel(startLoopback, { isTurn, turn }) {
  let finish;
  const finished = new Promise((resolve) => (finish = resolve));
  const turns = [];
  const server = await startLoopback({
    script: (request) => {
      if (!isTurn(request)) return { text: "ok" };
      turns.push(request);
      const reply = turn(turns.length - 1, request);
      if (reply !== null) return reply;
      finish();
      return { text: "Done." };
    },
  });
  return { url: server.url, turns, requests: server.requests, finished, close: () => server.close() };
}
