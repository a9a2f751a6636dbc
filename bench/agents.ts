/** Do agents really run side by side? One and five Explore agents against a server on loopback that takes 300 ms for each answer. */
import { connectModel, isModelError, type ConnectedModel } from "../src/agent/models/index.ts";
import { memoryFiles, scriptedModel, startHarness, startLoopback } from "../src/testing/index.ts";

const latency = 300;
const turns = 4;
const rounds = Number(process.argv[2] ?? 3);

const server = await startLoopback({
  script: (request) => {
    const asked = JSON.stringify(request.body).split('"tool_result"').length - 1;
    if (asked >= (turns - 1) * 3) return { text: "Found: /repo/src/file-1.ts.", delayMs: latency };
    const read = [1, 2, 3].map((part) => ({
      tool: "Read",
      input: { file_path: `/repo/src/file-${asked + part}.ts` },
    }));
    return { calls: read, delayMs: latency };
  },
});
const model = await connect();
const files = memoryFiles(
  Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`/repo/src/file-${index}.ts`, "export const value = 1;\n".repeat(500)]),
  ),
);

await measure(1);
const one = await best(1);
const five = await best(5);
const ratio = five.ms / one.ms;
const each = (five.memory - one.memory) / 4 / 1024 / 1024;
console.log(`1 agent   ${one.ms.toFixed(0).padStart(5)} ms (${turns} turns of ${latency} ms)`);
console.log(`5 agents  ${five.ms.toFixed(0).padStart(5)} ms  ${ratio.toFixed(2)} × one (limit 1.6)`);
console.log(
  `memory    ${each.toFixed(1).padStart(5)} MB for each further agent, the server's share included (limit 15)`,
);
model.close();
await server.close();
process.exitCode = ratio < 1.6 && each < 15 ? 0 : 1;

interface Measured {
  readonly ms: number;
  /** The most that the heap and its buffers held. */
  readonly memory: number;
}

async function best(count: number): Promise<Measured> {
  const all: Measured[] = [];
  for (let round = 0; round < rounds; round += 1) all.push(await measure(count));
  return {
    ms: Math.min(...all.map(({ ms }) => ms)),
    memory: Math.max(...all.map(({ memory }) => memory)),
  };
}

async function measure(count: number): Promise<Measured> {
  const call = { tool: "Agent", input: { description: "look", prompt: "Look.", subagent_type: "Explore" } };
  const parent = scriptedModel({ calls: Array.from({ length: count }, () => call) }, "Done.");
  const harness = await startHarness({ model: parent, mode: "plan", files, agents: { modelFor: () => model } });
  globalThis.gc?.();
  const before = held();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, held())), 20);
  const start = performance.now();
  await harness.say("look");
  const ms = performance.now() - start;
  clearInterval(watch);
  if (harness.agentLogs.size !== count || !isWhole(harness.seen)) throw new Error("The agents did not finish.");
  return { ms, memory: most - before };
}

function held(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function isWhole(seen: readonly { readonly type: string; readonly [field: string]: unknown }[]): boolean {
  return seen.filter(({ type }) => type === "agent.finished").every(({ status }) => status === "done");
}

async function connect(): Promise<ConnectedModel> {
  const environment = server.environment();
  const connected = await connectModel({ provider: "anthropic", model: "claude-x" }, { environment });
  if (isModelError(connected)) throw new Error(connected.message);
  return connected;
}
