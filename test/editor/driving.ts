/** A session over the Agent Client Protocol under the names of the stories that drive it headless: what they send and hear, translated. */
import { createHash } from "node:crypto";
import { methods, type RequestPermissionRequest, type SessionUpdate } from "@agentclientprotocol/sdk";
import type { Driven, Event } from "../headless/driving.ts";
import type { RunOptions, Stage } from "../headless/program.ts";
import { until } from "../support/until.ts";
import { startEditor, type Editor } from "./editor.ts";

interface Line {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Asks are kept until a line answers them; the process ends with the test. */
export async function driveEditor(
  stage: Stage,
  args: readonly string[] = [],
  options: RunOptions = {},
): Promise<Driven> {
  const at = args.indexOf("--resume");
  const resume = at === -1 ? null : args[at + 1]!;
  const rest = args.filter((_, index) => at === -1 || (index !== at && index !== at + 1));
  const open = new Map<string, (choice: string) => void>();
  const requests: RequestPermissionRequest[] = [];
  const editor = await startEditor(stage, {
    ...options,
    args: rest,
    capabilities: { session: { notices: {} } },
    choose: (request) => {
      requests.push(request);
      return new Promise((resolve) => void open.set(request.toolCall.toolCallId, resolve));
    },
  });
  const session = await begin(editor, stage, resume);
  let isOver = false;
  const ended = editor.ended.then((code) => ((isOver = true), code));
  /** Where in the order commands were answered: no words of the model's. */
  const commands: { readonly from: number; readonly to: number }[] = [];
  const isAnswer = (at: number): boolean => commands.some(({ from, to }) => at >= from && at < to);
  const events = (): readonly Event[] => [
    { type: "session.started", sessionId: session },
    ...merged(editor, requests).flatMap(({ at, event }) => {
      const isWords = event.type === "message" && isAnswer(at);
      return [isWords ? { ...event, type: "command.answered" } : event];
    }),
  ];
  const working = new Set<Promise<unknown>>();
  const during = (work: Promise<unknown>): void => {
    const quiet = work.catch(() => undefined).finally(() => working.delete(quiet));
    working.add(quiet);
  };
  let earlier = workingMode(events());
  const answer = (id: unknown, choice: string): void => {
    const offered = requests.findLast(({ toolCall }) => toolCall.toolCallId === id)?.options ?? [];
    const isOffered = offered.some(({ optionId }) => optionId === choice);
    open.get(String(id))?.(isOffered ? choice : "approve-default");
    open.delete(String(id));
  };
  const send = async (line: Line): Promise<void> => {
    switch (line.type) {
      case "user": {
        const text = String(line["text"]);
        if (!/^\/(compact|clear)/.test(text)) return during(editor.prompt(session, text));
        /** Words stream in before the reply is whole: only then a command finds the session at rest. */
        await Promise.all(working);
        const range = { from: editor.order().length, to: Infinity };
        commands.push(range);
        await editor.prompt(session, text);
        range.to = editor.order().length;
        return;
      }
      case "mode":
        await editor.agent
          .request(methods.agent.session.setMode, { sessionId: session, modeId: String(line["mode"]) })
          .catch(() => undefined);
        return;
      case "permission":
        answer(line["id"], line["allow"] === true ? "allow" : "reason");
        return;
      case "verdict": {
        if (line["kind"] === "approve") {
          const mode = line["mode"] ?? earlier;
          answer(line["id"], `approve-${String(mode)}`);
          return;
        }
        answer(line["id"], String(line["kind"]));
        if (line["kind"] !== "revise") return;
        /** There is no field for words: they are the next prompt, when the turn has ended. */
        await Promise.all(working);
        during(editor.prompt(session, String(line["feedback"])));
      }
    }
  };
  let sending = Promise.resolve();
  return {
    child: editor.child,
    ended,
    events,
    stderr: () => `${editor.stderr()}${notices(editor).join("\n")}`,
    until: (fits) =>
      until("an event", () => {
        earlier = workingMode(events()) ?? earlier;
        const found = events().find(fits) ?? null;
        if (found === null && isOver) throw new Error(`it ended before: ${editor.stderr()}`);
        return found;
      }),
    send: (line) => {
      sending = sending.then(() => send(line as Line));
    },
  };
}

async function begin(editor: Editor, stage: Stage, resume: string | null): Promise<string> {
  if (resume === null) return (await editor.newSession()).sessionId;
  const where = { cwd: stage.repository, mcpServers: [] };
  await editor.agent.request(methods.agent.session.load, { sessionId: resume, ...where });
  return resume;
}

/** The last mode that is not plan. */
function workingMode(events: readonly Event[]): unknown {
  return events.findLast(({ type, mode }) => type === "mode.changed" && mode !== "plan")?.["mode"] ?? "default";
}

function notices(editor: Editor): readonly string[] {
  return editor.updates().flatMap((update) => (update.sessionUpdate === "notice" ? [`${update.title}\n`] : []));
}

/** Updates and requests, in the order in which they came. */
function merged(editor: Editor, requests: readonly RequestPermissionRequest[]) {
  const asked = [...requests];
  const calls = new Map<string, { readonly tool: string; readonly path: string }>();
  return editor.order().flatMap((what, at) => {
    const told = what.kind === "request" ? fromRequest(asked.shift()!) : fromUpdate(what.update, calls);
    return told.map((event) => ({ at, event }));
  });
}

function fromRequest({ toolCall }: RequestPermissionRequest): readonly Event[] {
  const id = toolCall.toolCallId;
  const input = Object(toolCall.rawInput) as { readonly plan?: string; readonly command?: string };
  if (toolCall.kind !== "switch_mode" || input.plan === undefined)
    return [{ type: "permission.requested", id, question: { command: input.command } }];
  const hash = createHash("sha256").update(input.plan).digest("hex");
  const words = JSON.stringify(toolCall.content);
  const changed = /Changed while it was planned: ([^"\\]+)/.exec(words)?.[1]?.split(", ") ?? [];
  return [{ type: "plan.submitted", id, hash, changed }];
}

function fromUpdate(
  update: SessionUpdate,
  calls: Map<string, { readonly tool: string; readonly path: string }>,
): readonly Event[] {
  switch (update.sessionUpdate) {
    case "agent_message_chunk": {
      const text = update.content.type === "text" ? update.content.text : "";
      const isSummary = text === "The conversation was summarised.";
      return isSummary ? [{ type: "context.compacted" }] : [{ type: "message", text }];
    }
    case "current_mode_update":
      return [{ type: "mode.changed", mode: update.currentModeId }];
    case "tool_call":
      calls.set(update.toolCallId, { tool: update.name ?? "", path: update.locations?.[0]?.path ?? "" });
      return [];
    case "tool_call_update":
      return fromCall(update, calls.get(update.toolCallId));
    default:
      return [];
  }
}

function fromCall(
  { status, content }: { readonly status?: string | null; readonly content?: unknown },
  call: { readonly tool: string; readonly path: string } | undefined,
): readonly Event[] {
  const tool = call?.tool ?? "";
  if (status === "in_progress") return [{ type: "tool.started", tool }];
  if (status === "failed") {
    const isBack = JSON.stringify(content).includes("Not approved.");
    return isBack ? [{ type: "plan.returned", outcome: "unchanged" }] : [{ type: "tool.denied", tool }];
  }
  if (status !== "completed") return [];
  const isPlan = call?.path.includes("/plans/") === true && tool === "Write";
  return [{ type: "tool.finished", tool }, ...(isPlan ? [{ type: "plan.saved", path: call.path }] : [])];
}
