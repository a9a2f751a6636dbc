/** What the terminal would show as a notice, for a run without one: on stderr as it happens, and in the result. */
import type { PublicEvent } from "../../agent/ports/event-shapes.ts";
import { makeVisible } from "../../core/wire/visible.ts";

export interface RunNotice {
  readonly key: string;
  readonly text: string;
}

export interface RunNotices {
  /** Each once, oldest first. */
  readonly all: readonly RunNotice[];
  /** A line of the program's own. */
  tell(line: string): void;
  hear(event: PublicEvent): void;
}

export interface NoticeOutput {
  readonly complain: (line: string) => void;
  /** Where events are streamed. */
  readonly emit: ((value: object) => void) | null;
}

export function runNotices({ complain, emit }: NoticeOutput): RunNotices {
  const all: RunNotice[] = [];
  const keep = (notice: RunNotice): boolean => {
    if (all.some(({ key, text }) => key === notice.key && text === notice.text)) return false;
    return all.push(notice) > 0;
  };
  const note = (notice: RunNotice): void => {
    if (keep(notice)) complain(makeVisible(notice.text));
  };
  return {
    all,
    tell(line) {
      note({ key: "program", text: line });
      emit?.({ type: "notification", key: "program", text: line, priority: "normal", tone: "warning", seconds: 10 });
    },
    hear(event) {
      if (event.type === "retry") {
        const text = retryText(event);
        keep({ key: event.type, text });
        complain(makeVisible(text));
      }
      if (event.type !== "notification" || isResult.has(event.key)) return;
      note({ key: event.key, text: withoutKeys[event.key] ?? event.text });
    },
  };
}

/** Why a model's answer is late: told each time. */
function retryText({ error, waitMs, attempt }: Extract<PublicEvent, { type: "retry" }>): string {
  return `${error.message} Trying again in ${Math.ceil(waitMs / 1000)} s (attempt ${attempt}).`;
}

/** Where there are no keys to press. */
const withoutKeys: Readonly<Record<string, string>> = {
  "turn-ended-in-text": "still in plan mode · go on with words, or leave with /plan off",
};

/** The run's result says it. */
const isResult = new Set(["model-failed"]);
