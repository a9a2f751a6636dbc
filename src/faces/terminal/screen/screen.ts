/** The screen as a value: what happened, in; what the views draw, out. */
import type { Happening } from "../../../agent/ports/handle.ts";
import type { Event } from "../../../core/event.ts";
import type { Session } from "../../../core/session.ts";
import type { SessionWords } from "./entries.ts";
import type { Item } from "./items.ts";
import type { Keys } from "../keys/keys.ts";
import { emptyLine, type WrittenLine } from "../keys/line.ts";
import type { Asking } from "../keys/typist.ts";
import { phaseAfter, phaseOf, type Phase } from "./phase.ts";
import { isPlanning, type Mode } from "../../../core/mode.ts";
import { add, emptyTranscript, hear, pastOf, type Transcript } from "./transcript.ts";
import type { Theme } from "../view/theme.ts";

export interface Screen {
  readonly transcript: Transcript;
  readonly session: Session | null;
  readonly phase: Phase | null;
  readonly doing: Doing | null;
  readonly details: boolean;
  readonly model: string | null;
  /** The cage that commands run in; null until it is known. */
  readonly sandbox: string | null;
  readonly focused: boolean | null;
  /** When Ctrl-C was pressed once on an empty input. */
  readonly leaving: number | null;
  /** When Esc was pressed last with nothing to stop and nothing written. */
  readonly escaped: number | null;
  readonly line: WrittenLine;
  /** What the person did about the dialog in front; null while there is none. */
  readonly asking: Asking | null;
  /** Said above a dialog, which hides the transcript. */
  readonly aside: string | null;
  /** What was wanted of the session before there was one. */
  readonly early: readonly SendWish[];
  /** Whether commands can be carried out: they are loaded behind the first frame. */
  readonly isLoaded: boolean;
  readonly link: "none" | "open";
  /** The session that was attached last. */
  readonly attached: string | null;
  /** How many items there were when it began to be opened. */
  readonly since: number;
  readonly keys: Keys;
  readonly theme: Theme;
  /** Counts what changes the look of items that are there already. */
  readonly revision: number;
  readonly isOver: boolean;
}

/** What the spinner stands beside, and since when. */
export interface Doing {
  readonly words: string;
  readonly since: number;
}

/** What is wanted of the session: an event, or a line, which is a command or words for the model. */
export type SendWish =
  | { readonly kind: "send"; readonly event: Event }
  | { readonly kind: "submit"; readonly text: string };

export function firstScreen(look: Pick<Screen, "keys" | "theme">): Screen {
  return {
    ...look,
    transcript: emptyTranscript,
    session: null,
    phase: null,
    doing: null,
    details: false,
    model: null,
    sandbox: null,
    focused: null,
    leaving: null,
    escaped: null,
    line: emptyLine,
    asking: null,
    aside: null,
    early: [],
    isLoaded: false,
    link: "none",
    attached: null,
    since: 0,
    revision: 0,
    isOver: false,
  };
}

export function happened(screen: Screen, happening: Happening, { now, words }: Pick<Change, "now" | "words">): Screen {
  const session = happening.kind === "event" ? happening.session : screen.session;
  const isAnother = happening.kind === "event" && screen.session !== null && isLater(screen.session, happening.session);
  const transcript = hear(screen.transcript, happening, words);
  const heard = isAnother ? add(transcript, { kind: "notice", text: freshText, tone: "plain" }) : transcript;
  return {
    ...screen,
    session,
    transcript: heard,
    phase: phaseAfter(screen.phase, happening),
    doing: doingAfter(screen.doing, { happening, session, now, words }),
  };
}

/** A session that was resumed: what it said before is shown again, the end of it at least. */
export function resumed(screen: Screen, session: Session, words: SessionWords): Screen {
  const past = pastOf(session, words).items;
  const shown = past.slice(-mostPast);
  const left = past.length - shown.length;
  const text = `${left} earlier entries are not shown; they are in the session's log`;
  const before = left === 0 ? [] : [{ kind: "notice", text, tone: "plain" } as const];
  const transcript = add(withoutHeard(screen), ...before, ...shown);
  return { ...screen, session, transcript, phase: isPlanning(session.permissions) ? phaseOf(session) : null };
}

/** What was heard of the session while it was opened is part of its past, and would be shown twice. */
function withoutHeard({ transcript, since }: Screen): Transcript {
  const ours = new Set<Item["kind"]>(["welcome", "notice", "said"]);
  return { items: transcript.items.filter(({ kind }, index) => index < since || ours.has(kind)), streamed: "" };
}

export function modeOf({ session }: Screen): Mode {
  return session?.permissions.mode.current ?? "default";
}

export function withItems(screen: Screen, ...items: readonly Item[]): Screen {
  return { ...screen, transcript: add(screen.transcript, ...items) };
}

/** Whether Ctrl-C was pressed a moment ago. */
export function isLeaving({ leaving }: Screen, now: number): boolean {
  return leaving !== null && now - leaving < leaveWithin;
}

export const leaveWithin = 2_000;
const mostPast = 200;
const freshText = "the plan is carried out with fresh context, in a session of its own";

/** A linked session began: the first one's late events do not bring it back. */
function isLater(before: Session, now: Session): boolean {
  return now.id !== "" && before.id !== "" && now.id !== before.id && now.links.from === before.id;
}

interface Change {
  readonly happening: Happening;
  readonly session: Session | null;
  readonly now: number;
  readonly words: SessionWords;
}

function doingAfter(doing: Doing | null, { happening, session, now, words: said }: Change): Doing | null {
  if (happening.kind === "delta") {
    if (doing === null || (happening.delta.type !== "text" && happening.delta.type !== "thinking")) return doing;
    return { ...doing, words: happening.delta.type === "text" ? "writing" : "thinking" };
  }
  if (happening.kind !== "event" || session === null) return doing;
  const words = wordsFor(session, said);
  return words === null ? null : { words, since: doing?.since ?? now };
}

/** Null when the person has the floor or is being asked. */
function wordsFor({ turn, hooks }: Session, words: SessionWords): string | null {
  if (turn.compaction?.state === "running") return "summarising the conversation";
  const running = turn.open.filter(({ state }) => state.kind === "running").map(({ call }) => call);
  const first = running[0];
  if (running.length === 1 && first !== undefined)
    return first.access?.kind === "spawn" ? "an agent is working" : words.call(first.tool, first.input).brief;
  if (running.length > 1) {
    const agents = running.filter(({ access }) => access?.kind === "spawn").length;
    return agents === running.length ? `${agents} agents are working` : `${running.length} tools are running`;
  }
  if (turn.thinking !== null) return "thinking";
  if (hooks.waiting.length > 0) return "hooks are running";
  return turn.open.some(({ state }) => state.kind === "confirming" || state.kind === "writing-plan")
    ? "writing the plan"
    : null;
}

/** What the person has just done is shown at once, what the model does at a calm pace. */
export function isAnswerToKeys(happening: Happening): boolean {
  return happening.kind === "event" && !["model-replied", "tool-finished"].includes(happening.event.type);
}
