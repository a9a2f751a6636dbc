// Does the terminal stay quick? Key to screen with 5,000 entries in the transcript, and the bytes of a plan that streams beside the spinner.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const program = join(root, "dist/bin/groundplan.js");
const folder = mkdtempSync(join(tmpdir(), "groundplan-use-"));
const repository = join(folder, "repo");
mkdirSync(repository);
writeFileSync(join(repository, "a.ts"), "export const a = 1;\n");
spawnSync("git", ["init", "-q"], { cwd: repository });
const entries = Number(process.argv[2] ?? 5000);
const plan = Array.from({ length: 60 }, (_, index) =>
  index % 10 === 0
    ? `## Part ${index / 10 + 1}\n`
    : `${index}. Change \`src/part-${index}.ts\` so that it does its part well\n`,
);

/** The first answers fill the transcript: many calls and words; the last one streams the plan within three seconds. */
let turn = 0;
const calls = 50;
const server = createServer((request, response) => {
  request.resume().on("end", async () => {
    turn += 1;
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (type, value) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n\n`);
    send("message_start", {
      message: {
        id: `m${turn}`,
        type: "message",
        role: "assistant",
        model: "m",
        content: [],
        usage: { input_tokens: 10, output_tokens: 1 },
      },
    });
    const isFull = turn * (calls + 1) > entries;
    const text = async (index, parts, pause) => {
      send("content_block_start", { index, content_block: { type: "text", text: "" } });
      for (const part of parts) {
        send("content_block_delta", { index, delta: { type: "text_delta", text: part } });
        if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      }
      send("content_block_stop", { index });
    };
    if (!isFull) {
      await text(0, [`Step ${turn}: I read **some** files, among them \`a.ts\`.\n\n- one\n- two\n`], 0);
      for (let index = 1; index <= calls; index += 1) {
        send("content_block_start", {
          index,
          content_block: { type: "tool_use", id: `c${turn}-${index}`, name: "Read", input: {} },
        });
        send("content_block_delta", {
          index,
          delta: { type: "input_json_delta", partial_json: '{"file_path":"a.ts"}' },
        });
        send("content_block_stop", { index });
      }
    } else if (asked === "plan") await text(0, plan, 50);
    else await text(0, ["Filled."], 0);
    send("message_delta", { delta: { stop_reason: isFull ? "end_turn" : "tool_use" }, usage: { output_tokens: 5 } });
    send("message_stop", {});
    response.end();
  });
});
let asked = "fill";
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

const note = join(folder, "pid");
const words = [process.execPath, program, "--model", "anthropic/m"].map((word) => `'${word}'`).join(" ");
const child = spawn("script", ["-qfec", `stty cols 80 rows 24; echo $$ > '${note}'; exec ${words}`, "/dev/null"], {
  cwd: repository,
  env: {
    PATH: process.env.PATH,
    HOME: folder,
    GROUNDPLAN_HOME: join(folder, "home"),
    TERM: "xterm-256color",
    SHELL: "/bin/sh",
    ANTHROPIC_API_KEY: "k",
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${server.address().port}`,
  },
  stdio: ["pipe", "pipe", "ignore"],
});
let output = "";
let heard = () => {};
child.stdout.setEncoding("utf8").on("data", (part) => {
  output += part;
  heard();
});

try {
  await until(/claude|anthropic/);
  child.stdin.write("fill it\r");
  const began = performance.now();
  await until(/Filled\./);
  console.log(`filled with ${turn * (calls + 1)} entries in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  await pause(500);
  const typing = await latencies("letter", 200);
  report("a key in the input", typing);
  child.stdin.write("\u0015");
  await pause(300);
  child.stdin.write("\u001b[5~");
  await pause(500);
  report("a page back", await latencies("\u001b[5~", 100));
  report("a line back", await latencies("\u001b[A", 100));
  child.stdin.write("\u001b");
  await pause(500);
  asked = "plan";
  child.stdin.write("stream the plan\r");
  const from = output.length;
  const started = performance.now();
  await until(/part-59/);
  await pause(300);
  const seconds = (performance.now() - started) / 1000;
  const bytes = Buffer.byteLength(output.slice(from));
  console.log(
    `a 60-line plan streamed with the spinner: ${(bytes / 1024).toFixed(1)} KB in ${seconds.toFixed(1)} s, ${((bytes / 1024 / seconds) * 3).toFixed(1)} KB per 3 s (limit 15)`,
  );
  console.log(`cleared screens or scrollbacks: ${(output.match(/\u001b\[[23]J/g) ?? []).length}`);
  const megabytes =
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${Number(readFileSync(note, "utf8"))}/status`, "utf8"))[1]) / 1024;
  console.log(`memory then: ${megabytes.toFixed(0)} MB`);
} finally {
  process.kill(Number(readFileSync(note, "utf8")), "SIGKILL");
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
}

/** From the key to the end of a whole frame that changed something; where the key types a letter, the frame shows it. */
async function latencies(key, count) {
  const taken = [];
  for (let index = 0; index < count; index += 1) {
    const before = output.length;
    const typed = key === "letter" ? String.fromCharCode(97 + (index % 26)) : key;
    const started = performance.now();
    child.stdin.write(typed);
    await new Promise((resolve) => {
      heard = () => {
        const isWhole = output.indexOf("\u001b[?2026l", before) >= 0;
        if (!isWhole || (key === "letter" && output.indexOf(typed, before) < 0)) return;
        heard = () => {};
        resolve();
      };
    });
    taken.push(performance.now() - started);
    await pause(15);
  }
  return taken.toSorted((one, other) => one - other);
}

function report(name, taken) {
  const at = (part) => taken[Math.floor(taken.length * part)].toFixed(1);
  console.log(`${name.padEnd(20)} median ${at(0.5)} ms, 95th percentile ${at(0.95)} ms (limit 30)`);
}

async function until(text) {
  while (!text.test(output.slice(-20000))) await pause(20);
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
