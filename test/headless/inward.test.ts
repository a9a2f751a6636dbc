/** WebFetch into this machine and the networks around it: only a person, or a rule of theirs that names the place, lets it through. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ScriptedTurn } from "../../src/testing/loopback.ts";
import { setStage, type Stage } from "./program.ts";

let server: Server;
let heard: string[];
let stage: Stage | null = null;
beforeEach(async () => {
  heard = [];
  server = createServer((request, response) => {
    heard.push(request.url ?? "");
    response.setHeader("content-type", "text/plain").end("INNER-SECRET");
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  await stage?.close();
  stage = null;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const port = (): number => (server.address() as AddressInfo).port;
const spellings = (): readonly string[] =>
  ["127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0.0.0.0", "[::ffff:127.0.0.1]"].map(
    (host) => `http://${host}:${port()}/`,
  );

async function fetchAll(urls: readonly string[], args: readonly string[]): Promise<{ codes: string[]; said: string }> {
  stage = await setStage({
    script: (_, turn): ScriptedTurn =>
      turn === 1 ? { calls: urls.map((url) => ({ tool: "WebFetch", input: { url } })) } : { text: "Done." },
  });
  const ran = await stage.run(["-p", "look", "--output-format", "json", ...args]);
  const { denials } = JSON.parse(ran.stdout) as { denials: { tool: string; code: string }[] };
  const said = JSON.stringify(stage.server.requests.map(({ body }) => body));
  return { codes: denials.map(({ tool, code }) => `${tool} ${code}`), said };
}

const readers = {
  planNetwork: "readers",
  autoMode: { enabled: true },
  permissions: { allow: ["WebFetch", "WebFetch(*)"] },
};

test.each(["plan", "default", "acceptEdits", "auto"])(
  "B1.14 in %s mode with nobody there no spelling of this machine's address is fetched, although readers and a rule on everything are allowed",
  async (mode) => {
    const urls = spellings();
    const settings = ["--settings", JSON.stringify(readers), "--permission-mode", mode];
    const { codes, said } = await fetchAll(urls, settings);
    expect(heard).toEqual([]);
    expect(said).not.toContain("INNER-SECRET");
    expect(codes).toEqual(urls.map(() => "WebFetch nobody"));
  },
);

test("B1.14 a rule that names the place lets it through outside of plan mode, and a deny rule on its address holds for its name", async () => {
  const allow = JSON.stringify({
    permissions: { allow: ["WebFetch(domain:localhost)", "WebFetch(domain:127.0.0.1)"] },
  });
  const { said } = await fetchAll([`http://127.0.0.1:${port()}/a`], ["--settings", allow]);
  expect(heard).toEqual(["/a"]);
  expect(said).toContain("INNER-SECRET");
  await stage!.close();
  const both = JSON.stringify({
    permissions: { allow: ["WebFetch(domain:localhost)"], deny: ["WebFetch(domain:127.0.0.1)"] },
  });
  const { codes } = await fetchAll(
    [`http://localhost:${port()}/b`, `http://2130706433:${port()}/c`],
    ["--settings", both],
  );
  expect(codes).toEqual(["WebFetch rule", "WebFetch rule"]);
  expect(heard).toEqual(["/a"]);
});
