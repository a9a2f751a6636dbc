/** Slash commands as a pure parser: a line and the session in, events and words for the person out (section 4). */
import type { Event } from "./event.ts";
import { isPlanning, modes } from "./mode.ts";
import { isBlank } from "./plan/blank.ts";
import type { Session } from "./session.ts";

export interface CommandOutcome {
  readonly events: readonly Event[];
  readonly say: string | null;
  /** A plan to show rendered, under what is said: `Current Plan`. */
  readonly show?: { readonly path: string; readonly content: string; readonly hint: string | null };
  /** A file to open in the person's editor; the face says how it went, by `openedText`. */
  readonly open?: string;
  /** What only a face can do: it shows a list, goes on in another session, ends. */
  readonly wish?: Wish;
}

export type Wish =
  | { readonly kind: "help" | "cost" | "hooks" | "review" | "verify" | "rewind" | "leave" }
  /** Without an argument: the face lets the person choose. */
  | { readonly kind: "resume" | "model"; readonly argument: string | null };

export interface CommandDefinition {
  readonly name: string;
  readonly hint: string;
  readonly summary: string;
}

export const commandList: readonly CommandDefinition[] = [
  { name: "plan", hint: "[open|<description>]", summary: "plan first; show or open the plan; off leaves" },
  { name: "mode", hint: "<mode>", summary: "default|acceptEdits|plan|auto|bypassPermissions" },
  { name: "todos", hint: "", summary: "show the todo list" },
  { name: "compact", hint: "[focus]", summary: "summarise what was said; plan and mode stay" },
  { name: "clear", hint: "", summary: "forget what was said; the next plan is new" },
  { name: "rewind", hint: "", summary: "go back to before a prompt or a step" },
  { name: "resume", hint: "[id]", summary: "go on with an earlier session" },
  { name: "model", hint: "[provider/name]", summary: "show or choose the model" },
  { name: "cost", hint: "", summary: "tokens and cost so far, and those of planning" },
  { name: "hooks", hint: "", summary: "your own commands that run at named moments" },
  { name: "review", hint: "", summary: "look at the plan in the browser" },
  { name: "verify", hint: "", summary: "is it as planned? the model hears what is not" },
  { name: "help", hint: "", summary: "commands and keys" },
  { name: "exit", hint: "", summary: "leave; the session can be resumed" },
];

/** `null` when the line is no command of ours. `editor` names the editor that `/plan open` would use, where one is known. */
export function runCommand(line: string, session: Session, editor: string | null): CommandOutcome | null {
  const match = /^\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(line.trim());
  if (match === null) return null;
  const argument = match[2]?.trim() ?? "";
  const name = match[1] ?? "";
  switch (name) {
    case "plan":
      return isPlanning(session.permissions) ? planWhilePlanning(argument, session, editor) : planOutside(argument);
    case "mode":
      return mode(argument);
    case "todos":
      return say(session.todos.length === 0 ? "No todos." : session.todos.map(todoLine).join("\n"));
    case "compact": {
      const focus = argument === "" ? {} : { focus: argument };
      return { events: [{ type: "compaction-requested", why: "asked", ...focus }], say: null };
    }
    case "clear":
      return { events: [{ type: "context-cleared" }], say: "Conversation cleared." };
    case "resume":
    case "model":
      return { events: [], say: null, wish: { kind: name, argument: argument === "" ? null : argument } };
    case "help":
    case "cost":
    case "hooks":
    case "review":
    case "verify":
    case "rewind":
      return { events: [], say: null, wish: { kind: name } };
    case "exit":
    case "quit":
      return { events: [], say: null, wish: { kind: "leave" } };
    default:
      return null;
  }
}

/** What to say of a line that looks like a command and is none; null for words to the model (`/usr/bin is full`). */
export function unknownCommand(line: string): string | null {
  const name = /^\/([A-Za-z][\w-]*)(\s|$)/.exec(line.trim())?.[1];
  if (name === undefined) return null;
  const near = commandList.find((command) => isNear(command.name, name.toLowerCase()));
  const hint = near === undefined ? "" : ` Did you mean /${near.name}?`;
  return `Unknown command: /${name}.${hint} /help lists all; nothing was sent.`;
}

export function openedText(path: string, error: string | null): string {
  return error === null ? `Opened plan in editor: ${path}` : `Failed to open plan in editor: ${error}`;
}

function planOutside(argument: string): CommandOutcome {
  if (argument === "off") return say("Not in plan mode.");
  const enter: Event = { type: "mode-chosen", mode: "plan" };
  const isTask = argument !== "" && argument !== "open";
  return { events: isTask ? [enter, { type: "user-said", text: argument }] : [enter], say: "Enabled plan mode" };
}

function planWhilePlanning(argument: string, { plan }: Session, editor: string | null): CommandOutcome {
  if (argument === "off") return { events: [{ type: "plan-left" }], say: null };
  if (argument !== "" && argument !== "open") return { events: [{ type: "user-said", text: argument }], say: null };
  if (plan.file === null || plan.text === null || isBlank(plan.text)) {
    if (plan.approved === null || argument === "open") return say("Already in plan mode. No plan written yet.");
    const { file: path, text: content } = plan.approved;
    const title = "Approved Plan, being carried out. No new plan written yet.";
    return { events: [], say: title, show: { path, content, hint: null } };
  }
  if (argument === "open") return { events: [], say: null, open: plan.file };
  const hint = editor === null ? null : `"/plan open" to edit this plan in ${editor}`;
  return { events: [], say: "Current Plan", show: { path: plan.file, content: plan.text, hint } };
}

/** The same letters in any order, or one the beginning of the other. */
function isNear(name: string, typed: string): boolean {
  return name.startsWith(typed) || typed.startsWith(name) || letters(name) === letters(typed);
}

function letters(word: string): string {
  return word.split("").toSorted().join("");
}

function mode(argument: string): CommandOutcome {
  const chosen = modes.find((name) => name.toLowerCase() === argument.toLowerCase());
  if (chosen === undefined) return say(`Choose one of: ${modes.join(", ")}.`);
  return { events: [{ type: "mode-chosen", mode: chosen }], say: null };
}

function todoLine({ content, status }: Session["todos"][number]): string {
  const mark = { pending: "☐", in_progress: "◐", completed: "☑" }[status];
  return `${mark} ${content}`;
}

function say(text: string): CommandOutcome {
  return { events: [], say: text };
}
