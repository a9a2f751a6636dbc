// An MCP server over standard input and output with one tool, which writes a file: node mcp-writer.mjs <file>.
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const file = process.argv[2];
const tool = {
  name: "keep",
  description: "Keeps a note.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "notes", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: [tool] }),
  "tools/call": ({ arguments: { text } }) => {
    writeFileSync(file, text);
    return { content: [{ type: "text", text: "kept" }] };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = Object.hasOwn(answers, method)
    ? { result: answers[method](params) }
    : { error: { code: -32601, message: "no" } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\n`);
}
