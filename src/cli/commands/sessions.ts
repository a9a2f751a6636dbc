/** `groundplan sessions [list|show|rm]`: past sessions of this project, or of all. */
import { lstat, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorText } from "../../core/error-text.ts";
import { configHome, projectRoot, sessionsFolder } from "../../agent/host/config-home.ts";
import { exitsText } from "../../agent/loop/cost-text.ts";
import { lockSession } from "../../agent/host/files/lock.ts";
import { reviewsFolder } from "../../agent/answers/kept-answers.ts";
import { loadLog } from "../../agent/store/log-reader.ts";
import { shortened } from "../../agent/library/find-plan.ts";
import {
  findSessions,
  projectFolders,
  summarize,
  type FoundSession,
  type SessionSummary,
} from "../../agent/store/session-list.ts";
import { titleOf } from "../../core/plan/outline.ts";
import { replay } from "../../core/reduce.ts";
import { freshSession, type Session } from "../../core/session.ts";
import { answer, answerJson, type Streams } from "../command.ts";
import { complain, tellPerson, visibleLine } from "../complaint.ts";
import { commandWith, count, flag, folder, value } from "../options.ts";
import { answerPaged } from "../pager.ts";
import { columnsOf } from "../../faces/terminal/view/safe-text.ts";
import { ageColumns, ageOf } from "./plans/age.ts";
import { cut, screenOf, type OutputScreen } from "./plans/screen.ts";
import { findSession } from "../../program/find-session.ts";
import { isUsageError } from "../../program/usage-error.ts";

const usage = `groundplan sessions [list]              past sessions of this project, newest first   --limit <n>
groundplan sessions show <id>           one of them: plans, todos, links
groundplan sessions rm <id> [--plans]   removes its log, snapshots and todos; with --plans its drafts too
  --all    of every project     --json    for programs     --cwd <dir>
A session is named by its id, or a beginning of it.
`;

const options = { all: flag, json: flag, plans: flag, cwd: folder, limit: { ...value, short: "n" } } as const;
const { plans: withPlans, limit, ...shared } = options;
const verbs = {
  list: { options: { ...shared, limit } },
  show: { options: shared, takes: "session" },
  rm: { options: { ...shared, plans: withPlans }, takes: "session" },
} as const;

export const sessions = commandWith(
  { name: "sessions", usage, options, words: { verbs } },
  async ({ values, positionals }, streams) => {
    const [verb = "list", id, ...more] = positionals;
    const home = configHome();
    const problem = count("--limit", values.limit) ?? misplaced(verb, values);
    if (problem !== null) return complain(streams, problem, 2);
    const request: Request = {
      home,
      streams,
      json: values.json === true,
      plans: values.plans === true,
      limit: values.limit === undefined ? Infinity : Number(values.limit),
      screen: screenOf(streams.stdout, process.env),
      now: Date.now(),
    };
    const folders =
      values.all === true
        ? await projectFolders(home)
        : [sessionsFolder(home, await projectRoot(values.cwd ?? process.cwd()))];
    if (verb === "list" && id === undefined) return list(folders, request);
    if ((verb !== "show" && verb !== "rm") || id === undefined || more.length > 0) {
      return complain(streams, `sessions ${positionals.join(" ")} is not understood.\n${usage.trimEnd()}`, 2);
    }
    const found = await findSession(folders, id);
    if (isUsageError(found)) return complain(streams, found.problem, found.exitCode);
    return verb === "show" ? show(await summarize(found), request) : remove(found, request);
  },
);

interface Request {
  readonly home: string;
  readonly streams: Streams;
  readonly json: boolean;
  readonly plans: boolean;
  readonly limit: number;
  readonly screen: OutputScreen;
  /** The moment that ages are counted to. */
  readonly now: number;
}

function misplaced(
  verb: string,
  { limit, plans }: { readonly limit?: string; readonly plans?: boolean },
): string | null {
  if (limit !== undefined && verb !== "list") return `--limit is for groundplan sessions list, not for ${verb}.`;
  return plans === true && verb !== "rm" ? `--plans is for groundplan sessions rm, not for ${verb}.` : null;
}

async function list(folders: readonly string[], request: Request): Promise<number> {
  const { json, streams, limit, screen } = request;
  const all = (await Promise.all(folders.map((folder) => findSessions(folder)))).flat();
  const newest = all.toSorted((one, other) => other.changedAt - one.changedAt).slice(0, limit);
  const shown: SessionSummary[] = [];
  for (const session of newest) shown.push(await summarize(session));
  if (json) return answerJson(streams, shown);
  if (shown.length === 0) return answer(streams, "There are no sessions yet.");
  const ids = all.map(({ id }) => id);
  const lines = shown.map((session) => line(session, { ...request, isMixed: folders.length > 1, ids }));
  await answerPaged(streams, lines.join("\n"), screen);
  const more = all.length - shown.length;
  if (more > 0) tellPerson(streams, `${more} more; --limit <n> shows more of them.`);
  return 0;
}

interface LineFacts extends Pick<Request, "screen" | "now"> {
  /** Sessions of several projects are shown. */
  readonly isMixed: boolean;
  /** Of all sessions among which a short id must be enough. */
  readonly ids: readonly string[];
}

/** On a terminal short ids and ages, in one line, two where it is narrow; for a program everything whole. */
function line(session: SessionSummary, { screen, now, isMixed, ids }: LineFacts): string {
  const { id, changedAt, mode, words, project, links } = session;
  const { isTerminal, columns, paint } = screen;
  const short = (one: string): string =>
    isTerminal
      ? shortened(
          one,
          ids.filter((other) => other !== one),
        )
      : one;
  const said = words === "" ? "(nothing said)" : visibleLine(words);
  const parts = [said];
  if (isMixed && project !== null) parts.push(`in ${visibleLine(project)}`);
  if (typeof links?.to === "string") parts.push(`→ ${short(links.to)}`);
  if (typeof links?.from === "string") parts.push(`← ${short(links.from)}`);
  const when = isTerminal ? ageOf(changedAt, now).padEnd(ageColumns) : minuteOf(changedAt);
  const [name, state, text] = [paint("cyan", short(id)), mode ?? "?", parts.join("  ")];
  const left = [name, paint("dim", when), state.padEnd(11)].join("  ");
  if (!isTerminal) return `${left}  ${text}`;
  const room = columns - columnsOf(left) - 2;
  if (room >= leastWords) return `${left}  ${cut(text, room)}`;
  return `${name}  ${paint("dim", when.trimEnd())}\n  ${cut(`${state}  ${text}`, columns - 2)}`;
}

/** With fewer columns for what was said, it gets a line of its own. */
const leastWords = 16;

function minuteOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace("T", " ");
}

async function show(found: SessionSummary, request: Request): Promise<number> {
  const { json, streams, screen } = request;
  const session = await replayed(found.path);
  if (typeof session === "string") return complain(streams, session, 1);
  const { todos, plan, plans, usage: used } = session;
  const shown = {
    ...found,
    plans: plans.map(({ title, status, file, revisions }) => ({
      title: title === "" && file === plan.file ? titleOf(plan.text ?? "") : title,
      status,
      file,
      revisions: revisions.length,
    })),
    todos,
    requests: used.total.requests,
    usage: used.total,
    exitsOutsidePlan: session.counters.exitsOutsidePlan,
  };
  if (json) return answerJson(streams, shown);
  const exits = exitsText(session);
  const rows = [
    line(found, { ...request, isMixed: true, ids: [] }),
    ...shown.plans.map(({ title, status, file }) => `plan  ${status}  ${visibleLine(title)}  ${visibleLine(file)}`),
    ...todos.map(({ content, status }) => `todo  ${status}  ${visibleLine(content)}`),
    `${used.total.requests} requests, ${used.total.inputTokens + used.total.cacheReadTokens} tokens in, ${used.total.outputTokens} out`,
    ...(exits === null ? [] : [exits]),
    `groundplan --resume ${found.id}`,
  ];
  return answerPaged(streams, rows.join("\n"), screen);
}

/** R14.7. A session that is open in a process is left alone. */
async function remove({ id, path }: FoundSession, { home, streams, plans, json }: Request): Promise<number> {
  const locking = await lockSession(`${path}.lock`);
  if (locking.kind === "refused") {
    const who = locking.pid === null ? "another process" : `process ${locking.pid}`;
    return complain(streams, `Session ${id} is open in ${who}; close it there first. Nothing was removed.`, 1);
  }
  try {
    const session = plans ? await replayed(path) : null;
    if (typeof session === "string")
      return complain(streams, `${session} Its drafts are not known: try without --plans.`, 1);
    const drafts = session === null ? [] : await draftsOf(session);
    const kept = await filesNamed(dirname(path), (name) => name.startsWith(`${id}.`) && !name.includes(".lock"));
    const todos = await filesNamed(join(home, "todos"), (name) => name.startsWith(`${id}-agent-`));
    const reviews = reviewsFolder(home, id);
    const answers = await filesNamed(join(reviews, "answers"), () => true);
    for (const file of [...drafts, ...todos, ...kept]) await rm(file, { recursive: true, force: true });
    await rm(reviews, { recursive: true, force: true });
    const removed = [...kept, ...todos, ...drafts, ...answers];
    if (json) return answerJson(streams, { id, removed });
    return answer(streams, `Removed session ${id}: ${removed.length} files.`);
  } finally {
    await locking.lock.release();
  }
}

/** Plans of this session that nobody approved; links and other sessions' files are not followed. */
async function draftsOf({ id, plans }: Session): Promise<readonly string[]> {
  const own = plans.filter(
    ({ session, decisions }) => session === id && !decisions.some(({ kind }) => kind === "approve"),
  );
  const facts = await Promise.all(own.map(async ({ file }) => ({ file, found: await lstat(file).catch(() => null) })));
  return facts.filter(({ found }) => found?.isFile() === true).map(({ file }) => file);
}

async function replayed(path: string): Promise<Session | string> {
  try {
    const { entries } = await loadLog(path);
    const events = entries.map(({ event }) => event);
    return replay(freshSession(), events);
  } catch (error) {
    return errorText(error);
  }
}

async function filesNamed(folder: string, isWanted: (name: string) => boolean): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => isWanted(basename(name))).map((name) => join(folder, name));
}
