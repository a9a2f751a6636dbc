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

/** `emit`: where events are streamed. */
export function runNotices(complain: (line: string) => void, emit: ((value: object) => void) | null): RunNotices {
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
      if (event.type !== "notification" || event.key === saidByResult) return;
      note({ key: event.key, text: event.key === "turn-ended-in-text" ? stillPlanning : event.text });
    },
  };
}

const saidByResult = "model-failed";

/** Where there are no keys to press. */
const stillPlanning = "still in plan mode · go on with words, or leave with /plan off";
