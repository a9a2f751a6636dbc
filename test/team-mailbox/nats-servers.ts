/** Real NATS servers on loopback: random ports, storage in a temporary folder, gone at the end whatever happens. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { remove } from "../support/remove.ts";

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

/** `extra`: further arguments for each server, for TLS and credentials. A port that somebody else took meanwhile is tried anew. */
export async function startNats(count: number, extra: readonly string[] = []): Promise<NatsServers> {
  for (let tries = 0; ; tries += 1) {
    const servers = await prepare(count, extra);
    try {
      await Promise.all(servers.nodes.map((node) => node.start()));
      return servers;
    } catch (error) {
      await servers.stop();
      if (tries === 3) throw error;
    }
  }
}

async function prepare(count: number, extra: readonly string[]): Promise<NatsServers> {
  const folder = mkdtempSync(join(tmpdir(), "groundplan-nats-"));
  const ports = await freePorts(count * 2);
  const routes = ports.slice(count).map((port) => `nats://127.0.0.1:${port}`);
  const guard = startGuard();
  const nodes = ports.slice(0, count).map((port, index): NatsNode => {
    const name = `n${index + 1}`;
    const cluster =
      count === 1 ? [] : ["--cluster_name", "test", "--cluster", routes[index]!, "--routes", routes.join(",")];
    const storage = ["-js", "-sd", join(folder, name)];
    const args = ["-a", "127.0.0.1", "-p", String(port), "-n", name, ...storage, ...cluster, ...extra];
    let child: ChildProcess | null = null;
    return {
      name,
      url: `nats://127.0.0.1:${port}`,
      async start() {
        const started = spawn("nats-server", args, { stdio: "ignore" });
        child = started;
        guard.watch(started);
        await listening(port, started);
      },
      async kill() {
        if (child === null || !isRunning(child)) return;
        const gone = once(child, "exit");
        child.kill("SIGKILL");
        await gone;
      },
    };
  });
  return {
    nodes,
    url: nodes.map(({ url }) => url).join(","),
    async stop() {
      await Promise.all(nodes.map((node) => node.kill()));
      guard.stop();
      remove(folder);
    },
  };
}

/** A process that outlives this one, however that ends, just long enough to kill the servers. */
function startGuard() {
  const program = `
    const alive = new Set();
    require("node:readline").createInterface(process.stdin)
      .on("line", (line) => line[0] === "-" ? alive.delete(line.slice(1)) : alive.add(line))
      .on("close", () => { for (const pid of alive) try { process.kill(Number(pid), "SIGKILL"); } catch {} });`;
  const guard = spawn(process.execPath, ["-e", program], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  guard.stdin.on("error", () => undefined);
  guard.unref();
  return {
    watch(child: ChildProcess): void {
      guard.stdin.write(`${child.pid}\n`);
      child.once("exit", () => guard.stdin.write(`-${child.pid}\n`));
    },
    stop: () => void guard.stdin.end(),
  };
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
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

async function listening(port: number, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 200 && isRunning(child); tries += 1) {
    const socket = connect(port, "127.0.0.1");
    const isThere = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    socket.destroy();
    if (isThere && isRunning(child)) return;
    await pause(50);
  }
  throw new Error(`nats-server does not listen on ${port}.`);
}
