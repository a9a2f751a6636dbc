/** The points of a session: the state as it is right before a prompt or a step, to return to (B15.1). */
import type { Session, SessionThen } from "../session.ts";
import { noUndo, type Point } from "../undo.ts";

/** Where nothing is under way: before a prompt, or before a step of the plan that is carried out. */
export function withPoint(session: Session, why: "prompt" | "step", label: string): Session {
  if (session.actor.kind === "subagent") return session;
  const point = pointHere(session, { id: `p${session.undo.points.length + 1}`, why, label });
  return {
    ...session,
    line: [...session.line, point.id],
    undo: { ...session.undo, points: [...session.undo.points, point], redo: [], at: null },
  };
}

export function pointHere(session: Session, named: Pick<Point<unknown>, "id" | "why" | "label">): Point<SessionThen> {
  const { undo, ...before } = session;
  return { ...named, label: shortened(named.label), works: undo.works.length, summaries: undo.summaries, before };
}

function shortened(text: string): string {
  const line = text.slice(0, 1000).replaceAll(/\s+/g, " ").trim();
  return line.length > mostLabel ? `${line.slice(0, mostLabel - 1).replace(/[\uD800-\uDBFF]$/, "")}…` : line;
}

const mostLabel = 200;

/** Points belong to the session that took them, and to a log that is believed. */
export const withoutPoints: Pick<Session, "line" | "undo"> = { line: [], undo: noUndo };
