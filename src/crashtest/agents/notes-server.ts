/** An MCP server with one tool, which writes a file of the project: for agents that are told of one. */
import { join } from "node:path";
import { put } from "./put.ts";
import type { Stage } from "./row.ts";

const program = `const { writeFileSync } = require("node:fs");
const tool = { name: "keep", description: "Keeps a note.", inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] } };
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "notes", version: "1.0.0" } }),
  ping: () => ({}),
  "tools/list": () => ({ tools: [tool] }),
  "tools/call": ({ arguments: { text } }) => (writeFileSync(process.argv[2], text), { content: [{ type: "text", text: "kept" }] }),
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const answer = method in answers ? { result: answers[method](params) } : { error: { code: -32601, message: "no" } };
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...answer }) + "\\n");
});
`;

/** The command line that starts it. */
export function notesServer({ root, project }: Stage): readonly [program: string, ...args: string[]] {
  const file = join(root, "notes-server.cjs");
  put(file, program);
  return [process.execPath, file, join(project, "made.txt")];
}
