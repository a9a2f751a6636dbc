/** opencode: its plugin, which is ours, calls the hook with a payload that we define, and reads one of our answers. */
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { isObject } from "../core/wire/shape.ts";
import { loadPrompts } from "../prompts/index.ts";
import type { Client, ForeignCall, GuardAnswer, HookInput, Occasion, Planning, Spoken } from "./client.ts";
import { opencodeCall } from "./opencode-calls.ts";

export const opencode: Client = {
  name: "opencode",
  title: "opencode",
  versions: ["1.18.33"],
  events: ["tool", "plan"],
  offer: { modes: [{ ours: "acceptEdits", theirs: "build" }], editable: true, notes: true },
  cage: true,
  hear,
  say,
};

/** What the plugin sends. It grows only by fields that an older reader may leave out. */
interface Sent {
  readonly session: string;
  readonly directory: string;
  /** Of the session, then of those above it; null where the plugin could not learn it. */
  readonly agents: readonly (string | null)[];
}

function hear({ event, payload, environment }: HookInput): Occasion {
  const sent = sentIn(payload);
  if (!isObject(payload) || sent === null) return { kind: "unreadable", problem: "this is no payload of our plugin" };
  const { session, directory } = sent;
  if (event === "plan") {
    const { plan } = payload;
    if (typeof plan !== "string") return { kind: "unreadable", problem: "there is no plan in it" };
    return { kind: "plan", session, directory, plan, planFile: null, headless: false };
  }
  if (event !== "tool") return { kind: "unreadable", problem: `there is no event named ${event.slice(0, 40)}` };
  const { tool: name, args: given, call: id } = payload;
  if (typeof name !== "string" || name === "" || !isObject(given))
    return { kind: "unreadable", problem: "it names no tool" };
  const call = opencodeCall({ name, given, id: typeof id === "string" ? id : "call", directory });
  const planFile = planFileOf(call, directory, environment);
  return { kind: "tool", session, directory, planning: planningOf(sent), call, planFile };
}

function sentIn(payload: unknown): Sent | null {
  if (!isObject(payload) || payload["version"] !== 1) return null;
  const { session, directory, agents } = payload;
  if (typeof session !== "string" || session === "") return null;
  if (typeof directory !== "string" || !isAbsolute(directory) || !Array.isArray(agents)) return null;
  return { session, directory, agents: agents.map((agent) => (typeof agent === "string" ? agent : null)) };
}

/** An agent below plans as long as one above it does. */
function planningOf({ agents }: Sent): Planning {
  if (agents.includes("plan")) return "plan";
  return agents.length === 0 || agents.includes(null) ? "unknown" : "work";
}

/** The folders whose notes the agent `plan` may write: one of the project, one of the person. */
function planFileOf(call: ForeignCall, directory: string, environment: HookInput["environment"]): string | null {
  if (call.kind !== "ours" || call.calls.length !== 1) return null;
  const [{ input }] = call.calls as [(typeof call.calls)[number]];
  const path = isObject(input) ? input["file_path"] : null;
  if (typeof path !== "string" || !/^[^.].*\.md$/.test(basename(path))) return null;
  const shared = environment["XDG_DATA_HOME"] ?? join(environment["HOME"] ?? "/", ".local/share");
  const folders = [join(directory, ".opencode/plans"), resolve(shared, "opencode/plans")];
  return folders.includes(dirname(path)) ? path : null;
}

/** The plugin takes nothing but these for a decision; the texts are for the model. */
function say(event: string, answer: GuardAnswer): Spoken {
  return { stdout: `${JSON.stringify(spokenOf(event, answer))}\n`, stderr: "", exitCode: 0 };
}

function spokenOf(event: string, answer: GuardAnswer): Readonly<Record<string, unknown>> {
  const prompts = loadPrompts();
  const refused = (): Readonly<Record<string, unknown>> => ({
    decision: "refuse",
    reason: prompts("clients-opencode/refused"),
  });
  switch (answer.kind) {
    case "no-opinion":
    case "pass":
      return event === "tool" ? { decision: "go-on" } : refused();
    case "rewrite":
      return event === "tool" && isObject(answer.input) ? { decision: "rewrite", args: answer.input } : refused();
    case "refuse":
      return { decision: "refuse", reason: answer.reason };
    case "send-back":
      return { decision: "send-back", text: answer.feedback };
    case "leave-to-client":
      return event === "plan" ? { decision: "leave", text: prompts("clients-opencode/leave") } : refused();
    case "approve": {
      if (event !== "plan") return refused();
      const agent = answer.mode ?? "build";
      const notes = answer.notes === null ? "" : `\n\n${prompts("clients-opencode/notes", { notes: answer.notes })}`;
      const text = prompts("clients-opencode/approved", { plan: answer.plan, notes });
      const byHand = prompts("clients-opencode/switch-by-hand", { agent });
      return { decision: "approve", agent, text, done: prompts("clients-opencode/done"), byHand };
    }
  }
}
