/** Asks hooks in the middle of a session's work, and brings it their answer. */
import type { Call } from "../../core/decide/access.ts";
import type { Effect } from "../../core/effect.ts";
import type { HookOccasion } from "../../core/hooks.ts";
import { hashText } from "../../core/plan/hash.ts";
import { lastWords } from "../../core/selectors.ts";
import type { Session } from "../../core/session.ts";
import type { HookAsked } from "../ports/host.ts";
import type { Wiring } from "../loop/world.ts";
import { clean, readAnswer, type HookReading } from "./answer.ts";
import { toolFields } from "./payload.ts";

export async function hearHooks(wiring: Wiring, { id, occasion }: RunHooks, signal: AbortSignal): Promise<void> {
  const { world, current } = wiring;
  const session = current();
  const call = "callId" in occasion ? callOf(session, occasion.callId) : null;
  const work = async () => run(wiring, { session, signal, ...(await about(wiring, occasion, call)) });
  /** What a hook changes after a tool belongs to that tool's work. */
  const works = occasion.event === "PostToolUse" ? world.works : undefined;
  const said = call === null || works === undefined ? await work() : await works.around(call, session.plan.file, work);
  if (!signal.aborted) await answer(wiring, { id, call, said });
}

/** True when hooks answered in the person's place, or refused. */
export async function hearPermission(wiring: Wiring, { questionId, call }: AskPermission, signal: AbortSignal) {
  const session = wiring.current();
  const fields = { ...toolFields(call, wiring.world), permission_suggestions: [] };
  const said = await run(wiring, { session, signal, event: "PermissionRequest", subject: call.tool, input: fields });
  if (signal.aborted || (said.answer === "none" && said.told.length === 0 && said.stop === undefined)) return;
  await answer(wiring, { id: questionId, call, said });
}

/** Why the conversation stays as it is, else null. */
export async function hearCompaction(
  wiring: Wiring,
  focus: string | null,
  signal: AbortSignal,
): Promise<string | null> {
  const session = wiring.current();
  const trigger = session.turn.compaction?.why === "asked" ? "manual" : "auto";
  const input = { trigger, custom_instructions: focus ?? "" };
  const said = await run(wiring, { session, signal, event: "PreCompact", subject: trigger, input });
  said.told.forEach(wiring.world.report);
  return said.stop ?? (said.answer === "deny" ? `a hook refuses it: ${said.reason}` : null);
}

type RunHooks = Extract<Effect, { type: "run-hooks" }>;
type AskPermission = Extract<Effect, { type: "ask-permission" }>;

/** Where nobody can run them, it is as if they failed. */
async function run({ world }: Wiring, asked: Omit<HookAsked, "agent">): Promise<HookReading> {
  const failed = () => readAnswer(asked.event, { kind: "failed", why: "cannot be run here" }, `a ${asked.event} hook`);
  await world.refresh?.();
  return (
    (await world.hooks?.run({ ...asked, ...(world.agent === undefined ? {} : { agent: world.agent }) })) ?? failed()
  );
}

interface Heard {
  readonly id: string;
  readonly call: Call | null;
  readonly said: HookReading;
}

/** An input that a hook put in its place is looked at like one of the model's; it is judged again. */
async function answer({ world, send, current }: Wiring, { id, call, said }: Heard): Promise<void> {
  const { input, ...rest } = said;
  /** An agent's own notices are nobody's to see. */
  if (world.agent !== undefined) for (const line of rest.told) world.report(`Agent ${world.agent.type}: ${line}`);
  const answered = { type: "hooks-answered", id, answer: rest } as const;
  /** A plan is what its file holds, whatever anybody says. */
  if (input === undefined || call === null || call.access?.kind === "exit-plan") return void (await send(answered));
  const changed = await world.tools.prepare({ id: call.id, tool: call.tool, input }, current());
  const shown = clean(JSON.stringify(input)).slice(0, 300);
  const told = [...rest.told, `a hook changed what ${call.tool} is given: ${shown}`];
  await send({ ...answered, answer: { ...rest, told }, call: changed });
}

async function about(wiring: Wiring, occasion: HookOccasion, call: Call | null): Promise<Asked> {
  const { world, current } = wiring;
  const { event } = occasion;
  switch (event) {
    case "PreToolUse":
    case "PostToolUse": {
      if (call === null) return { event, subject: null, input: {} };
      const fields = toolFields(call, { directory: world.directory, ...(await planOf(wiring, call)) });
      const after = event === "PostToolUse" ? { tool_response: outputOf(current(), call.id) } : {};
      return { event, subject: call.tool, input: { ...fields, ...after, tool_use_id: call.id } };
    }
    case "UserPromptSubmit":
      return { event, subject: null, input: { prompt: occasion.prompt } };
    case "Stop":
    case "SubagentStop": {
      const input = { stop_hook_active: occasion.again, last_assistant_message: lastWords(current()) };
      return { event, subject: event === "Stop" ? null : (world.agent?.type ?? null), input };
    }
    case "SessionStart":
      return { event, subject: occasion.source, input: { source: occasion.source } };
    case "plan.submitted":
      return { event, subject: null, input: submittedPlan(current(), occasion.callId) };
  }
}

type Asked = Pick<HookAsked, "event" | "subject" | "input">;

function submittedPlan(session: Session, callId: string): Asked["input"] {
  const state = session.turn.open.find(({ call }) => call.id === callId)?.state;
  if (state?.kind !== "submitting") return {};
  return { plan: state.read.text, planFilePath: session.plan.file, hash: hashText(state.read.text) };
}

/** Whoever hands in a plan hands in the file's text. */
async function planOf({ world, current }: Wiring, { access }: Call): Promise<{ readonly plan?: object }> {
  const { file } = current().plan;
  if (access?.kind !== "exit-plan" || file === null) return {};
  return { plan: { plan: (await world.plans.read(file)) ?? "", planFilePath: file } };
}

function callOf(session: Session, id: string): Call | null {
  return session.turn.open.find(({ call }) => call.id === id)?.call ?? null;
}

function outputOf(session: Session, callId: string): unknown {
  const state = session.turn.open.find(({ call }) => call.id === callId)?.state;
  return state?.kind === "finishing" ? state.output : null;
}
