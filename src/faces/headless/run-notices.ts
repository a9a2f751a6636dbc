/** What the terminal would show as a notice, for a run without one: on stderr as it happens, and in the result. */
import type { PublicEvent } from "../../agent/ports/event-shapes.ts";
import { makeVisible } from "../../core/wire/visible.ts";

type RunNotice = Extract<PublicEvent, { type: "result" }>["notices"][number];

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
  const note = (notice: RunNotice): void => {
    if (all.some(({ key, text }) => key === notice.key && text === notice.text)) return;
    all.push(notice);
    complain(makeVisible(notice.text));
  };
  return {
    all,
    tell(line) {
      note({ key: "program", text: line });
      emit?.({ type: "notification", key: "program", text: line, priority: "normal", tone: "warning", seconds: 10 });
    },
    hear(event) {
      if (event.type !== "notification" || isResult.has(event.key)) return;
      note({ key: event.key, text: withoutKeys[event.key] ?? event.text });
    },
  };
}

/** Where there are no keys to press. */
const withoutKeys: Readonly<Record<string, string>> = {
  "turn-ended-in-text": "still in plan mode · go on with words, or leave with /plan off",
};

/** The run's result says it. */
const isResult = new Set(["model-failed"]);
