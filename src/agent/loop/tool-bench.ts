/** The tools of a session: what a raw call would touch, and running it once that has been allowed. */
import { errorText } from "../../core/error-text.ts";
import { isInside, type Access, type Call } from "../../core/decide/access.ts";
import { decide } from "../../core/decide/decide.ts";
import { isPlanning } from "../../core/mode.ts";
import type { QuestionAnswer } from "../../core/questions.ts";
import type { Session } from "../../core/session.ts";
import { situationOf } from "../../core/transitions/calls.ts";
import type { LiveSession, SessionHandle } from "../ports/handle.ts";
import type { Host, LookContext, RunContext } from "../ports/host.ts";
import type { RawCall, SeenFile, ToolOutput } from "../ports/ports.ts";
import { refused } from "../tools/output.ts";
import { hiddenGlobs } from "../tools/rule-names.ts";
import type { Tool } from "../tools/tool.ts";
import { parseInput } from "../tools/input/tool-input.ts";
import { nothingRefused } from "../ports/refused.ts";
import { createReadRecords, type SessionReads } from "../store/read-records.ts";

export interface ToolBench {
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
  readonly live: LiveSession;
  readonly answer?: QuestionAnswer;
}

export interface BenchOptions {
  readonly host: Host;
  readonly tools: readonly Tool[];
  /** What was seen already; nothing by default. */
  readonly reads?: SessionReads;
}

export function createToolBench({ host, tools, reads = createReadRecords() }: BenchOptions): ToolBench {
  const { files, shell, web, directory, roots, search, person, prompts } = host;
  const look = (session: Session): LookContext => {
    const hides = files.refused?.(hiddenIn(session), roots) ?? nothingRefused;
    return {
      files,
      shell,
      web,
      directory,
      roots,
      planFile: session.plan.file,
      refused: hides,
      isKept: (path) => isKept(path, session, host),
    };
  };
  const contextOf = (call: Call & { access: Access }, session: Session, options: RunOptions): RunContext => ({
    ...look(session),
    search,
    person,
    prompts,
    access: call.access,
    signal: options.signal,
    planning: isPlanning(session.permissions),
    unasked: decide(call, situationOf(session)).kind === "classify",
    hidden: hiddenIn(session),
    reads,
    ...(host.openText === undefined ? {} : { openText: host.openText }),
    live: options.live,
    ...(options.answer === undefined ? {} : { answer: options.answer }),
    writeTodos: async (todos) => void (await options.send({ type: "todos-written", todos })),
  });
  const toolOf = async (call: Call) => {
    const known = await understood(call, tools);
    return "problem" in known || call.access === null ? null : { ...known, access: call.access };
  };
  return {
    prepare: (raw, session) => prepareCall(raw, tools, look(session)),
    async check(call, session, options) {
      const found = await toolOf(call);
      const context = () => contextOf({ ...call, access: found!.access }, session, options);
      return orError(async () => (await found?.tool.check?.(found.input, context())) ?? null);
    },
    async run(call, session, options) {
      const found = await toolOf(call);
      if (found === null) return refused(`${call.tool} cannot run.`);
      const { tool, input, access } = found;
      const seen: SeenFile[] = [];
      const context = contextOf({ ...call, access }, session, options);
      return orError(async () => {
        const output = await tool.run(input, { ...context, reads: reads.heardBy((file) => seen.push(file)) });
        return seen.length === 0 ? output : { ...output, seen };
      });
    },
  };
}

/** Only what lies in the folder of the plans is looked up, and not the plan that is being written. */
async function isKept(path: string, { id, plan }: Session, host: Host): Promise<boolean> {
  if (path === plan.file || !isInside(path, host.plansDirectory)) return false;
  return (await host.isKeptPlan?.(path, id)) ?? false;
}

/** Never throws: what cannot be understood becomes a call with an invalid access. */
export async function prepareCall(raw: RawCall, tools: readonly Tool[], context: LookContext): Promise<Call> {
  const { id, tool: name, input } = raw;
  const invalid = (reason: string): Call => ({
    id,
    tool: name,
    input,
    access: { kind: "invalid", reason: reason.replace(/\.$/, "") },
    subjects: [],
  });
  try {
    const known = await understood(raw, tools);
    if ("problem" in known) return invalid(known.problem);
    const { tool } = known;
    const { access, subjects } = await tool.claim(known.input, context);
    if (access.kind !== "invalid" && !tool.claims.includes(access.kind))
      return invalid(`${name} may not claim ${access.kind}, only ${tool.claims.join(", ")}`);
    return { id, tool: name, input, access, subjects };
  } catch (error) {
    return invalid(errorText(error));
  }
}

/** The tool that is meant and its input, checked; or why there is none. */
async function understood({ tool: name, input, invalidInput }: RawCall, tools: readonly Tool[]) {
  const tool = tools.find((known) => known.name === name);
  if (tool === undefined)
    return { problem: `there is no tool named ${name}, only ${tools.map((known) => known.name).join(", ")}` };
  if (invalidInput !== undefined) return { problem: "The input was not a JSON object." };
  const parsed = await parseInput(tool, input);
  return "problem" in parsed ? parsed : { tool, input: parsed.input };
}

function hiddenIn({ permissions, roots }: Session): readonly string[] {
  return hiddenGlobs(permissions.rules, roots);
}

async function orError<Output>(act: () => Promise<Output>): Promise<Output | ToolOutput> {
  try {
    return await act();
  } catch (error) {
    return refused(errorText(error));
  }
}
