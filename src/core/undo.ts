/** What a session knows for going back: its points, and what was done to the work tree after each (B15). */

export type RewindExtent = "files" | "conversation" | "both";

/** What a picture of the work tree does not hold, ignored files aside. */
export interface LeftOut {
  /** Submodules, and other repositories inside. */
  readonly nested: readonly string[];
  /** Files above the size that is kept. */
  readonly large: readonly string[];
}

/** `Then`: the session as it was at a point. */
export interface UndoState<Then> {
  readonly points: readonly Point<Then>[];
  readonly works: readonly WorkStretch[];
  /** Points of rewinds that can be taken back, the newest last; new work ends that. */
  readonly redo: readonly string[];
  /** The point that was returned to last, until new work begins. */
  readonly at: string | null;
  readonly left: LeftOut | null;
  /** How often a summary took the place of the conversation. */
  readonly summaries: number;
}

export interface Point<Then> {
  readonly id: string;
  readonly why: "prompt" | "step" | "rewind";
  /** The prompt's first words, the step, or what was rewound. */
  readonly label: string;
  /** How many works there were before it. */
  readonly works: number;
  /** How many summaries there were before it. */
  readonly summaries: number;
  /** Null where the conversation of that time is not kept any more: only files can go back to it. */
  readonly before: Then | null;
}

/** One stretch of work on the files: the work tree right before and right after, by names that the store of the points knows. */
export interface WorkStretch {
  readonly from: string;
  /** Null while it is under way, and for ever where the process died meanwhile. */
  readonly to: string | null;
  readonly missed: readonly string[];
}

export const noUndo: UndoState<never> = { points: [], works: [], redo: [], at: null, left: null, summaries: 0 };

/** A summary frees what it sums up, one summary later: until then a person may want it back. */
export function summedUp<Then>(undo: UndoState<Then>): UndoState<Then> {
  const points = undo.points.map((point) =>
    point.before === null || point.summaries >= undo.summaries ? point : { ...point, before: null },
  );
  return { ...undo, points, summaries: undo.summaries + 1 };
}

interface Undoable<Then> {
  readonly undo: UndoState<Then>;
  readonly line: readonly string[];
}

/** The points that a person can return to, oldest first. */
export function pointsOf<Then>({ undo, line }: Undoable<Then>): readonly Point<Then>[] {
  return undo.points.filter(({ id }) => line.includes(id));
}

/** Without a point named: before the last prompt, or, where that is where one is already, before the one before it. */
export function pointToUndo<Then>(session: Undoable<Then>): Point<Then> | null {
  const { at, points: all } = session.undo;
  const place = (id: string): number => all.findIndex((point) => point.id === id);
  const isEarlier = (id: string): boolean => at === null || place(id) < place(at);
  return pointsOf(session).findLast(({ id, why }) => why === "prompt" && isEarlier(id)) ?? null;
}

export function pointToRedo<Then>({ undo }: Undoable<Then>): Point<Then> | null {
  return undo.points.find(({ id }) => id === undo.redo.at(-1)) ?? null;
}
