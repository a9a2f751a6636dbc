/** The texts that can be compared: revisions, what was seen last, the shown one, and edits. */
import type { ReviewState } from "../../desks/wire.ts";
import type { PageState } from "../state.ts";
import { answerText } from "../suggestions.ts";

export interface Side {
  readonly key: string;
  readonly name: string;
  readonly text: string;
}

/** Oldest first; what is the same as a revision is not listed twice, only named after it. */
export function sidesOf(server: ReviewState, state: PageState): readonly Side[] {
  const { shown, words } = state;
  const now = shown?.text ?? server.text;
  const numbered = server.revisions.map(({ number, by, text }) => ({
    key: String(number),
    name: `revision ${number}${by === "person" ? ", edited by a person" : ""}`,
    text,
  }));
  const current = numbered.findLast(({ text }) => text === now);
  const older = numbered.filter((side) => side !== current);
  const seen = server.previous;
  const known = seen === null ? undefined : older.findLast(({ text }) => text === seen);
  const seenName = known === undefined ? "what you saw last" : `${known.name} (seen last)`;
  const previous = seen === null || seen === now ? [] : [{ key: "previous", name: seenName, text: seen }];
  const mine = answerText(state);
  const edit = mine === now ? [] : [{ key: "edit", name: "with your changes", text: mine }];
  const shelved = words.shelved === null ? [] : [{ key: "shelved", name: "your earlier edit", text: words.shelved }];
  return [
    ...older.filter((side) => side !== known || previous.length === 0),
    ...previous,
    ...shelved,
    { key: "now", name: current === undefined ? "the shown text" : `${current.name} (shown)`, text: now },
    ...edit,
  ];
}
