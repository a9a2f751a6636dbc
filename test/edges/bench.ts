/** The tools on a real folder, with a shell, a person and a web of the test's own. */
import { parseInput } from "../../src/agent/tools/input/tool-input.ts";
import { createFiles } from "../../src/agent/host/files/files.ts";
import { createSearch } from "../../src/agent/host/search/search.ts";
import { prepareCall } from "../../src/agent/loop/tool-bench.ts";
import { nothingRefused } from "../../src/agent/ports/refused.ts";
import type { RunContext } from "../../src/agent/ports/host.ts";
import type { ToolOutput } from "../../src/agent/ports/ports.ts";
import { createTools } from "../../src/agent/tools/registry.ts";
import type { Call } from "../../src/core/decide/access.ts";
import { loadPrompts } from "../../src/prompts/index.ts";

export interface Bench {
  readonly context: Omit<RunContext, "access">;
  readonly prepare: (tool: string, input: unknown) => Promise<Call>;
  readonly run: (call: Call) => Promise<ToolOutput>;
  /** Prepared and run at once; the text that the model gets, with `ERROR: ` before it where it is one. */
  readonly use: (tool: string, input: unknown) => Promise<string>;
}

export function createBench(root: string, overrides: Partial<RunContext> = {}): Bench {
  const tools = createTools({ modelMayEnterPlan: "ask", planEagerness: "eager" });
  const context: Bench["context"] = {
    files: createFiles(),
    search: createSearch(),
    shell: { judge: missing, run: missing },
    web: { inward: async () => [], fetchText: missing },
    refused: nothingRefused,
    person: { review: missing, permit: missing, answer: missing },
    prompts: loadPrompts(),
    directory: root,
    roots: [root],
    planFile: null,
    isKept: async () => false,
    signal: new AbortController().signal,
    planning: false,
    unasked: false,
    hidden: [],
    reads: new Map(),
    live: { callId: "1", current: missing, subscribe: missing, publish: missing, send: missing },
    writeTodos: () => Promise.resolve(),
    ...overrides,
  };
  const prepare: Bench["prepare"] = (tool, input) => prepareCall({ id: "1", tool, input }, tools, context);
  const run: Bench["run"] = async (call) => {
    const tool = tools.find(({ name }) => name === call.tool)!;
    if (call.access === null || call.access.kind === "invalid") throw new Error(JSON.stringify(call.access));
    const parsed = await parseInput(tool, call.input);
    if ("problem" in parsed) throw new Error(parsed.problem);
    return tool.run(parsed.input, { ...context, access: call.access });
  };
  return {
    context,
    prepare,
    run,
    async use(tool, input) {
      const output = await run(await prepare(tool, input));
      const text = output.content.map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`)).join("\n");
      return output.isError === true ? `ERROR: ${text}` : text;
    },
  };
}

function missing(): never {
  throw new Error("this test has none");
}
