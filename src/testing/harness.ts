/** A whole session in memory: real tools, real core, real prompts; only the outside world is scripted. */
import { startAgent } from "../agent/agent.ts";
import type { SessionHandle } from "../agent/handle.ts";
import type { Model } from "../agent/model.ts";
import type { CommandResult, JudgedCommand, Person, Search, Shell, Tool } from "../agent/ports.ts";
import type { TodoStore } from "../agent/todo-store.ts";
import { createTools, describeTools } from "../agent/tools/registry.ts";
import type { Event, SessionStarted } from "../core/event.ts";
import { globToRegExp } from "../core/glob.ts";
import type { Mode } from "../core/mode.ts";
import { freshSession, type PlanSettings } from "../core/session.ts";
import { loadPrompts } from "../prompts/index.ts";
import { memoryFiles, type MemoryFiles } from "./memory-files.ts";
import { scriptedPerson } from "./scripted-person.ts";

export interface HarnessOptions {
  readonly model: Model;
  readonly person?: Person;
  readonly files?: MemoryFiles;
  readonly mode?: Mode;
  readonly rules?: Partial<SessionStarted["rules"]>;
  readonly settings?: Partial<PlanSettings>;
  readonly bypassAvailable?: boolean;
  /** Verdicts by command; every other command is unproven. */
  readonly verdicts?: Readonly<Record<string, JudgedCommand["verdict"]>>;
  readonly sandboxed?: boolean;
  readonly tools?: readonly Tool[];
  readonly todos?: TodoStore;
  /** Tokens that the model can take. */
  readonly contextWindow?: number;
  /** Goes on from an earlier log. */
  readonly past?: readonly Event[];
}

export interface Harness {
  readonly session: SessionHandle;
  readonly files: MemoryFiles;
  /** Every event that was applied, in order: what a log on disk would hold. */
  readonly log: readonly Event[];
  /** Commands that really ran. */
  readonly ran: readonly string[];
  /** Says something and waits until the person has the floor again. */
  readonly say: (text: string) => Promise<void>;
}

export async function startHarness(options: HarnessOptions): Promise<Harness> {
  const { model, person = scriptedPerson(), files = memoryFiles({ "/repo/README.md": "# Repo\n" }) } = options;
  const prompts = loadPrompts();
  const tools = createTools({ modelMayEnterPlan: "ask", planEagerness: "eager", more: options.tools ?? [] });
  const log: Event[] = [...(options.past ?? [])];
  const ran: string[] = [];
  let random = 0;
  const parts = {
    files,
    search: memorySearch(files),
    shell: memoryShell(options, ran),
    web: { fetchText: async () => ({ kind: "failed", reason: "no network here" }) as const },
    clock: { now: () => 1_000 + log.length, random: () => ((random += 0.137), random % 1) },
    person,
    log: { append: async ({ event }: { event: Event }) => void log.push(event) },
    prompts,
    tools,
    descriptions: describeTools(tools, prompts),
    model: { model, name: "scripted" },
    style: { workflow: "phases", planLength: "full", exploreAgents: 3, planAgents: 1 },
    planNames: "words",
    plansDirectory: "/home/ada/.groundplan/plans",
    directory: "/repo",
    roots: ["/repo"],
    origin: async () => ({ branch: "main", commit: null }),
    report: () => undefined,
    contextWindow: () => options.contextWindow,
    ...(options.todos === undefined ? {} : { todos: options.todos }),
  } as const;
  const beginning =
    options.past === undefined
      ? { start: startOf(options) }
      : { past: options.past, next: [{ type: "session-resumed", plan: null } as const] };
  const session = await startAgent(parts, beginning);
  return {
    session,
    files,
    log,
    ran,
    async say(text) {
      await session.send({ type: "user-said", text });
      await session.settled();
    },
  };
}

function startOf({ mode = "default", rules, settings, bypassAvailable = false }: HarnessOptions): SessionStarted {
  return {
    type: "session-started",
    id: "session",
    at: 0,
    actor: { kind: "main" },
    roots: { project: "/repo", home: "/home/ada" },
    mode,
    bypassAvailable: bypassAvailable || mode === "bypassPermissions",
    reviewable: true,
    rules: { allow: [], ask: [], deny: [], ...rules },
    runners: ["Bash", "Agent"],
    settings: { ...freshSession().settings, ...settings },
    auto: { optedIn: false, gateOpen: false },
  };
}

function memoryShell({ verdicts = {}, sandboxed = false }: HarnessOptions, ran: string[]): Shell {
  return {
    judge: async (command, directory) => ({
      command,
      directory,
      canonical: command,
      verdict: verdicts[command] ?? "unproven",
      reason: `scripted as ${verdicts[command] ?? "unproven"}`,
      span: null,
      parts: [command],
      reads: [],
      edits: null,
      network: false,
      sandboxed,
    }),
    run: async ({ command }): Promise<CommandResult> => {
      ran.push(command);
      return { exitCode: 0, stdout: `ran ${command}`, stderr: "", truncated: false, timedOut: false, refused: false };
    },
  };
}

function memorySearch(files: MemoryFiles): Search {
  const below = (root: string) => [...files.contents.keys()].filter((path) => path.startsWith(root));
  return {
    glob: async ({ pattern, root, limit }) => {
      const matcher = globToRegExp(`${root}/${pattern}`);
      const paths = below(root).filter((path) => matcher.test(path));
      return { paths: paths.slice(0, limit), truncated: paths.length > limit };
    },
    grep: async ({ pattern, root, limit }) => {
      const lines = below(root).filter((path) => files.contents.get(path)?.includes(pattern));
      return { lines: lines.slice(0, limit), truncated: lines.length > limit, problem: null };
    },
  };
}
