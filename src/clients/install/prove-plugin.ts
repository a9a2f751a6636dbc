/** Proves opencode's plugin where it lies: it is loaded as opencode loads it, and told of calls of an agent that plans and of one that works. */
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isObject, parseJson } from "../../core/wire/shape.ts";
import type { Proof } from "./prove.ts";
import { runBounded } from "./run-bounded.ts";

export interface PluginProving {
  readonly file: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export async function provePlugin({ file, environment }: PluginProving): Promise<readonly Proof[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "groundplan-proof-")));
  try {
    await writeFile(join(folder, "planted.txt"), "planted\n");
    const write = { filePath: join(folder, "written.txt"), content: "x" };
    const read = { filePath: join(folder, "planted.txt") };
    const calls = [
      { what: "a write while planning", wanted: "refused", agent: "plan", tool: "write", args: write },
      { what: "a read while planning", wanted: "passed", agent: "plan", tool: "read", args: read },
      { what: "a write outside of plan mode", wanted: "passed", agent: "build", tool: "write", args: write },
    ] as const;
    const { stdout, stderr } = await runBounded({
      program: process.execPath,
      args: ["--input-type=module", "-e", script],
      directory: folder,
      environment: { ...environment, GROUNDPLAN_REVIEW: "off" },
      stdin: JSON.stringify({ url: pathToFileURL(file).href, folder, calls }),
      timeoutMs: 90_000,
    });
    const seen = parseJson(stdout.trim().split("\n").at(-1) ?? "");
    return calls.map(({ what, wanted }, index) => {
      const one: unknown = Array.isArray(seen) ? seen[index] : null;
      if (!isObject(one)) return { what, wanted, seen: "failed", said: stderr.trim().slice(0, 300) };
      const { refused } = one;
      if (typeof refused !== "string") return { what, wanted, seen: "passed", said: "" };
      return { what, wanted, seen: "refused", said: refused };
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The part of opencode that a plugin sees. */
const script = `
  let text = "";
  for await (const chunk of process.stdin) text += chunk;
  const { url, folder, calls } = JSON.parse(text);
  const source = (await import("node:fs")).readFileSync(new URL(url), "utf8");
  const { Groundplan } = await import("data:text/javascript;base64," + Buffer.from(source).toString("base64"));
  const seen = [];
  for (const [index, { agent, tool, args }] of calls.entries()) {
    const id = "ses_proof" + index;
    const client = { session: { get: async () => ({ data: { id, agent } }) } };
    const hooks = await Groundplan({ client, directory: folder });
    await hooks["chat.message"]({ sessionID: id, agent }, { message: { agent }, parts: [] });
    const refused = await hooks["tool.execute.before"]({ tool, sessionID: id, callID: "call_" + index }, { args })
      .then(() => null, (error) => String(error?.message ?? error));
    seen.push({ refused });
  }
  console.log(JSON.stringify(seen));
  process.exit(0);
`;
