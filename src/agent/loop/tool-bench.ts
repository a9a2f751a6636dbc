/** The tools of a session: what a raw call would touch, and running it once that has been allowed. */
import type { Access, Call } from "../../core/decide/access.ts";
import { decide } from "../../core/decide/decide.ts";
import { isPlanning } from "../../core/mode.ts";
import type { Session } from "../../core/session.ts";
import { situationOf } from "../../core/transitions/calls.ts";
import type { Prompts } from "../../prompts/index.ts";
import { prepareCall } from "./calls.ts";
import type { LiveSession, SessionHandle } from "../ports/handle.ts";
import type {
  Files,
  LookContext,
  Person,
  RawCall,
  Search,
  SeenFile,
  Shell,
  ToolOutput,
  Web,
  RunContext,
} from "../ports/ports.ts";
import { hiddenGlobs } from "../tools/rule-names.ts";
import type { Tool } from "../tools/tool.ts";
import { parseInput } from "../tools/tool-input.ts";
import { nothingRefused, type RefusedFiles } from "../ports/refused.ts";
import { createReadRecords, type SessionReads } from "../store/read-records.ts";

export interface ToolBench {
  readonly tools: readonly Tool[];
  /** Never throws: what cannot be understood becomes a call with an invalid access. */
  prepare(raw: RawCall, session: Session): Promise<Call>;
  /** What the call would fail with now, before anybody is asked about it; null where nothing speaks against it. Never throws. */
  check(call: Call, session: Session, options: RunOptions): Promise<ToolOutput | null>;
  /** Never throws: a tool that fails gives an error output. */
  run(call: Call, session: Session, options: RunOptions): Promise<ToolOutput>;
}

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly send: SessionHandle["send"];
  readonly live?: LiveSession;
}

export interface BenchParts {
  readonly tools: readonly Tool[];
  readonly files: Files;
  readonly search: Search;
  readonly shell: Shell;
  readonly web: Web;
  readonly person: Person;
  readonly prompts: Prompts;
  readonly directory: string;
  readonly roots: readonly string[];
  /** What was seen already; nothing by default. */
  readonly reads?: SessionReads;
}

export function createToolBench(parts: BenchParts): ToolBench {
  const { tools, files, shell, web, directory, roots } = parts;
  const reads = parts.reads ?? createReadRecords();
  const refusedIn = (session: Session): RefusedFiles => {
    const globs = hiddenGlobs(session.permissions.rules, session.roots);
    return files.refused?.(globs, roots) ?? nothingRefused;
  };
  const look = (session: Session): LookContext => ({
    files,
    shell,
    web,
    directory,
    roots,
    planFile: session.plan.file,
    refused: refusedIn(session),
  });
  const contextOf = (call: Call & { access: Access }, session: Session, options: RunOptions): RunContext => ({
    ...look(session),
    access: call.access,
    search: parts.search,
    person: parts.person,
    prompts: parts.prompts,
    signal: options.signal,
    planning: isPlanning(session.permissions),
    unasked: decide(call, situationOf(session)).kind === "classify",
    hidden: hiddenGlobs(session.permissions.rules, session.roots),
    reads,
    ...(options.live === undefined ? {} : { live: options.live }),
    writeTodos: async (todos) => void (await options.send({ type: "todos-written", todos })),
  });
  const toolOf = async ({ tool: wanted, input, access }: Call) => {
    const tool = tools.find(({ name }) => name === wanted);
    if (tool === undefined || access === null) return null;
    const parsed = await parseInput(tool, input);
    return "problem" in parsed ? null : { tool, input: parsed.input, access };
  };
  return {
    tools,
    prepare: (raw, session) => prepareCall(raw, tools, look(session)),
    async check(call, session, options) {
      const found = await toolOf(call);
      if (found?.tool.check === undefined) return null;
      const { tool, input, access } = found;
      try {
        return (await tool.check?.(input, contextOf({ ...call, access }, session, options))) ?? null;
      } catch (error) {
        return failed(error instanceof Error ? error.message : String(error));
      }
    },
    async run(call, session, options) {
      const found = await toolOf(call);
      if (found === null) return failed(`${call.tool} cannot run.`);
      const { tool, input, access } = found;
      const seen: SeenFile[] = [];
      try {
        const output = await tool.run(input, {
          ...contextOf({ ...call, access }, session, options),
          reads: reads.heardBy((file) => seen.push(file)),
        });
        return seen.length === 0 ? output : { ...output, seen };
      } catch (error) {
        return failed(error instanceof Error ? error.message : String(error));
      }
    },
  };
}

function failed(text: string): ToolOutput {
  return { content: [{ type: "text", text }], isError: true };
}
