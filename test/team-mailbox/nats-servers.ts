/** Real NATS servers on loopback: random ports, storage in a temporary folder, gone at the end whatever happens. */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

export interface NatsNode {
  readonly name: string;
  readonly url: string;
  /** kill -9 */
  kill(): Promise<void>;
  /** Again on the same port, with the same storage. */
  start(): Promise<void>;
}

export interface NatsServers {
  readonly nodes: readonly NatsNode[];
  /** Every node's address, separated by commas. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Where the server is missing tests are left out, with a word; never in CI. */
export const isNatsThere = process.env["CI"] === "true" || spawnSync("nats-server", ["--version"]).status === 0;

/** `extra`: further arguments for each server, for TLS and credentials. */
export async function startNats(count: number, extra: readonly string[] = []): Promise<NatsServers> {
  const folder = mkdtempSync(join(tmpdir(), "groundplan-nats-"));
  const ports = await freePorts(count * 2);
  const routes = ports.slice(count).map((port) => `nats://127.0.0.1:${port}`);
  const running = new Set<ChildProcess>();
  const killAll = (): void => {
    for (const child of running) child.kill("SIGKILL");
  };
  process.once("exit", killAll);
  const nodes = ports.slice(0, count).map((port, index): NatsNode => {
    const name = `n${index + 1}`;
    const cluster =
      count === 1 ? [] : ["--cluster_name", "test", "--cluster", routes[index]!, "--routes", routes.join(",")];
    const args = [
      "-a",
      "127.0.0.1",
      "-p",
      String(port),
      "-n",
      name,
      "-js",
      "-sd",
      join(folder, name),
      ...cluster,
      ...extra,
    ];
    let child: ChildProcess | null = null;
    return {
      name,
      url: `nats://127.0.0.1:${port}`,
      async start() {
        child = spawn("nats-server", args, { stdio: "ignore" });
        const started = child;
        running.add(started);
        started.once("exit", () => running.delete(started));
        await listening(port);
      },
      async kill() {
        if (child === null || child.exitCode !== null || child.signalCode !== null) return;
        const gone = once(child, "exit");
        child.kill("SIGKILL");
        await gone;
      },
    };
  });
  await Promise.all(nodes.map((node) => node.start()));
  return {
    nodes,
    url: nodes.map(({ url }) => url).join(","),
    async stop() {
      await Promise.all(nodes.map((node) => node.kill()));
      process.removeListener("exit", killAll);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const socket = connect(port, "127.0.0.1");
    const isThere = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    socket.destroy();
    if (isThere) return;
    await pause(50);
  }
  throw new Error(`nats-server does not listen on ${port}.`);
}
