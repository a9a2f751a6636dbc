/** What became of single calls, as items. */
import type { ShowCall } from "../../../agent/tools/show.ts";
import type { Outcome } from "../../../core/outcome.ts";
import type { Denial } from "../../../core/decide/decision.ts";
import { isPlanning } from "../../../core/mode.ts";
import type { Session } from "../../../core/session.ts";
import type { CallItem, Item } from "./items.ts";

/** What only the session's parts know how to say; they are loaded after the first frame. */
export interface SessionWords {
  /** Why a call was denied, in the words the model hears too. */
  readonly denial: (denial: Denial, facts: { readonly actor: Session["actor"]["kind"] }) => string;
  readonly call: ShowCall;
}

export interface Hearing {
  readonly session: Session;
  readonly words: SessionWords;
}

export function afterEntry(call: CallItem, outcome: Outcome, { session, words }: Hearing): readonly Item[] {
  switch (outcome.kind) {
    case "ran":
      return [
        ran(
          isPlanning(session.permissions) ? { ...call, isPlan: true } : call,
          textOf(outcome.output),
          outcome.isError,
        ),
      ];
    case "denied": {
      const { code, detail } = outcome.denial;
      /** The person's own words are shown as theirs. */
      if (code === "declined")
        return [
          { ...call, state: "denied", reason: null },
          ...(detail === null ? [] : [{ kind: "user", text: detail } as const]),
        ];
      const reason = words.denial(outcome.denial, { actor: session.actor.kind });
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
function textOf(output: unknown): string {
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

/** Outputs are kept for reading on the screen, not as a second copy of everything. */
const longestOutput = 20_000;

function cut(text: string): string {
  return text.length <= longestOutput
    ? text
    : `${text.slice(0, longestOutput)}\n… ${text.length - longestOutput} more characters`;
}
