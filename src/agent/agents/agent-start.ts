/** How an agent's session starts: under its parent's gate, with a plan file of its own where it plans for itself (R2.5, B1.7). */
import { posix } from "node:path";
import { chain, items } from "../../core/chain.ts";
import type { SessionStarted } from "../../core/event.ts";
import type { Session } from "../../core/session.ts";
import { workingModeOf, type Mode } from "../../core/mode.ts";
import { planFileName } from "../../core/plan/location.ts";
import { wordsSlug } from "../../core/plan/slug.ts";
import type { Actor } from "../../core/decide/situation.ts";
import { conversationSoFar } from "../../prompts/render/agent.ts";
import type { AgentKind } from "./agent-kinds.ts";
import { messagesOf, type ContextStyle } from "../loop/context.ts";
import { startOfChild } from "../loop/linked.ts";
import type { Host } from "../ports/host.ts";
import type { Message } from "../ports/model.ts";
import type { AgentsOptions, AgentTask } from "./agent-task.ts";

/** A reader stands under the plan gate whatever its parent does, with no file to write; others follow their parent (B1.7). */
export function startOf(task: AgentTask, { host, surroundings }: AgentsOptions, plan: OwnPlan): SessionStarted {
  const { id, live, kind, mode, fork, seat } = task;
  const parent = live.current();
  const { permissions } = parent;
  const working = workingModeOf(permissions);
  const { approved } = parent.plan;
  const { prompts } = host;
  const planned = kind.readOnly || mode === "plan";
  const style = { prompts, plan: host.style, hasAgents: false };
  const before = fork && kind.mayFork ? [conversationSoFar(prompts, conversationOf(parent, style))] : [];
  const start = startOfChild(parent);
  const { session: given = [] } = permissions.rules;
  return {
    ...start,
    rules: given.length === 0 ? start.rules : { ...start.rules, session: given },
    id: seat === undefined ? `${parent.id}-agent-${id}` : `${parent.id}-${id.slice(-6)}`,
    at: host.clock.now(),
    actor: actorOf(task, permissions.mode.current),
    opening: [kind.projectMemory ? parent.opening : surroundings, ...before].join("\n\n"),
    mode: planned ? "plan" : (mode ?? working),
    returnTo: working,
    settings: { ...parent.settings, maxPlanningTokens: null },
    ...(plan === null ? {} : { plan }),
    ...(approved === null ? {} : { approved: { file: approved.file, text: approved.text } }),
  };
}

/** With a seat it is a teammate: `mode: "plan"` then means that only the lead lets it out (R2.5, R12.1). */
function actorOf({ id, kind, mode, seat }: AgentTask, parent: Mode): Actor {
  if (seat === undefined) return { kind: "subagent", id, ownPlan: kind.readOnly || mode === "plan", parent };
  const { name, team, answerWithin } = seat;
  return { kind: "teammate", name, team, planRequired: mode === "plan", answerWithin, parent };
}

export type OwnPlan = { readonly slug: string; readonly file: string } | null;

/** R3.2: named by the parent's plan; only an agent that plans for itself gets a file (R2.5). */
export async function ownPlan({ id, live, kind, mode, seat }: AgentTask, host: Host): Promise<OwnPlan> {
  if (seat !== undefined || !ownsPlan(kind, mode)) return null;
  const slug = live.current().plan.slug ?? wordsSlug(host.clock.random);
  const name = planFileName(slug, id);
  if (name === null) throw new Error(`${id} cannot name a plan file.`);
  const file = posix.join(host.plansDirectory, name);
  if ((await host.files.stat(file)) !== null) throw new Error(`The plan file ${file} exists already.`);
  return { slug, file };
}

export function ownsPlan({ readOnly }: AgentKind, mode: Mode | undefined): boolean {
  return !readOnly && mode === "plan";
}

const longestResult = 2_000;
const longest = 150_000;

/** R10.2: what was said so far, as plain text. Without the surroundings, the project's memory, reminders, and the turn that is under way. The newest words matter most. */
function conversationOf(session: Session, style: ContextStyle): string {
  const entries = items(session.transcript).filter(({ kind }) => kind !== "reminder");
  const underWay = entries.findLastIndex(({ kind }) => kind === "assistant");
  const said = { ...session, opening: "", transcript: chain(...entries.slice(0, Math.max(0, underWay))) };
  const text = messagesOf(said, style).flatMap(linesOf).join("\n\n");
  return text.length <= longest ? text : `…${text.slice(text.length - longest).replace(/^[\uDC00-\uDFFF]/, "")}`;
}

function linesOf(message: Message): readonly string[] {
  switch (message.role) {
    case "user":
      return message.content.map((part) => (part.type === "text" ? `[user] ${part.text}` : "[user] [image]"));
    case "assistant":
      return message.content.flatMap((part) => {
        if (part.type === "thinking") return [];
        return part.type === "text"
          ? [`[assistant] ${part.text}`]
          : [`[call ${part.tool}] ${clipped(JSON.stringify(part.input) ?? "")}`];
      });
    case "tool":
      return message.results.map(({ tool, content }) => {
        const text = content.map((part) => (part.type === "text" ? part.text : "[image]")).join("\n");
        return `[result ${tool}] ${clipped(text)}`;
      });
  }
}

function clipped(text: string): string {
  return text.length <= longestResult ? text : `${text.slice(0, longestResult)}…`;
}
