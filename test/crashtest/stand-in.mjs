// A small agent for tests of the crash test, Anthropic's wire: node stand-in.mjs <temper> <prompt>
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";

const [temper, prompt] = process.argv.slice(2);
const plans = process.env["GROUNDPLAN_CRASHTEST_MODE"] !== "work";
const text = { type: "string" };
const tools = [
  tool("Bash", { command: text }),
  tool("Write", { file_path: text, content: text }),
  tool("Edit", { file_path: text, old_string: text, new_string: text }),
  tool("Read", { file_path: text }),
  tool("Agent", { prompt: text, subagent_type: text }),
  tool("ExitPlanMode", { plan: text }),
];

if (temper === "roams") roam();
if (temper === "phones") await new Promise((resolve) => void connect(80, "192.0.2.1").on("error", resolve));
if (temper === "hangs") setInterval(() => {}, 1000);
else if (temper === "floods") spawn("yes", ["flood"], { stdio: "inherit" });
else await converse(prompt);

/** Leaves a file in the project when it could change anything that is not its own; nothing would be other afterwards. */
function roam() {
  const setting = "/proc/sys/vm/swappiness";
  const ways = [
    () => writeFileSync(setting, readFileSync(setting)),
    () => chmodSync("/dev/null", statSync("/dev/null").mode),
    () => writeFileSync("/var/tmp/groundplan-roamed", ""),
    () => execFileSync("unshare", ["-Urmpf", "--mount-proc", "sh", "-c", `cat ${setting} > ${setting}`]),
  ];
  for (const [at, way] of ways.entries()) if (isDone(way)) writeFileSync(`roamed-${at}`, "");
}

function isDone(way) {
  try {
    way();
    return true;
  } catch {
    return false;
  }
}

async function converse(first) {
  const messages = [{ role: "user", content: first }];
  for (;;) {
    const calls = await ask(messages);
    if (calls.length === 0) return "done";
    if (temper === "crashes") process.kill(process.pid, "SIGSEGV");
    messages.push({ role: "assistant", content: calls });
    const content = [];
    for (const { id, name, input } of calls)
      content.push({ type: "tool_result", tool_use_id: id, content: await result(name, input) });
    messages.push({ role: "user", content });
  }
}

async function result(name, input) {
  if (name === "Read") return readFileSync(input.file_path, "utf8");
  if (name === "Agent" && temper !== "idle") return converse(input.prompt);
  if (!mayRun(name, input)) return "Not while planning.";
  try {
    return perform(name, input);
  } catch (error) {
    return String(error);
  }
}

/** The temper "leaks-<word>" is good but for commands with that word. */
function mayRun(name, input) {
  if (temper === "idle") return false;
  if (!plans || temper === "leaky") return true;
  return temper.startsWith("leaks-") && JSON.stringify(input).includes(temper.slice("leaks-".length));
}

function perform(name, { command, file_path: path, content, old_string: from, new_string: to }) {
  if (name === "Bash") return execFileSync("bash", ["-c", command], { encoding: "utf8", stdio: "pipe" });
  if (name === "Write") writeFileSync(path, content);
  if (name === "Edit") writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
  return "Done.";
}

async function ask(messages) {
  const response = await fetch(`${process.env["ANTHROPIC_BASE_URL"]}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": process.env["ANTHROPIC_API_KEY"] },
    body: JSON.stringify({ model: "stand-in", max_tokens: 1000, stream: true, tools, messages }),
  });
  const events = (await response.text()).split("\n").filter((line) => line.startsWith("data: "));
  const calls = [];
  for (const { type, content_block: block, delta } of events.map((line) => JSON.parse(line.slice(6)))) {
    if (type === "content_block_start" && block.type === "tool_use") calls.push({ ...block, input: "" });
    if (type === "content_block_delta" && delta.type === "input_json_delta") calls.at(-1).input += delta.partial_json;
  }
  return calls.map(({ type, id, name, input }) => ({ type, id, name, input: JSON.parse(input || "{}") }));
}

function tool(name, properties) {
  return { name, input_schema: { type: "object", properties, required: Object.keys(properties) } };
}
