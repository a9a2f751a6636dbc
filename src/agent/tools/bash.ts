/** Runs a shell command: judged when it is claimed, and run only if it is judged the same again. */
import * as z from "zod";
import { placeOf, type CommandAccess, type Place, type Subject } from "../../core/access.ts";
import {
  defineTool,
  type CommandResult,
  type JudgedCommand,
  type LookContext,
  type RunContext,
  type Tool,
  type ToolOutput,
} from "../ports.ts";
import { cutMiddle, refused } from "./output.ts";
import { judgePath, pathSubjects } from "./paths.ts";

const input = z.strictObject({
  command: z.string().min(1),
  description: z.string().optional().describe("What it does, in a few words"),
  timeout: z.int().min(1).max(600_000).optional().describe("Milliseconds (default 120000)"),
});

export const bashTool: Tool = defineTool<z.infer<typeof input>>({
  name: "Bash",
  input,
  runsCommands: true,
  describe: (prompts) => prompts("tools/bash"),
  async claim({ command }, context) {
    const judged = await context.shell.judge(command, context.directory);
    return { access: await accessOf(judged, context), subjects: await subjectsOf(judged, context) };
  },
  async run({ timeout = defaultTimeout }, context) {
    const { access, shell, planning, signal } = context;
    if (access.kind !== "command") throw new Error(`A ${access.kind} access names no command.`);
    const judged = await shell.judge(access.command, access.directory);
    if (!isSameVerdict(judged, access)) return refused(context.prompts("results/tool-judged-anew"));
    const confined = planning || judged.verdict === "read-only";
    const unasked = confined || context.unasked || access.files !== null;
    const result = await shell.run(judged, { confined, planning, unasked, timeoutMs: timeout, signal });
    return outputOf(result, timeout, context);
  },
});

const defaultTimeout = 120_000;
const textLimit = 30_000;

async function accessOf(judged: JudgedCommand, context: LookContext): Promise<CommandAccess> {
  const { command, directory, verdict, reason, span, sandboxed, network, edits } = judged;
  const part = span === null ? "" : command.slice(...span);
  return {
    kind: "command",
    command,
    directory,
    verdict,
    reason,
    ...(part === "" ? {} : { part }),
    sandboxed,
    network,
    files: edits === null || edits.length === 0 ? null : await worstPlace(edits, context),
  };
}

async function worstPlace(edits: readonly string[], context: LookContext): Promise<Place> {
  const paths = await Promise.all(edits.map((path) => context.files.canonical(path, context.directory)));
  const places = paths.map((path) => placeOf(path, context.roots));
  return places.find((place) => place === "guarded") ?? places.find((place) => place === "elsewhere") ?? "project";
}

/** Deny rules on reading hold for `cat` as for Read, those on editing for `rm`; allow rules on these say nothing about a command. */
async function subjectsOf(judged: JudgedCommand, context: LookContext): Promise<readonly Subject[]> {
  const { parts, canonical, reads, edits } = judged;
  const isOpaque = canonical === null || parts.length === 0 || parts.some((part) => /^\S*[$`]/.test(part));
  const own: Subject = { rule: "Bash", parts, ...(isOpaque ? { opaque: true } : {}) };
  const read = await Promise.all(reads.map((path) => judgePath(path, context)));
  const edited = await Promise.all((edits ?? []).map((path) => judgePath(path, context)));
  return [
    own,
    ...read.flatMap((path) => pathSubjects(["Read"], path)),
    ...edited.flatMap((path) => pathSubjects(["Edit"], path)),
  ];
}

/** Nothing may run on a yes that was given to something else. */
function isSameVerdict(judged: JudgedCommand, access: CommandAccess): boolean {
  if (judged.verdict !== access.verdict || judged.network !== access.network) return false;
  return judged.verdict !== "unproven" || !access.sandboxed || judged.sandboxed;
}

function outputOf(result: CommandResult, timeoutMs: number, { prompts }: RunContext): ToolOutput {
  const { exitCode, stdout, stderr, timedOut, refused: isRefused } = result;
  const said = [stdout, stderr].map((text) => text.trimEnd()).filter((text) => text !== "");
  const shown = cutMiddle(said.join("\n"), textLimit, (left) =>
    prompts("results/tool-output-cut", { characters: String(left) }),
  );
  const notes = [
    ...(shown === "" ? [prompts("results/tool-no-output")] : [shown]),
    ...(timedOut ? [prompts("results/tool-timed-out", { seconds: String(timeoutMs / 1000) })] : []),
    ...(exitCode === null && !timedOut ? [prompts("results/tool-killed")] : []),
    ...(exitCode !== null && exitCode !== 0 ? [prompts("results/tool-exit-code", { code: String(exitCode) })] : []),
    ...(isRefused ? [prompts("results/tool-cage-refused")] : []),
    ...discardedNote(result, prompts),
  ];
  return { content: [{ type: "text", text: notes.join("\n") }], ...(exitCode === 0 ? {} : { isError: true }) };
}

const mostNamed = 20;

/** B1.16: what a check wrote, and that it is gone. */
function discardedNote({ discarded }: CommandResult, prompts: RunContext["prompts"]): string[] {
  if (discarded === undefined || discarded.files.length === 0) return [];
  const left = discarded.files.length - mostNamed + discarded.more;
  const more = left > 0 ? ` and ${left} more` : "";
  return [prompts("results/tool-discarded", { files: `${discarded.files.slice(0, mostNamed).join(", ")}${more}` })];
}
