/** How a session begins: a new one, or an earlier one resumed or forked from its log. */
import { runnerRules } from "../agent/tools/rule-names.ts";
import { randomUUID } from "node:crypto";
import { copyFile, rm, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import type { Beginning } from "../agent/loop/agent.ts";
import { fileStates } from "../agent/store/file-states.ts";
import { createFiles } from "../agent/host/files/files.ts";
import { homeDirectory, makePrivateFolder } from "../agent/host/config-home.ts";
import { loadLog, type LoadedLog } from "../agent/store/log-reader.ts";
import type { Sealer } from "../agent/store/log-seal.ts";
import { restorePlan } from "../agent/store/restore-plan.ts";
import type { Event, SessionStarted, Today } from "../core/event.ts";
import { staleFiles } from "../core/plan/ledger.ts";
import type { Mode, WorkingMode } from "../core/mode.ts";
import { planFileName } from "../core/plan/location.ts";
import { withSuffix } from "../core/plan/slug.ts";
import { replay } from "../core/reduce.ts";
import { pendingReview } from "../core/selectors.ts";
import { freshSession, type Session } from "../core/session.ts";
import type { Actor } from "../core/decide/situation.ts";
import { planSettings, ruleLists, type Settings } from "../core/settings/settings.ts";
import type { SessionWish } from "./wish.ts";
import { findSession } from "./find-session.ts";
import { openingText, type OpeningRequest } from "./opening-text.ts";
import type { Workplace } from "./place.ts";
import { isUsageError, type UsageError } from "./usage-error.ts";

export interface BeginningRequest extends OpeningRequest, Pick<Workplace, "folder"> {
  readonly wish: SessionWish;
  readonly template: string | null;
  /** What seals the lines of this person's logs. */
  readonly sealer: Sealer;
}

export interface Begun {
  readonly id: string;
  readonly beginning: Beginning;
  /** Bytes of the log that this is made of. */
  readonly logSize: number;
  /** Takes back what was made for it, where the session could not be opened. */
  readonly discard?: () => Promise<void>;
}

export async function beginning(request: BeginningRequest): Promise<Begun | UsageError> {
  const { wish } = request;
  return wish.resume === null ? beginNew(request) : resume(request, wish.resume);
}

async function beginNew(request: BeginningRequest): Promise<Begun | UsageError> {
  const { wish, folder, settings, template, root, tell } = request;
  const id = wish.sessionId ?? randomUUID();
  const found = await stat(join(folder, `${id}.jsonl`)).catch(() => null);
  if (found !== null)
    return { problem: `There is a session ${id} already; resume it with --resume ${id}.`, exitCode: 2 };
  const mode = startMode(wish, settings, tell);
  if (isUsageError(mode)) return mode;
  const start: SessionStarted = {
    type: "session-started",
    id,
    at: Date.now(),
    actor: actorOf(wish, settings),
    roots: { project: root, home: homeDirectory() },
    opening: await openingText(request),
    ...mode,
    ...(wish.source === undefined ? {} : { source: wish.source }),
    bypassAvailable: wish.bypass !== "off",
    ...standing(request),
    settings: planSettings(settings, template),
    auto: { optedIn: settings.autoMode.enabled, gateOpen: true },
    ...(wish.linked === undefined ? {} : { linked: wish.linked }),
  };
  return { id, beginning: { start }, logSize: 0 };
}

function actorOf({ teammate }: SessionWish, settings: Settings): Actor {
  if (teammate === null) return { kind: "main" };
  const { name, planRequired, answerWithinMs: answerWithin } = teammate;
  return { kind: "teammate", name, team: teammate.team ?? settings.team.name ?? "default", planRequired, answerWithin };
}

type StartMode = { readonly mode: Mode; readonly returnTo?: WorkingMode };

function startMode(wish: SessionWish, settings: Settings, tell: (line: string) => void): StartMode | UsageError {
  const wanted = wish.mode ?? settings.defaultMode;
  if (wish.bypass === "on")
    return wanted === "plan" ? { mode: "plan", returnTo: "bypassPermissions" } : { mode: "bypassPermissions" };
  if (wanted === "bypassPermissions") {
    const how = "add --allow-dangerously-skip-permissions, or start with --dangerously-skip-permissions";
    if (wish.mode !== null)
      return { problem: `Skipping permissions must be allowed at the start: ${how}.`, exitCode: 2 };
    tell(`defaultMode bypassPermissions is not used: ${how}.`);
    return { mode: "default" };
  }
  if (wanted === "auto" && !settings.autoMode.enabled) {
    tell("Auto mode is not enabled (setting autoMode.enabled); starting in default mode.");
    return { mode: "default" };
  }
  return { mode: wanted };
}

async function resume(request: BeginningRequest, wanted: string | true): Promise<Begun | UsageError> {
  const { wish, folder, tell } = request;
  const found = await findSession([folder], wanted);
  if (isUsageError(found)) return found;
  const loaded = await loadLog(found.path, request.sealer).catch((error: unknown) =>
    String(error instanceof Error ? error.message : error),
  );
  if (typeof loaded === "string") return { problem: loaded, exitCode: 1 };
  if (loaded.problems.length > 0) tell(`${loaded.problems.length} unreadable line(s) of the log were left out.`);
  const past = loaded.entries.map(({ event }) => event);
  const session = replay(freshSession(), past);
  if (session.id === "") return { problem: `The log of session ${found.id} holds no session.`, exitCode: 1 };
  const why = await doubtIn(session, { ...request, ...loaded, path: found.path, id: found.id });
  if (wish.approve !== null) {
    const problem =
      why === null
        ? approvalProblem(session, wish.approve)
        : `${why}: nothing is approved from it. Resume it without --approve, and look at the plan.`;
    if (problem !== null) return { problem, exitCode: 1 };
  }
  const within = why === null ? {} : { within: request.plans };
  const plan = await restorePlan(session, { files: createFiles(), tell, ...within });
  const events: Event[] = [];
  const forked = wish.fork ? await fork(request, session, { path: found.path, size: loaded.size }) : null;
  if (forked !== null) events.push(forked.event);
  const stale = await staleAtResume(session);
  const id = forked?.event.id ?? found.id;
  const today = todayOf(session, request, why === null ? null : { why, id });
  events.push({ type: "session-resumed", plan, ...(stale.length === 0 ? {} : { stale }), today });
  const mode = resumedMode(wish);
  if (mode !== null && why === null) events.push({ type: "mode-chosen", mode });
  const begun = { id, beginning: { past, session, next: events } };
  return forked === null
    ? { ...begun, logSize: found.size }
    : { ...begun, logSize: loaded.size, discard: forked.discard };
}

/** B5.5: until its work has begun, which of the files that the plan names changed since it was submitted. */
async function staleAtResume({ plan, plans, roots }: Session): Promise<readonly string[]> {
  const file = plan.file ?? plan.approved?.file ?? null;
  const record = plans.findLast((one) => one.file === file);
  const evidence = record?.evidence ?? null;
  if (evidence === null || record?.status === "executing" || record?.status === "done") return [];
  const paths = evidence.files.map(({ path }) => path);
  return staleFiles(evidence, await fileStates(paths, { files: createFiles(), projectRoot: roots.project }));
}

/** Why this log is not believed; null where every line is ours, and it is this session's (B1.15). */
async function doubtIn(
  { id, roots }: Session,
  log: Pick<LoadedLog, "broken" | "hasSeals"> & { readonly path: string; readonly id: string; readonly root: string },
): Promise<string | null> {
  const owner = (await stat(log.path).catch(() => null))?.uid;
  if (process.getuid !== undefined && owner !== process.getuid()) return "The session's log belongs to another user";
  if (log.broken !== null && !log.hasSeals)
    return "The session's log has no seals (made by an older version, or they were taken out)";
  if (log.broken !== null) return `The session's log was changed outside of Groundplan (line ${log.broken})`;
  return id === log.id && roots.project === log.root ? null : "The log is another session's";
}

/** What the log says of rules, modes and settings is its history, not a permission. */
function todayOf(
  session: Session,
  request: BeginningRequest,
  doubt: { readonly why: string; readonly id: string } | null,
): Today {
  const { wish, settings, template, root, plans } = request;
  const asked = actorOf(wish, settings);
  const narrow: Actor = asked.kind === "teammate" ? { ...asked, planRequired: true } : asked;
  return {
    ...standing(request),
    actor: doubt === null ? session.actor : narrow,
    roots: { project: root, home: homeDirectory() },
    settings: planSettings(settings, template),
    autoOptedIn: settings.autoMode.enabled,
    bypass: wish.bypass,
    ...(doubt === null ? {} : { doubt: { ...doubt, plansDirectory: plans } }),
  };
}

/** R6.5: not where a channel that cannot show an approval drives the session; the settings name these. */
export function isReviewable({ channel }: SessionWish, { channels }: Settings): boolean {
  return channel === null ? channels.length === 0 : !channels.includes(channel);
}

/** What a start says of permissions, whether the session is new or not. */
function standing({ wish, settings }: BeginningRequest): Pick<SessionStarted, "reviewable" | "rules" | "runners"> {
  return {
    reviewable: isReviewable(wish, settings),
    rules: ruleLists(settings),
    runners: runnerRules,
  };
}

/** A mode is chosen by its option alone; to skip permissions has been said by `bypass` already. */
function resumedMode({ mode, bypass, approve }: SessionWish): Mode | null {
  if (mode === null || approve !== null) return null;
  return bypass === "on" && mode !== "plan" ? null : mode;
}

function approvalProblem(session: Session, hash: string): string | null {
  const pending = pendingReview(session);
  if (pending === null) return "No plan of this session awaits an approval.";
  if (pending.hash === hash) return null;
  return `The plan that awaits approval has another hash, ${pending.hash}; nothing was approved.`;
}

/** R14.3: the log is copied as far as it was read, whoever writes on in it, and the plan gets a file of its own. */
async function fork(
  { wish, folder, plans }: BeginningRequest,
  session: Session,
  { path, size }: { readonly path: string; readonly size: number },
) {
  const id = wish.sessionId ?? randomUUID();
  const log = join(folder, `${id}.jsonl`);
  await makePrivateFolder(folder);
  await copyFile(path, log, 1);
  await truncate(log, size);
  const { slug, text } = session.plan;
  const event = { type: "session-forked", id } as const;
  if (slug === null) return { event: { ...event, slug, file: null }, discard: () => remove(log) };
  const files = createFiles();
  for (;;) {
    const name = withSuffix(slug.replace(/-[0-9a-z]{8}$/, ""), Math.random);
    const file = join(plans, planFileName(name) ?? `${id}.md`);
    if ((await files.stat(file)) !== null) continue;
    const isWritten = text !== null && text !== "";
    if (isWritten) await files.writeText(file, text, { mode: 0o600, expectedHash: null });
    return { event: { ...event, slug: name, file }, discard: () => remove(log, ...(isWritten ? [file] : [])) };
  }
}

async function remove(...paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { force: true });
}
