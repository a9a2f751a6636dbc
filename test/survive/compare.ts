/** What must be the same whether or not a run was killed on the way: requests, state and files, but for what R14.6 and R8.2 say. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Message, ModelRequest } from "../../src/agent/ports/model.ts";
import { isRepeatable } from "../../src/core/decide/access.ts";
import type { Event } from "../../src/core/event.ts";
import { replay } from "../../src/core/reduce.ts";
import { freshSession, type Session } from "../../src/core/session.ts";

/** Calls whose result the killed process took with it. */
export function lostCalls(log: readonly Event[]): Lost {
  const { turn } = replay(freshSession(), log);
  const running = turn.open.filter(({ state }) => state.kind === "running");
  return new Map(running.filter(({ call }) => !isRepeatable(call.access)).map(({ call }) => [call.id, call.tool]));
}

/** Id to tool. */
export type Lost = ReadonlyMap<string, string>;

/** Without plan reminders, whose rhythm begins anew at a resume, and without the results of lost calls. */
export function bodyOf({ system, tools, messages }: ModelRequest, folder: string, lost: Lost): unknown {
  const isListLost = [...lost.values()].includes("TodoWrite");
  const ofEdits = lost.size > 0 ? [editReminder, driftReminder] : [];
  const dropped = [planReminder, ...(isListLost ? [todoReminder] : []), ...ofEdits];
  const kept = messages.map((message) => (message.role === "tool" ? withoutLost(message, lost) : message));
  const merged: Message[] = [];
  for (const message of kept.map((one) => withoutReminders(one, dropped))) {
    const last = merged.at(-1);
    if (message.role === "user" && last?.role === "user") {
      merged[merged.length - 1] = { role: "user", content: [...last.content, ...message.content] };
    } else if (message.role !== "user" || message.content.length > 0) merged.push(message);
  }
  return plain({ system: digest(system), tools: digest(JSON.stringify(tools)), messages: merged }, folder);
}

export interface Outcome {
  readonly usage: unknown;
  readonly todos: unknown;
  readonly rest: unknown;
}

/** A lost call may cost a further request; a lost list of todos is lost. */
export function withoutLostParts({ usage, todos, rest }: Outcome, lost: Lost): unknown {
  const isListLost = [...lost.values()].includes("TodoWrite");
  return { rest, usage: lost.size > 0 ? null : usage, todos: isListLost ? null : todos };
}

export function outcomeOf(session: Session, folder: string): Outcome {
  const { permissions, plan, plans, todos, usage, counters, turn } = session;
  const { questions: _, ...counted } = counters;
  const open = turn.open.length + turn.queued.length;
  const idle = { open, thinking: turn.thinking, due: turn.due };
  return { usage, todos, rest: plain({ permissions, plan, plans, counted, idle, files: filesIn(folder) }, folder) };
}

export function hasFullReminder({ messages }: ModelRequest): boolean {
  const last = messages.at(-1);
  return last?.role === "user" && last.content.some((part) => part.type === "text" && fullReminder.test(part.text));
}

export function isSummary({ messages }: ModelRequest): boolean {
  return JSON.stringify(messages.at(-1)).includes("your summary will take its place");
}

/** What a lost call did to a file that was read comes as a change from outside. */
const editReminder = /^<system-reminder>\n\S+ was changed by the user or another program/;
/** Nobody knows whether a lost call edited anything: it is not held against the plan. */
const driftReminder = /^<system-reminder>\nYou edited what the approved plan does not name/;
const todoReminder = /^<system-reminder>\nThe conversation was shortened/;
const fullReminder = /^<system-reminder>\nPlan mode is on\./;
const planReminder = /^<system-reminder>\nPlan mode is (on\.|still on:)/;

function withoutReminders(message: Message, dropped: readonly RegExp[]): Message {
  if (message.role !== "user") return message;
  const isKept = (text: string) => !dropped.some((pattern) => pattern.test(text));
  return { role: "user", content: message.content.filter((part) => part.type !== "text" || isKept(part.text)) };
}

function withoutLost(message: Extract<Message, { role: "tool" }>, lost: Lost): Message {
  return {
    role: "tool",
    results: message.results.map((result) =>
      lost.has(result.id) ? { ...result, content: [], isError: false } : result,
    ),
  };
}

/** Every file of the project, and every plan that holds something; a kill may leave a half-written temporary file of ours. */
function filesIn(folder: string): readonly string[] {
  const texts = (name: string) =>
    readdirSync(join(folder, name))
      .filter((file) => file !== ".claims" && !/^\.groundplan-\w+\.tmp$/.test(file))
      .map((file) => join(folder, name, file));
  const project = texts("repo").map((file) => `${file} ${readFileSync(file, "utf8")}`);
  const plans = texts("plans").map((file) => readFileSync(file, "utf8"));
  return [...project.toSorted(), ...plans.filter((text) => text !== "").toSorted()];
}

/** Plan files are numbered in the order in which they are named; names are chance. */
function plain(value: unknown, folder: string): unknown {
  const names: string[] = [];
  const text = JSON.stringify(value)
    .replaceAll(folder, "")
    .replaceAll(/\/plans\/([\p{L}\p{N}-]+)\.md/gu, (_, name: string) => {
      if (!names.includes(name)) names.push(name);
      return `/plans/${names.indexOf(name)}.md`;
    });
  return JSON.parse(
    names.reduce((now, name, index) => now.replaceAll(`"${name}"`, `"plan ${index}"`), text),
  ) as unknown;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
