import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openPort } from "./port.ts";

test("B3.6 a port that something holds a moment longer than the run before is waited for; the page stays where it was", async () => {
  const holder = createServer();
  await once(holder.listen(0, "127.0.0.1"), "listening");
  const { port } = holder.address() as AddressInfo;
  const opening = openPort({ wanted: port, tell: () => undefined });
  for (let turns = 0; turns < 100; turns += 1) await new Promise(setImmediate);
  holder.close();
  expect(await portOf(opening)).toBe(port);
});

test("B3.6 a port that stays taken is given up for another", async () => {
  const holder = createServer();
  await once(holder.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void holder.close());
  const { port } = holder.address() as AddressInfo;
  expect(await portOf(openPort({ wanted: port, tell: () => undefined }))).not.toBe(port);
});

async function portOf(opening: ReturnType<typeof openPort>): Promise<number | string> {
  const opened = await opening;
  if ("problem" in opened) return opened.problem;
  await opened.close();
  return opened.port;
}
