/** What became of single calls, as items; and their one-line words. */
import { homedir } from "node:os";
import { basename } from "node:path";
import type { Outcome } from "../../../core/outcome.ts";
import type { Denial } from "../../../core/decide/decision.ts";
import type { Session } from "../../../core/session.ts";
import type { CallItem, Item } from "./items.ts";

/** Says why a call was denied, in the words the model hears too. */
export type DenialWords = (
  denial: Denial,
  facts: { readonly tool: string; readonly actor: Session["actor"]["kind"] },
) => string;

interface Hearing {
  readonly session: Session;
  readonly words: DenialWords;
}

export function afterEntry(call: CallItem, outcome: Outcome, { session, words }: Hearing): readonly Item[] {
  switch (outcome.kind) {
    case "ran":
      return [ran(call, textOf(outcome.output), outcome.isError)];
    case "denied": {
      const reason = words(outcome.denial, { tool: call.tool, actor: session.actor.kind });
      return [{ ...call, state: "denied", reason }];
    }
    case "cancelled":
      return [{ ...call, state: "stopped", reason: "stopped" }];
    case "interrupted":
      return [{ ...call, state: "stopped", reason: "interrupted; it may have run" }];
    case "approved": {
      const { plan, file, edited, notes, comments = [], fresh } = outcome;
      const remark = [
        edited ? "edited by you" : "",
        fresh ? "carried out with fresh context" : "",
        notes === null ? "" : `notes: ${notes}`,
      ].filter((part) => part !== "");
      return [done(call), { kind: "plan", outcome: "approved", plan, file, remark: remark.join(" · "), comments }];
    }
    case "revise": {
      const plan = session.plan.seen ?? session.plan.text ?? "";
      const { feedback: remark, comments } = outcome;
      return [
        { ...call, state: "denied", reason: null },
        { kind: "plan", outcome: "rejected", plan, file: session.plan.file ?? "", remark, comments },
      ];
    }
    case "unchanged":
      return [{ ...call, state: "denied", reason: "the same plan again; your feedback is still open" }];
    case "sent-back":
      return [{ ...call, state: "denied", reason: `sent back: it lacks ${outcome.missing.join(", ")}` }];
    case "saved":
      return [done(call), said("Plan saved for later. `groundplan --resume` goes on with it.")];
    case "abandoned":
      return [done(call), said("Plan abandoned.")];
    case "dismissed":
      return [{ ...call, state: "stopped", reason: "dismissed; still in plan mode, nothing approved" }];
    case "withdrawn":
      return [{ ...call, state: "stopped", reason: "plan mode was left; nothing approved" }];
    case "submitted":
      return [done(call), said("Plan sent to the team's lead.")];
    case "entered":
    case "left":
      return [done(call)];
  }
}

/** A tool's output as text: what the model got, images by their kind. */
export function textOf(output: unknown): string {
  const content = typeof output === "object" && output !== null && "content" in output ? output.content : output;
  if (typeof content === "string") return cut(content);
  if (!Array.isArray(content)) return content === undefined || content === null ? "" : cut(JSON.stringify(content));
  const parts = content.map((part: unknown) => {
    if (typeof part !== "object" || part === null) return String(part);
    if ("text" in part && typeof part.text === "string") return part.text;
    return "mediaType" in part ? `[image: ${String(part.mediaType)}]` : "";
  });
  return cut(parts.join("\n"));
}

/** What a call is about, without the name of the tool: a path, a pattern, a command. */
export function subjectOf(tool: string, input: unknown, directory: string): string {
  const field = (name: string): string => textField(input, name);
  switch (tool) {
    case "Read":
    case "Write":
    case "Edit":
      return shortPath(field("file_path"), directory);
    case "NotebookEdit":
      return shortPath(field("notebook_path"), directory);
    case "Glob":
      return field("pattern");
    case "Grep":
      return [`"${field("pattern")}"`, field("glob") || shortPath(field("path"), directory)]
        .filter((part) => part !== "")
        .join(" in ");
    case "Bash":
      return field("command");
    case "WebFetch":
      return field("url");
    case "Agent":
      return field("description");
    case "TodoWrite":
    case "EnterPlanMode":
    case "ExitPlanMode":
    case "AskUserQuestion":
      return "";
    default:
      return Object.keys(Object(input)).length === 0 ? "" : JSON.stringify(input);
  }
}

/** What an agent does now, in a few words. */
export function agentWords(tool: string, input: unknown): string {
  const subject = tool === "Read" ? basename(textField(input, "file_path")) : subjectOf(tool, input, "");
  return subject === "" ? tool : `${tool} ${subject}`;
}

/** Relative to the directory, else from the person's home. */
export function shortPath(path: string, directory: string): string {
  if (directory !== "" && path === directory) return "";
  if (directory !== "" && path.startsWith(`${directory}/`)) return path.slice(directory.length + 1);
  const home = homedir();
  return home.length > 1 && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

function ran(call: CallItem, output: string, isError: boolean): CallItem {
  if (!isError) return { ...call, state: "done", output };
  return { ...call, state: "failed", output, reason: output.split("\n", 1)[0] ?? null };
}

function done(call: CallItem): CallItem {
  return { ...call, state: "done" };
}

function said(text: string): Item {
  return { kind: "said", text };
}

function textField(input: unknown, name: string): string {
  if (typeof input !== "object" || input === null || !Object.hasOwn(input, name)) return "";
  const value = (input as Readonly<Record<string, unknown>>)[name];
  return typeof value === "string" ? value : "";
}

/** Outputs are kept for reading on the screen, not as a second copy of everything. */
const longestOutput = 20_000;

function cut(text: string): string {
  return text.length <= longestOutput
    ? text
    : `${text.slice(0, longestOutput)}\n… ${text.length - longestOutput} more characters`;
}
