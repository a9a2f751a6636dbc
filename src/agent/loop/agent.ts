/** A whole agent on a host: tools, model and log wired to one session; every surface starts here. */
import type { Call } from "../../core/decide/access.ts";
import { items } from "../../core/chain.ts";
import type { Event, SessionStarted } from "../../core/event.ts";
import { isPlanning } from "../../core/mode.ts";
import type { AnsweredQuestion } from "../../core/outcome.ts";
import type { ReviewRequest } from "../../core/plan/review.ts";
import type { Session } from "../../core/session.ts";
import { followHooks } from "../hooks/news.ts";
import { contextWindowOf } from "../models/providers.ts";
import type { Happening, Log, SessionHandle } from "../ports/handle.ts";
import type { Host } from "../ports/host.ts";
import type { NamedModel } from "../ports/model.ts";
import type { ToolOutput } from "../ports/ports.ts";
import { createPlans, type Plans } from "../store/plans.ts";
import { createReadRecords, noteReads, type SessionReads } from "../store/read-records.ts";
import { keepTodos } from "../store/todo-store.ts";
import { mayClaim, type Tool } from "../tools/tool.ts";
import { shelveTools, type ToolShelf } from "../tools/tool-shelf.ts";
import { watchEdits } from "../watch/edit-watch.ts";
import type { WorkTreeWatch } from "../watch/work-tree.ts";
import { compact, compactNearLimit, tellSmallContext } from "./compact.ts";
import { messagesOf, withEveryTurn } from "./context.ts";
import { linkedSession, noteDecisions, type LinkedSession } from "./linked.ts";
import { createSession } from "./session.ts";
import { createToolBench } from "./tool-bench.ts";
import type { World } from "./world.ts";

/** What one session has beside its host. */
export interface SessionParts {
  readonly host: Host;
  readonly log: Log;
  readonly tools: readonly Tool[];
  /** Those that the model is told of; all of them by default. */
  readonly told?: readonly Tool[];
  readonly model: NamedModel;
  /** While planning, where it is another one (B7.4). */
  readonly planModel?: NamedModel;
  /** Instead of the main agent's. */
  readonly system?: string;
  /** Goes with every turn (R10.3). */
  readonly turnReminder?: string;
  /** A last look before a call runs; what it gives back is the call's result. */
  readonly guard?: (call: Call, session: Session) => ToolOutput | null;
  readonly workTree?: WorkTreeWatch;
  /** From now on the work on the host's files is this session's. */
  readonly followWorks?: (handle: SessionHandle) => void;
  /** Tokens that a model can take, by its name; what we know of models by default. */
  readonly contextWindow?: (model: string) => number | undefined;
  /** Begins the session that carries out an approved plan with fresh context; gives its id (B6.4). */
  readonly startLinked?: (linked: LinkedSession) => Promise<string>;
  /** Takes a teammate's plan to its lead, and brings the answer to the session; resolves when nobody waits for it any more. */
  readonly submitPlan?: (submission: Submission) => Promise<void>;
  /** Hears everything from the first event on. */
  readonly listen?: (happening: Happening) => void;
}

export interface Submission {
  readonly request: ReviewRequest;
  readonly handle: SessionHandle;
  readonly plans: Pick<Plans, "read" | "write">;
  readonly signal: AbortSignal;
}

/** Begins a new session, or goes on with the events of an earlier one. */
export type Beginning =
  | { readonly start: SessionStarted }
  | {
      readonly past: Iterable<Event>;
      /** What the past comes to, where that is known already. */
      readonly session?: Session;
      readonly next: readonly Event[];
    };

export async function startAgent(parts: SessionParts, beginning: Beginning): Promise<SessionHandle> {
  const { host, workTree, contextWindow = contextWindowOf } = parts;
  const system = parts.system ?? host.prompts("system");
  const memory: Memory = { reads: createReadRecords(), decisions: [], shelf: shelveTools({ ...parts, system }) };
  const past = "past" in beginning ? [...beginning.past] : [];
  for (const event of "start" in beginning ? [beginning.start] : past) {
    noteReads(event, memory.reads);
    remember(event, memory);
  }
  const known = "past" in beginning && beginning.session !== undefined ? { session: beginning.session } : {};
  const world = worldOf(parts, { system, memory, handle: () => handle });
  const handle: SessionHandle = createSession({ world, log: parts.log, past, ...known });
  handle.subscribe((happening) => {
    if (happening.kind === "event") remember(happening.event, memory);
  });
  watchWorkTree(handle, workTree);
  parts.followWorks?.(handle);
  followHooks(handle, host);
  if (host.todos !== undefined) keepTodos(handle, host.todos, host.report);
  const modelOf = (session: Session): string => modelFor(session, parts).name;
  compactNearLimit(handle, (session) => contextWindow(modelOf(session)));
  tellSmallContext(handle, { modelOf, windowOf: contextWindow, report: host.report, past });
  if (parts.listen !== undefined) handle.subscribe(parts.listen);
  for (const event of "start" in beginning ? [beginning.start] : beginning.next) await handle.send(event);
  return handle;
}

/** What is known of the events so far, beside the session's state. */
interface Memory {
  readonly reads: SessionReads;
  readonly decisions: AnsweredQuestion[];
  readonly shelf: ToolShelf;
}

/** After a return to a point (B15) nothing that was seen or answered is taken for known. */
function remember(event: Event, { reads, decisions, shelf }: Memory): void {
  if (event.type === "session-rewound" && event.what !== "files") {
    reads.clear();
    decisions.length = 0;
  }
  noteDecisions(event, decisions);
  shelf.note(event);
}

interface Wired {
  readonly system: string;
  readonly memory: Memory;
  readonly handle: () => SessionHandle;
}

function worldOf(parts: SessionParts, { system, memory, handle }: Wired): World {
  const { host, workTree } = parts;
  const { reads, decisions, shelf } = memory;
  const plans = createPlans({ ...host, changed: async () => (await workTree?.changed()) ?? [] });
  const bench = createToolBench({ host, tools: shelf.tools, reads });
  const edits = watchEdits({ ...host, reads });
  const prepare = preparing(parts, system, shelf);
  return {
    ...host,
    plans,
    tools: {
      ...bench,
      run: async (call, session, options) => {
        const work = () => bench.run(call, session, options);
        const watched = () => host.works?.around(call, session.plan.file, work) ?? work();
        return parts.guard?.(call, session) ?? (mayWrite(call) ? edits.around(watched) : watched());
      },
    },
    prepare,
    noticeEdits: (session) => edits.notice(session),
    compact: async (request) => {
      await readTodos(request.session, host, handle());
      return compact({ prompts: host.prompts, plans, prepare }, request);
    },
    submitPlan: async (request, signal) => {
      try {
        await parts.submitPlan?.({ request, handle: handle(), plans, signal });
      } catch (error) {
        host.report(`The plan could not be handed to the team lead: ${String(error)}`);
      }
    },
    startLinked: async (effect) => {
      try {
        const facts = { ...host, reads, decisions };
        const id = await parts.startLinked?.(await linkedSession(facts, handle().state, effect));
        if (id !== undefined) await handle().send({ type: "session-linked", id });
      } catch (error) {
        host.report(`The session for the plan could not be started: ${String(error)}`);
      }
    },
  };
}

function mayWrite({ access }: Call): boolean {
  return access?.kind === "command" && access.verdict !== "read-only";
}

function preparing(parts: SessionParts, system: string, shelf: ToolShelf): World["prepare"] {
  const { host, tools, turnReminder } = parts;
  const hasAgents = tools.some((tool) => mayClaim(tool, "spawn"));
  return (session) => {
    const { model, name, effort } = modelFor(session, parts);
    const said = messagesOf(session, { prompts: host.prompts, plan: host.style, hasAgents });
    const messages = turnReminder === undefined ? said : withEveryTurn(said, turnReminder);
    const request = { model: name, system, tools: shelf.described(), messages, transcript: items(session.transcript) };
    return { model, request: effort === undefined ? request : { ...request, effort } };
  };
}

/** R13.3: after a compaction the todos are given again from disk. */
async function readTodos(session: Session, { todos }: Host, handle: SessionHandle): Promise<void> {
  const kept = (await todos?.load(session).catch(() => null)) ?? null;
  if (kept === null || kept.length === 0 || JSON.stringify(kept) === JSON.stringify(session.todos)) return;
  await handle.send({ type: "todos-written", todos: kept });
}

function modelFor({ permissions }: Session, { model, planModel }: SessionParts): NamedModel {
  return isPlanning(permissions) && planModel !== undefined ? planModel : model;
}

/**
 * B1.6: a picture of the work tree at entry, compared at exit; in the background, never in the way of a turn. Where a session begins in
 * plan mode its first request goes first, and the picture is taken before the first call.
 */
function watchWorkTree(handle: SessionHandle, workTree: WorkTreeWatch | undefined): void {
  if (workTree === undefined) return;
  let waiting: NodeJS.Timeout | undefined;
  handle.subscribe((happening) => {
    if (happening.kind !== "event") return;
    const { event } = happening;
    const before = happening.before.id !== "" && isPlanning(happening.before.permissions);
    const now = isPlanning(happening.session.permissions);
    const isStart = event.type === "session-started" || event.type === "session-resumed";
    const hasCalls = event.type === "model-replied" && event.calls.length > 0;
    if (now && isStart) waiting = setTimeout(() => workTree.begin(), requestFirstMs).unref();
    else if (now && (!before || hasCalls)) workTree.begin();
    if (!before || now) return;
    clearTimeout(waiting);
    void workTree.end().then((changed) => handle.send({ type: "work-tree-compared", changed }));
  });
}

const requestFirstMs = 100;
