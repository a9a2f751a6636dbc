/** Suggestions in the text: what its lines would read (B19.2). */
import type { Comment } from "../../../core/verdict.ts";
import { followText } from "./places.ts";
import { textOf, type PageState } from "./state.ts";

/** The text as an approval would make it: the shown one, the person's edit, and every suggestion in it. */
export function answerText(state: PageState): string {
  return withSuggestions(textOf(state), state.words.drafts);
}

/** From the last to the first: lines before a suggestion stay where they are. Of two on the same lines the later counts. */
function withSuggestions(text: string, drafts: readonly Comment[]): string {
  const lines = text.split("\n");
  let end = lines.length;
  for (const draft of suggestionsIn(drafts).toSorted((one, other) => other.from - one.from)) {
    const { from, to, suggestion } = draft;
    if (to > end || !isOfLines(draft, lines)) continue;
    const isLast = to === lines.length;
    const followsBlank = from === 1 || lines[from - 2]!.trim() === "";
    const gap = suggestion === "" && followsBlank && !isLast && lines[to]!.trim() === "" ? 1 : 0;
    lines.splice(from - 1, to - from + 1 + gap, ...(suggestion === "" ? [] : suggestion.split("\n")));
    end = from - 1;
  }
  return lines.join("\n");
}

/** Whether its lines still read as they did when it was made: else it is words for the model, and no edit. */
function isOfLines({ from, to, quote }: Comment, lines: readonly string[]): boolean {
  const there = lines.slice(from - 1, to).join("\n");
  return there.replace(/\r$/, "") === quote.replace(/\r$/, "");
}

interface Suggestion extends Comment {
  readonly suggestion: string;
}

export function suggestionsIn(drafts: readonly Comment[]): readonly Suggestion[] {
  return drafts.filter((draft): draft is Suggestion => draft.suggestion !== undefined);
}

/** What is said with a yes: suggestions are in the text already, their words are not. */
export function wordsWithYes(state: PageState): readonly Comment[] {
  const lines = textOf(state).split("\n");
  const spoken = state.words.drafts.flatMap((draft) => {
    if (draft.suggestion !== undefined && !isOfLines(draft, lines)) return [draft];
    return draft.text === "" ? [] : [withoutSuggestion(draft)];
  });
  return followText(spoken, answerText(state), textOf(state));
}

function withoutSuggestion(draft: Comment): Comment {
  const { suggestion: _, ...words } = draft;
  return words;
}

/** A suggestion for lines that overlap is changed, not doubled. */
export function suggestionAt(drafts: readonly Comment[], { from, to }: Pick<Comment, "from" | "to">): Comment | null {
  return suggestionsIn(drafts).find((draft) => draft.from <= to && draft.to >= from) ?? null;
}
