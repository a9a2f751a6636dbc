// Groundplan's plugin for opencode: while the agent plans, each tool call is judged by Groundplan before it runs. Written by `groundplan install opencode`.
import { spawn } from "node:child_process";

const launcher = "@launcher@";
const words = "@words@";
const toolLimitMs = 25_000;
const mostBytes = 32 * 1024 * 1024;

export const Groundplan = async ({ client, directory }) => {
  const agentOf = new Map();
  const parentOf = new Map();

  /** What a session is, from opencode itself; nothing where it cannot be had. */
  const learn = async (id) => {
    try {
      const { data } = await client.session.get({ path: { id } });
      if (data === undefined || data === null || data.id !== id) return;
      parentOf.set(id, typeof data.parentID === "string" ? data.parentID : null);
      if (!agentOf.has(id) && typeof data.agent === "string") agentOf.set(id, data.agent);
    } catch {
      // Not known, which counts as planning.
    }
  };

  /** The agents of a session and of those above it; null for one that is not known. */
  const agentsOf = async (session) => {
    const agents = [];
    for (let id = session, depth = 0; id !== null; id = parentOf.get(id), depth += 1) {
      if (typeof id !== "string" || depth > 20) return [...agents, null];
      if (!agentOf.has(id) || !parentOf.has(id)) await learn(id);
      agents.push(agentOf.get(id) ?? null);
      if (!parentOf.has(id)) return [...agents, null];
    }
    return agents;
  };

  const submit = async (plan, { sessionID, abort }) => {
    const agents = await agentsOf(sessionID);
    if (!isPlanning(agents)) return words.notNow;
    const answer = await ask("plan", { version: 1, session: sessionID, directory, agents, plan }, { signal: abort });
    if (answer.decision === "send-back" || answer.decision === "leave") return answer.text;
    if (answer.decision !== "approve") throw new Error(answer.reason ?? broken("the answer is not known."));
    try {
      const parts = [{ type: "text", text: answer.text, synthetic: true }];
      const body = { agent: answer.agent, noReply: true, parts };
      const { error } = await client.session.prompt({ path: { id: sessionID }, body });
      if (error !== undefined && error !== null) throw new Error("refused");
      return answer.done;
    } catch {
      return `${answer.text}\n\n${answer.byHand}`;
    }
  };

  return {
    // The title is made by an agent of its own in the same session; it says nothing here.
    "chat.message": async ({ sessionID, agent }, { message } = {}) => {
      const name = message?.agent ?? agent;
      if (name === "title") return;
      if (typeof name === "string") agentOf.set(sessionID, name);
      else agentOf.delete(sessionID);
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, output) => {
      const agents = await agentsOf(sessionID);
      if (!isPlanning(agents)) return;
      const sent = { version: 1, session: sessionID, directory, agents, tool, call: callID, args: output.args };
      const answer = await ask("tool", sent, { limitMs: toolLimitMs });
      if (answer.decision === "go-on") return;
      if (answer.decision !== "rewrite") throw new Error(answer.reason || words.refused);
      if (typeof answer.args?.command !== "string") throw new Error(broken("the command is missing."));
      output.args.command = answer.args.command;
    },
    tool: {
      submit_plan: {
        description: words.tool,
        args: { plan: { type: "string", description: words.toolPlan } },
        execute: async ({ plan }, context) => submit(plan, context),
      },
    },
  };
};

function isPlanning(agents) {
  return agents.includes("plan") || agents.includes(null);
}

/** One run of the hook. Whatever is not an answer of it, in time and whole, is thrown. */
function ask(event, sent, { limitMs, signal }) {
  return new Promise((resolve, reject) => {
    const fail = (problem) => reject(new Error(broken(problem)));
    let child;
    try {
      child = spawn(launcher, ["hook", "opencode", event], { stdio: ["pipe", "pipe", "pipe"] });
    } catch (error) {
      fail(`${launcher} could not be started (${error?.code ?? error}).`);
      return;
    }
    const chunks = { out: [], err: [], bytes: 0 };
    const end = (problem) => {
      child.kill("SIGKILL");
      fail(problem);
    };
    const keep = (list) => (chunk) => {
      chunks.bytes += chunk.length;
      if (chunks.bytes > mostBytes) end("it said too much.");
      else list.push(chunk);
    };
    const timer = limitMs === undefined ? undefined : setTimeout(() => end("it took too long."), limitMs);
    const stop = () => end("the turn was stopped.");
    signal?.addEventListener("abort", stop, { once: true });
    child.stdout.on("data", keep(chunks.out));
    child.stderr.on("data", keep(chunks.err));
    child.stdin.on("error", () => {});
    child.on("error", (error) => fail(`${launcher} could not be started (${error.code ?? error.message}).`));
    child.on("close", (code) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      const answer = code === 0 ? parsed(Buffer.concat(chunks.out).toString("utf8")) : null;
      if (answer !== null) resolve(answer);
      else fail(`it ended with ${code}. ${Buffer.concat(chunks.err).toString("utf8").trim().slice(0, 500)}`);
    });
    child.stdin.end(JSON.stringify(sent));
    if (signal?.aborted) stop();
  });
}

function parsed(text) {
  try {
    const answer = JSON.parse(text);
    return typeof answer === "object" && answer !== null && typeof answer.decision === "string" ? answer : null;
  } catch {
    return null;
  }
}

function broken(problem) {
  return words.broken.replace("{{problem}}", () => problem);
}
