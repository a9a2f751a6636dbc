/** A whole agent on given parts: tools, model, person and log wired to one session; every surface starts here. */
import type { Call } from "../../core/decide/access.ts";
import { items } from "../../core/chain.ts";
import type { Event, SessionStarted } from "../../core/event.ts";
import type { PlanOrigin } from "../../core/plan/ledger.ts";
import { isPlanning } from "../../core/mode.ts";
import type { ReviewRequest } from "../../core/plan/review.ts";
import type { Session } from "../../core/session.ts";
import type { Prompts } from "../../prompts/index.ts";
import type { PlanStyle } from "../../prompts/render/reminder.ts";
import { compact, compactNearLimit } from "./compact.ts";
import { messagesOf, withEveryTurn } from "./context.ts";
import { watchEdits } from "../watch/edit-watch.ts";
import type { Happening, Log, SessionHandle } from "../ports/handle.ts";
import { linkedSession, noteDecisions, type LinkedSession } from "./linked.ts";
import type { AnsweredQuestion } from "../../core/outcome.ts";
import type { NamedModel, ToolDescription } from "../ports/model.ts";
import { contextWindowOf } from "../models/catalog.ts";
import { createPlans, type Plans } from "../store/plans.ts";
import type { Clock, Files, Person, Search, Shell, ToolOutput, Web } from "../ports/ports.ts";
import { mayClaim, type Tool } from "../tools/tool.ts";
import { createReadRecords, noteReads } from "../store/read-records.ts";
import { createSession } from "./session.ts";
import { tellSmallContext } from "./small-context.ts";
import { keepTodos, type TodoStore } from "../store/todo-store.ts";
import { createToolBench } from "./tool-bench.ts";
import { shelveTools } from "../tools/tool-shelf.ts";
import type { WorkTreeWatch } from "../watch/work-tree-watch.ts";
import type { World } from "./world.ts";

export interface AgentParts {
  readonly files: Files;
  readonly search: Search;
  readonly shell: Shell;
  readonly web: Web;
  readonly clock: Clock;
  readonly person: Person;
  readonly log: Log;
  readonly prompts: Prompts;
  readonly tools: readonly Tool[];
  readonly descriptions: readonly ToolDescription[];
  readonly model: NamedModel;
  /** While planning, where it is another one (B7.4). */
  readonly planModel?: NamedModel;
  /** Instead of the main agent's. */
  readonly system?: string;
  /** Goes with every turn (R10.3). */
  readonly turnReminder?: string;
  /** A last look before a call runs; what it gives back is the call's result. */
  readonly guard?: (call: Call, session: Session) => ToolOutput | null;
  readonly style: PlanStyle;
  readonly planNames: "words" | "task";
  /** Canonical, as are the roots. */
  readonly plansDirectory: string;
  readonly directory: string;
  readonly roots: readonly [project: string, ...added: string[]];
  readonly origin: () => Promise<PlanOrigin>;
  readonly report: (problem: string) => void;
  readonly workTree?: WorkTreeWatch;
  /** Tokens that a model can take, by its name; what we know of models by default. */
  readonly contextWindow?: (model: string) => number | undefined;
  /** Where todos are kept beside the log (R13.1). */
  readonly todos?: TodoStore;
  /** Begins the session that carries out an approved plan with fresh context; gives its id (B6.4). */
  readonly startLinked?: (linked: LinkedSession) => Promise<string>;
  /** Takes a teammate's plan to its lead, and brings the answer to the session; resolves when nobody waits for it any more. */
  readonly submitPlan?: (submission: Submission) => Promise<void>;
  readonly classify?: World["classify"];
  readonly saveRule?: World["saveRule"];
  readonly refresh?: World["refresh"];
  readonly withoutKeys?: World["withoutKeys"];
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

export async function startAgent(parts: AgentParts, beginning: Beginning): Promise<SessionHandle> {
  const { clock, person, prompts, directory, roots, workTree } = parts;
  const hasAgents = parts.tools.some((tool) => mayClaim(tool, "spawn"));
  const system = parts.system ?? prompts("system");
  const reads = createReadRecords();
  const decisions: AnsweredQuestion[] = [];
  const shelf = shelveTools({ ...parts, system });
  const plans = createPlans({
    files: parts.files,
    clock,
    directory: parts.plansDirectory,
    projectRoot: roots[0],
    names: parts.planNames,
    origin: parts.origin,
    report: parts.report,
    changed: async () => (await workTree?.changed()) ?? [],
  });
  const prepare: World["prepare"] = (session) => {
    const { model, name, effort } = modelFor(session, parts);
    const said = messagesOf(session, { prompts, plan: parts.style, hasAgents });
    const messages = parts.turnReminder === undefined ? said : withEveryTurn(said, parts.turnReminder);
    const request = { model: name, system, tools: shelf.described(), messages, transcript: items(session.transcript) };
    return { model, request: effort === undefined ? request : { ...request, effort } };
  };
  /** R13.3: after a compaction the todos are given again from disk. */
  const readTodos = async (session: Session): Promise<void> => {
    const kept = (await parts.todos?.load(session).catch(() => null)) ?? null;
    if (kept === null || kept.length === 0 || JSON.stringify(kept) === JSON.stringify(session.todos)) return;
    await handle.send({ type: "todos-written", todos: kept });
  };
  const bench = createToolBench({ ...parts, tools: shelf.tools, directory, roots, reads });
  const world: World = {
    clock,
    person,
    plans,
    tools: {
      ...bench,
      run: async (call, session, options) => parts.guard?.(call, session) ?? bench.run(call, session, options),
    },
    prepare,
    noticeEdits: watchEdits({ files: parts.files, reads, clock }),
    compact: async (request) => {
      await readTodos(request.session);
      return compact({ prompts, plans, prepare }, request);
    },
    ...(parts.classify === undefined ? {} : { classify: parts.classify }),
    submitPlan: async (request, signal) => {
      try {
        await parts.submitPlan?.({ request, handle, plans, signal });
      } catch (error) {
        parts.report(`The plan could not be handed to the team lead: ${String(error)}`);
      }
    },
    startLinked: async (effect) => {
      const facts = { prompts, files: parts.files, reads, decisions, now: clock.now };
      try {
        const id = await parts.startLinked?.(await linkedSession(facts, handle.state, effect));
        if (id !== undefined) await handle.send({ type: "session-linked", id });
      } catch (error) {
        parts.report(`The session for the plan could not be started: ${String(error)}`);
      }
    },
    ...(parts.saveRule === undefined ? {} : { saveRule: parts.saveRule }),
    ...(parts.refresh === undefined ? {} : { refresh: parts.refresh }),
    ...(parts.withoutKeys === undefined ? {} : { withoutKeys: parts.withoutKeys }),
  };
  const past = "past" in beginning ? [...beginning.past] : [];
  for (const event of "start" in beginning ? [beginning.start] : past) {
    noteReads(event, reads);
    noteDecisions(event, decisions);
    shelf.note(event);
  }
  const known = "past" in beginning && beginning.session !== undefined ? { session: beginning.session } : {};
  const handle = createSession({ world, log: parts.log, past, ...known });
  handle.subscribe((happening) => {
    if (happening.kind !== "event") return;
    noteDecisions(happening.event, decisions);
    shelf.note(happening.event);
  });
  watchWorkTree(handle, workTree);
  if (parts.todos !== undefined) keepTodos(handle, parts.todos, parts.report);
  const { contextWindow = contextWindowOf } = parts;
  const modelOf = (session: Session): string => modelFor(session, parts).name;
  compactNearLimit(handle, (session) => contextWindow(modelOf(session)));
  tellSmallContext(handle, { modelOf, windowOf: contextWindow, report: parts.report });
  if (parts.listen !== undefined) handle.subscribe(parts.listen);
  const first = "start" in beginning ? [beginning.start] : beginning.next;
  for (const event of first) await handle.send(event);
  return handle;
}

function modelFor({ permissions }: Session, { model, planModel }: AgentParts): NamedModel {
  return isPlanning(permissions) && planModel !== undefined ? planModel : model;
}

/** B1.6: a picture of the work tree at entry, compared at exit; in the background, never in the way of a turn. */
function watchWorkTree(handle: SessionHandle, workTree: WorkTreeWatch | undefined): void {
  if (workTree === undefined) return;
  handle.subscribe((happening) => {
    if (happening.kind !== "event") return;
    const before = happening.before.id !== "" && isPlanning(happening.before.permissions);
    const now = isPlanning(happening.session.permissions);
    if (now && (!before || happening.event.type === "session-resumed")) workTree.begin();
    if (before && !now) void workTree.end().then((changed) => handle.send({ type: "work-tree-compared", changed }));
  });
}
