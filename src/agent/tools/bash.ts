/** Runs a shell command: judged when it is claimed, and run only if it is judged the same again. */
import { basename, join } from "node:path";
import * as z from "zod";
import { isInside, type CommandAccess, type Place, type Subject } from "../../core/decide/access.ts";
import type { LookContext, RunContext } from "../ports/host.ts";
import type { CommandResult, JudgedCommand, ToolOutput } from "../ports/ports.ts";
import type { Own } from "../ports/refused.ts";
import { defineTool, type Tool } from "./tool.ts";
import { cutMiddle, refused } from "./output.ts";
import type { ShellCommand } from "../../shell/index.ts";
import { judgePath, pathSubjects, placeAt, type JudgedPath } from "./paths.ts";

const input = z.strictObject({
  command: z.string().min(1),
  description: z.string().optional().describe("What it does, in a few words"),
  timeout: z.int().min(1).max(600_000).optional().describe("Milliseconds (default 120000)"),
});

export const bashTool: Tool = defineTool<z.infer<typeof input>>({
  name: "Bash",
  claims: ["command"],
  show: ({ text }) => ({ about: text("command"), result: "text" }),
  input,
  describe: (prompts) => prompts("tools/bash"),
  async claim({ command }, context) {
    const judged = await context.shell.judge(command, context.directory);
    return { access: await accessOf(judged, context), subjects: await subjectsOf(judged, context) };
  },
  async run({ timeout = defaultTimeout }, context) {
    const { access, shell, planning, signal } = context;
    if (access.kind !== "command") throw new Error(`A ${access.kind} access names no command.`);
    const judged = await shell.judge(access.command, access.directory);
    const now = await accessOf(judged, { ...context, directory: access.directory });
    if (!isSameVerdict(judged, access) || reachOf(now) > reachOf(access))
      return refused(context.prompts("tools/bash/judged-anew"));
    const hide = await context.refused.toHide();
    if (hide === null) return refused(context.prompts("tools/bash/too-much-refused"));
    const confined = planning || judged.verdict === "read-only";
    const unasked = confined || context.unasked || access.files !== null;
    const result = await shell.run(judged, { confined, planning, unasked, hide, timeoutMs: timeout, signal });
    return outputOf(result, timeout, context);
  },
});

const defaultTimeout = 120_000;
const textLimit = 30_000;

async function accessOf(judged: JudgedCommand, context: LookContext): Promise<CommandAccess> {
  const { command, directory, verdict, reason, span, sandboxed, network, edits, commands = [] } = judged;
  const part = span === null ? "" : command.slice(...span);
  const files = edits === null || edits.length === 0 ? null : await worstPlace(judged, edits, context);
  const isForced = files !== null && commands.some(isHarsh);
  return {
    kind: "command",
    command,
    directory,
    verdict,
    reason,
    ...(part === "" ? {} : { part }),
    sandboxed,
    network,
    files,
    ...(isForced ? { harsh: true } : {}),
  };
}

/** Removes whole folders, or without a look at what it removes. */
function isHarsh({ program, words }: ShellCommand): boolean {
  return program === "rm" && words.slice(1).some((word) => word === null || /^-\w*[rRf]|^--[rf]/.test(word));
}

async function worstPlace(judged: JudgedCommand, edits: readonly string[], context: LookContext): Promise<Place> {
  const named = await Promise.all(edits.map((path) => context.files.canonical(path, context.directory)));
  const copying = judged.commands?.filter(({ program }) => copiers.has(program ?? "")) ?? [];
  const isMerging = copying.some(({ words }) => words.some((word) => word === null || mergingWord.test(word)));
  const within = copying.length > 0 ? await copiedInto({ paths: named, isMerging }, context) : [];
  if (within === null || (await leadsThroughMoved(judged, context))) return "guarded";
  const places = await Promise.all([...named, ...within].map((path) => placeAt(path, context)));
  return places.find((place) => place === "guarded") ?? places.find((place) => place === "elsewhere") ?? "project";
}

/** Whether a later part of the line reaches into what an earlier one moves or copies there: links among that are not there to be seen yet. */
async function leadsThroughMoved(
  { command: text, commands = [] }: JudgedCommand,
  { files, directory }: LookContext,
): Promise<boolean> {
  const isInOrder = !unordered.test(text.replaceAll(/&&|\|\||>&\d/g, ""));
  for (const [index, { program, edits = [] }] of commands.entries()) {
    if (!copiers.has(program ?? "") || edits.length === 0) continue;
    const destination = await files.canonical(edits.at(-1)!, directory);
    const later = commands.filter((_, at) => at > index || (at < index && !isInOrder));
    if (later.some(({ words }) => words.some((word) => word === null || upward.test(word)))) return true;
    const touched = later.flatMap((command) => command.edits ?? []);
    const paths = await Promise.all(touched.map((path) => files.canonical(path, directory)));
    if (paths.some((path) => isInside(path, destination))) return true;
  }
  return false;
}

/** What may run a part of the line again, or beside another one. */
const unordered = /[&|]|\(\s*\)|\b(for|while|until|select|function|coproc)\b/;

/** Above a link is another folder than above its name. */
const upward = /(^|\/)\.\.(\/|$)/;

/** `folder/.` and `-T` copy a folder's content, not the folder. */
const mergingWord = /(^|\/)\.{1,2}\/*$|^-\w*T|^--no-target/;

/** Where copies in a folder end up, which may be links that somebody planted there; null where a folder would be merged into one that is there. */
async function copiedInto(
  { paths, isMerging }: { readonly paths: readonly string[]; readonly isMerging: boolean },
  { files }: LookContext,
): Promise<readonly string[] | null> {
  const kinds = await Promise.all(paths.map(async (path) => (await files.stat(path).catch(() => null))?.kind ?? null));
  const folders = paths.filter((_, index) => kinds[index] === "directory");
  if (isMerging && folders.length > 1) return null;
  const within: string[] = [];
  for (const folder of folders) {
    for (const path of paths) {
      if (path === folder) continue;
      const target = await files.canonical(join(folder, basename(path)), folder);
      const isThere = (await files.stat(target).catch(() => null))?.kind === "directory";
      if (folders.includes(path) && isThere) return null;
      within.push(target);
    }
  }
  return within;
}

/** Deny rules on reading hold for `cat` as for Read, those on editing for `rm`; allow rules on these say nothing about a command. */
async function subjectsOf(judged: JudgedCommand, context: LookContext): Promise<readonly Subject[]> {
  const { parts, canonical, edits, opaque = false, starts = false } = judged;
  const isOpaque = opaque || canonical === null || parts.length === 0 || parts.some((part) => /^\S*[$`]/.test(part));
  const forms = await formsIn(judged, context);
  const own: Subject = {
    rule: "Bash",
    parts,
    ...(isOpaque ? {} : await halvesIn(judged, context)),
    ...(forms.length === 0 ? {} : { forms }),
    ...(isOpaque ? { opaque: true } : {}),
    ...(starts ? { starts: true } : {}),
  };
  const { known, isWhole, around } = await readsIn(judged, context);
  const edited = await Promise.all((edits ?? []).map((path) => judgePath(path, context)));
  return [
    own,
    ...known.flatMap((path) => pathSubjects(["Read"], path)),
    ...(isWhole ? [] : [{ rule: "Read", unknown: true }]),
    ...(around === null ? [] : [{ rule: "Read", unknown: true, own: around.rule }]),
    ...edited.flatMap((path) => pathSubjects(["Edit"], path)),
  ];
}

/** B18.3: which parts need no rule, and which a rule on how they begin does not cover. Work elsewhere than in the project needs one of its own. */
async function halvesIn(
  { verdict, parts, proved = [], redirected = [], loose = false, places = null, commands = [] }: JudgedCommand,
  { files, directory, roots }: LookContext,
): Promise<Pick<Subject, "proved" | "silent" | "redirected" | "loose">> {
  const writing = { ...(redirected.length === 0 ? {} : { redirected }), ...(loose ? { loose } : {}) };
  const stood = places === null ? null : await Promise.all(places.map((path) => files.canonical(path, directory)));
  const isAtHome = stood?.every((path) => roots.some((root) => isInside(path, root))) === true;
  if (verdict === "read-only" || !isAtHome || proved.length === 0 || proved.length === parts.length) return writing;
  const reading = new Set(commands.filter(({ reads }) => reads?.length !== 0).map(({ words }) => words[0]));
  const silent = proved.filter((part) => !reading.has(part.split(" ", 1)[0]));
  return { ...writing, proved, ...(silent.length === 0 ? {} : { silent }) };
}

/** Each program by its name and words, where the parts do not say it already; one that is named by a path also by what that leads to. */
async function formsIn(
  { commands = [], parts }: JudgedCommand,
  context: LookContext,
): Promise<NonNullable<Subject["forms"]>> {
  const led = commands.map(async (command) => {
    const written = command.words[0] ?? "";
    if (!written.includes("/")) return [command];
    const real = await context.files.canonical(written, context.directory);
    return [command, { ...command, program: real.slice(real.lastIndexOf("/") + 1) }];
  });
  const { formsOf } = await import("../../shell/index.ts");
  const forms = (await Promise.all(led)).flat().flatMap(formsOf);
  return forms.filter((form) => form.includes(null) || !parts.includes(form.join(" ")));
}

interface Reads {
  /** Paths that are read, or named by a command of which nobody knows what it reads. */
  readonly known: readonly JudgedPath[];
  /** False: further ones are read, and something that is refused lies where it could be among them. */
  readonly isWhole: boolean;
  /** A folder is read with all that lies below it, and our own home does. */
  readonly around: Own | null;
}

async function readsIn(judged: JudgedCommand, context: LookContext): Promise<Reads> {
  const { commands = [], reads, edits, opaque = false } = judged;
  const { refused: refusedFiles } = context;
  const copied = edits !== null && commands.some(({ program }) => copiers.has(program ?? "")) ? edits : [];
  const isBlindly = ({ program, reads: own }: ShellCommand): boolean =>
    own === null && !(edits !== null && fileCommands.has(program ?? ""));
  const blind = commands.filter(isBlindly);
  const named = blind.flatMap(({ words }) => words.slice(1).flatMap((word) => pathsIn(word)));
  const content = new Set(commands.flatMap((command) => command.reads ?? []));
  const paths = [...new Set([...reads, ...copied, ...content])];
  const known = await Promise.all(paths.map((path) => judgePath(path, context)));
  const mentioned = await Promise.all(named.map((path) => judgePath(path, context)));
  /** Where no rule refuses anything, a word that only might be a path counts when it leads to what is ours. */
  const counted = refusedFiles.isEmpty ? mentioned.filter(({ own }) => own !== null) : mentioned;
  const below = await Promise.all(known.map(({ canonical }) => isRefusedBelow(canonical, context)));
  const isBlind = (opaque || blind.length > 0) && (await refusedFiles.isBelow(null));
  const around = known.find(({ own }, index) => own?.reach === "around" && content.has(paths[index]!));
  return { known: [...known, ...counted], isWhole: !isBlind && !below.includes(true), around: around?.own ?? null };
}

const copiers: ReadonlySet<string> = new Set(["cp", "mv"]);
/** Those that `edits` speaks of: what they read is there as well. */
const fileCommands: ReadonlySet<string> = new Set([...copiers, "rm", "rmdir", "mkdir", "touch"]);

/** A folder stands for all that lies below it. */
async function isRefusedBelow(path: string, { files, refused: refusedFiles }: LookContext): Promise<boolean> {
  if (refusedFiles.isEmpty) return false;
  const stat = await files.stat(path).catch(() => null);
  return stat?.kind === "directory" && (await refusedFiles.isBelow(path));
}

/** What a word may name: itself, the value of an option, what stands behind `@`, `if=` or a revision. */
function pathsIn(word: string | null): readonly string[] {
  if (word === null || word === "" || word.length > 4096 || word.includes("\0")) return [];
  const ends = [...word.matchAll(/[=:@,]/g)].map(({ index }) => word.slice(index + 1));
  return [word, ...ends, ...(/^-\w./.test(word) ? [word.slice(2)] : [])].filter((path) => path !== "" && path !== "/");
}

/** Nothing may run on a yes that was given to something else. */
function isSameVerdict(judged: JudgedCommand, access: CommandAccess): boolean {
  if (judged.verdict !== access.verdict || judged.network !== access.network) return false;
  return judged.verdict !== "unproven" || !access.sandboxed || judged.sandboxed;
}

/** How far a command reaches; one that is no plain edit, furthest. */
function reachOf({ files }: CommandAccess): number {
  return files === null ? 3 : ["project", "elsewhere", "guarded"].indexOf(files);
}

function outputOf(result: CommandResult, timeoutMs: number, { prompts }: RunContext): ToolOutput {
  const { exitCode, stdout, stderr, timedOut, refused: cage } = result;
  const said = [stdout, stderr].map((text) => text.trimEnd()).filter((text) => text !== "");
  const shown = cutMiddle(said.join("\n"), textLimit, (left) =>
    prompts("tools/bash/output-cut", { characters: String(left) }),
  );
  const notes = [
    ...(shown === "" ? [prompts("tools/bash/no-output")] : [shown]),
    ...(timedOut ? [prompts("tools/bash/timed-out", { seconds: String(timeoutMs / 1000) })] : []),
    ...(exitCode === null && !timedOut ? [prompts("tools/bash/killed")] : []),
    ...(exitCode !== null && exitCode !== 0 ? [prompts("tools/bash/exit-code", { code: String(exitCode) })] : []),
    ...(cage === null ? [] : [prompts("tools/bash/cage-refused", { cage })]),
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
  return [prompts("tools/bash/discarded", { files: `${discarded.files.slice(0, mostNamed).join(", ")}${more}` })];
}
