/** Real NATS servers on loopback: random ports, storage in a temporary folder, gone at the end whatever happens. */
import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { remove } from "../support/remove.ts";
import { until } from "../support/until.ts";

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
    const name = `n${index + 1}-${randomBytes(6).toString("hex")}`;
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
        await listening({ port, name }, started);
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

/** Below those that the kernel gives to whoever asks for any: nobody takes one by chance while its server is not up, or down for a while. */
async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
  });
  await new Promise((resolve) => server.close(resolve));
  return isListening;
}

/** The very one that was started, and not another's at its port. */
async function listening({ port, name }: { port: number; name: string }, child: ChildProcess): Promise<void> {
  await until(`nats-server listens on ${port}`, async () => {
    if (!isRunning(child)) throw new Error(`nats-server does not listen on ${port}.`);
    const socket = connect(port, "127.0.0.1");
    const said = await new Promise<string>((resolve) => {
      socket.once("data", (greeting: Buffer) => resolve(greeting.toString()));
      socket.once("error", () => resolve(""));
      socket.once("close", () => resolve(""));
    });
    socket.destroy();
    return said.includes(name) && isRunning(child);
  });
}
