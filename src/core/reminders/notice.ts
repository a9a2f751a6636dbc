/** One-line notices for the person, with their texts, so that every face says the same. */
import type { Mode } from "../mode.ts";

export type Notice =
  | { readonly key: "auto-mode-gate-plan-exit-fallback" }
  | { readonly key: "auto-mode-unavailable" }
  | { readonly key: "auto-mode-off" }
  /** The classifier leaves the decision to a person, who may not be there. */
  | { readonly key: "auto-mode-unsure"; readonly reason: string }
  /** The mode skipped permissions, and this start does not allow that (R17.3). */
  | { readonly key: "bypass-unavailable" }
  /** The log cannot be believed (B1.15). */
  | { readonly key: "log-doubted"; readonly why: string }
  /** Settings files changed while the session runs (B14.4). */
  | { readonly key: "settings-changed"; readonly changes: readonly string[] }
  | { readonly key: "mode-refused"; readonly mode: Mode; readonly reason: string }
  | { readonly key: "plan-entered-by-model" }
  | { readonly key: "left-without-approval"; readonly mode: Mode }
  | { readonly key: "turn-ended-in-text" }
  | { readonly key: "plan-file-unavailable"; readonly error: string }
  | { readonly key: "plan-changed-during-review" }
  | { readonly key: "plan-write-failed"; readonly error: string }
  | { readonly key: "plan-repeated" }
  | { readonly key: "plan-files-changed"; readonly files: readonly string[] }
  | { readonly key: "outside-plan"; readonly path: string; readonly now: "asked" | "edited" }
  | { readonly key: "todos-together"; readonly steps: number; readonly together: number }
  | { readonly key: "hook-allow-ignored"; readonly tool: string }
  /** A hook speaks to the person, or failed and which. */
  | { readonly key: "hook-said"; readonly text: string }
  | { readonly key: "hook-stopped"; readonly reason: string }
  | { readonly key: "prompt-refused"; readonly reason: string }
  | { readonly key: "stop-hook-given-up"; readonly times: number }
  | { readonly key: "planning-budget"; readonly used: number; readonly limit: number }
  | { readonly key: "context-compacted" }
  | { readonly key: "compaction-failed"; readonly error: string }
  | { readonly key: "model-failed"; readonly error: string };

export interface NoticeText {
  readonly text: string;
  readonly priority: "immediate" | "normal";
  readonly tone: "warning" | "plain";
  readonly seconds: number;
}

export function noticeText(notice: Notice): NoticeText {
  switch (notice.key) {
    case "auto-mode-gate-plan-exit-fallback":
      return warning("plan exit → default · auto mode unavailable");
    case "auto-mode-unavailable":
      return warning("auto mode → default · auto mode unavailable");
    case "auto-mode-off":
      return plain("auto mode off");
    case "auto-mode-unsure":
      return plain(`auto mode does not decide this alone · ${notice.reason}`);
    case "bypass-unavailable":
      return warning("skipping permissions → default · only where the start allows it");
    case "log-doubted":
      return warning(`${notice.why} · resumed in plan mode, nothing that waited goes on`);
    case "settings-changed":
      return warning(`settings changed · ${notice.changes.join(" · ")}`);
    case "mode-refused":
      return warning(`mode stays as it is · ${notice.mode}: ${refusals[notice.reason] ?? notice.reason}`);
    case "plan-entered-by-model":
      return plain("plan mode on · the model asked for it");
    case "left-without-approval":
      return plain(`plan mode off → ${notice.mode} · nothing was approved`);
    case "turn-ended-in-text":
      return plain("still in plan mode · answer, or leave with shift+tab or /plan off");
    case "plan-file-unavailable":
      return warning(`no plan file can be written (${notice.error}) · plan mode stays on`);
    case "plan-changed-during-review":
      return warning("the plan file changed since it was shown · nothing approved, please look again");
    case "plan-write-failed":
      return warning(`your edit could not be written (${notice.error}) · nothing approved`);
    case "plan-repeated":
      return plain("the model sent the same plan again without answering your feedback · turn ended");
    case "plan-files-changed":
      return warning(`changed since the plan was submitted: ${notice.files.join(", ")}`);
    case "outside-plan":
      return warning(
        `the plan does not name ${notice.path} · it ${notice.now === "edited" ? "was edited all the same" : "needs a yes"} (planScope)`,
      );
    case "todos-together":
      return plain(`the plan has ${notice.steps} steps · the last ${notice.together} share one todo`);
    case "hook-allow-ignored":
      return warning(`a hook's "allow" for ${notice.tool} was ignored · plan mode decides alone`);
    case "hook-said":
      return warning(notice.text);
    case "hook-stopped":
      return warning(`a hook ended the turn · ${notice.reason}`);
    case "prompt-refused":
      return warning(`not sent to the model, a hook refuses it · ${notice.reason}`);
    case "stop-hook-given-up":
      return warning(`a hook kept the model from stopping ${notice.times} times in a row · it stops now`);
    case "planning-budget":
      return warning(
        `planning has used ${notice.used} tokens of ${notice.limit} · the model was told to finish the plan`,
      );
    case "context-compacted":
      return plain("a summary took the place of the conversation · plan and mode are as before");
    case "compaction-failed":
      return warning(`the conversation could not be summarised (${notice.error}) · it stays as it was`);
    case "model-failed":
      return warning(notice.error);
  }
}

const refusals: Readonly<Record<string, string>> = {
  "bypass-not-allowed-at-start": "only where the start allowed it, by --allow-dangerously-skip-permissions",
  "auto-not-available": "not available here",
};

function warning(text: string): NoticeText {
  return { text, priority: "immediate", tone: "warning", seconds: 10 };
}

function plain(text: string): NoticeText {
  return { text, priority: "normal", tone: "plain", seconds: 5 };
}
