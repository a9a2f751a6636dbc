/** `groundplan undo [session]` and `groundplan redo [session]`: files and conversation as they were at a point (B15). */
import { previewRewind, rewind, type RewindWish } from "../../../agent/undo/rewind.ts";
import { shownRewind, type ShownRewind } from "../../../agent/undo/measure.ts";
import { viewPoints } from "../../../agent/undo/point-list.ts";
import type { SessionHandle } from "../../../agent/ports/handle.ts";
import { pointsOf, pointToRedo, pointToUndo, type RewindExtent } from "../../../core/undo.ts";
import { errorText } from "../../../core/error-text.ts";
import type { Session } from "../../../core/session.ts";
import { findPlace } from "../../../program/place.ts";
import { openClosed, stopTurn, type ClosedSession } from "../../../program/undo-closed.ts";
import { isUsageError } from "../../../program/usage-error.ts";
import { askYes } from "../../ask.ts";
import { answer, answerJson, isInteractive, type Streams } from "../../command.ts";
import { complain, tellPerson } from "../../complaint.ts";
import { commandWith, flag, folder, value } from "../../options.ts";
import { screenOf } from "../plans/screen.ts";
import { askText, doneText, listText, planText } from "./text.ts";

const usage = `groundplan undo [session]    files and conversation as they were before the last prompt; again: before the one before
  Without a session: the newest one of this project. Files that you changed since are listed and left as they are.
  Ignored files, submodules and what git itself keeps (commits, branches) are no part of it.
  --to <point>     another point (--list shows them)     --list       the points, and what was changed after each
  --files          only the files                        --conversation, --both
  --dry-run        shows what it would do                --yes        asks nothing
  --json           for programs                          --cwd <dir>
  Exit code 1: nothing was done, or something that is named could not be brought back.
groundplan redo [session]    takes the last undo back
`;

const redoUsage = `groundplan redo [session]    takes the last undo back, as long as no work went on since
  Without a session: the newest one of this project.
  --dry-run    shows what it would do     --yes    asks nothing     --json    for programs     --cwd <dir>
`;

const options = {
  to: value,
  cwd: folder,
  files: flag,
  conversation: flag,
  both: flag,
  list: flag,
  "dry-run": flag,
  yes: { ...flag, short: "y" },
  json: flag,
} as const;

export const undo = commandWith(
  { name: "undo", usage, options, words: { takes: "session" } },
  async ({ values, positionals }, streams) => {
    const extents = (["files", "conversation", "both"] as const).filter((name) => values[name] === true);
    if (extents.length > 1) return complain(streams, "One of --files, --conversation and --both.", 2);
    if (positionals.length > 1) return complain(streams, "One session at a time: groundplan undo <session>", 2);
    const asked = { ...requestOf(values), dryRun: values["dry-run"] === true };
    const what = extents[0] ?? "both";
    return inSession({ directory: values.cwd, session: positionals[0] }, streams, (opened) => {
      if (values.list === true) return list(opened, streams, asked);
      const to = wantedPoint(opened.session(), values.to);
      if (typeof to !== "string") return Promise.resolve(complain(streams, to.problem, 1));
      return goBack(opened, { to, what, how: "undo" }, { streams, ...asked });
    });
  },
);

const redoOptions = { cwd: folder, "dry-run": flag, yes: { ...flag, short: "y" }, json: flag } as const;

export const redo = commandWith(
  { name: "redo", usage: redoUsage, options: redoOptions, words: { takes: "session" } },
  async ({ values, positionals }, streams) => {
    if (positionals.length > 1) return complain(streams, "One session at a time: groundplan redo <session>", 2);
    const asked = { ...requestOf(values), dryRun: values["dry-run"] === true };
    return inSession({ directory: values.cwd, session: positionals[0] }, streams, (opened) => {
      const point = pointToRedo(opened.session());
      if (point === null)
        return Promise.resolve(complain(streams, "There is nothing to redo: no undo, or work went on since.", 1));
      return goBack(opened, { to: point.id, what: extentOf(opened, point.id), how: "redo" }, { streams, ...asked });
    });
  },
);

interface Request {
  readonly json: boolean;
  readonly yes: boolean;
  readonly dryRun: boolean;
}

function requestOf(values: { readonly json?: boolean; readonly yes?: boolean }): Omit<Request, "dryRun"> {
  return { json: values.json === true, yes: values.yes === true };
}

interface Named {
  readonly directory: string | undefined;
  readonly session: string | undefined;
}

async function inSession(
  { directory, session }: Named,
  streams: Streams,
  act: (opened: ClosedSession) => Promise<number>,
): Promise<number> {
  const wish = { directory: directory ?? null, addedDirectories: [] };
  const place = await findPlace(wish, { startedIn: process.cwd(), environment: process.env });
  if (isUsageError(place)) return complain(streams, place.problem, place.exitCode);
  const opened = await openClosed(place, session ?? true, (line) => tellPerson(streams, line));
  if (isUsageError(opened)) return complain(streams, opened.problem, opened.exitCode);
  try {
    return await act(opened);
  } catch (error) {
    return complain(
      streams,
      `It cannot be gone back: ${errorText(error)}. What was begun is finished at the next start.`,
      1,
    );
  } finally {
    await opened.close();
  }
}

/** What the undo that is taken back was for. */
function extentOf({ log }: ClosedSession, id: string): RewindExtent {
  const undone = log.entries.flatMap(({ event }) =>
    event.type === "session-rewound" && event.id === id ? [event] : [],
  );
  return undone[0]?.what ?? "both";
}

function wantedPoint(session: Session, named: string | undefined): string | { readonly problem: string } {
  const points = pointsOf(session);
  if (named === undefined)
    return pointToUndo(session)?.id ?? { problem: "There is nothing to undo: no prompt is before this." };
  const found = points.find(({ id }) => id === named);
  if (found !== undefined) return found.id;
  const known = points.map(({ id }) => id).join(", ");
  return { problem: `There is no point ${JSON.stringify(named)}${known === "" ? "." : `; there are ${known}.`}` };
}

async function list({ session, store, times }: ClosedSession, streams: Streams, { json }: Request): Promise<number> {
  const views = await viewPoints(session(), store);
  const here = session().undo.at;
  const timed = views.map((view) => Object.assign({ at: times.get(view.id) ?? null, isHere: view.id === here }, view));
  if (json) return answerJson(streams, timed);
  if (timed.length === 0) return answer(streams, "There are no points in this session.");
  return answer(streams, listText(timed, session(), screenOf(streams.stdout, process.env)));
}

type Going = Omit<RewindWish, "overwrite">;

async function goBack(
  opened: ClosedSession,
  wish: Going,
  { streams, json, yes, dryRun }: Request & { readonly streams: Streams },
): Promise<number> {
  const screen = screenOf(streams.stdout, process.env);
  const label = opened.session().undo.points.find(({ id }) => id === wish.to)?.label ?? "";
  const plan = wish.what === "conversation" ? null : await shown(opened, wish.to);
  if (dryRun)
    return json
      ? answerJson(streams, { ...wish, label, ...plan })
      : answer(streams, planText(wish, label, { plan, screen }));
  const isAsked = isInteractive(streams) && !yes && !json;
  if (isAsked) {
    streams.stderr.write(`${askText(wish, label, { plan, screen })}\n`);
    if (!(await askYes(streams, wish.how === "undo" ? "Go back?" : "Take it back?")))
      return complain(streams, "Nothing was changed.", 1);
  }
  const met = (plan?.conflicts ?? []).map(({ path }) => path);
  const isGivenUp =
    isAsked && met.length > 0 && (await askYes(streams, `Overwrite the ${met.length} that you changed, too?`));
  const overwrite = isGivenUp ? met : [];
  await stopTurn(opened);
  const alone: SessionHandle["alone"] = (act) => act(opened.send);
  const result = await rewind({ ...opened, alone, now: Date.now }, { ...wish, overwrite });
  if (result.kind === "refused") return complain(streams, `Nothing was changed: ${result.reason}.`, 1);
  const { kind: _, ...done } = result;
  const ground = { left: opened.session().undo, store: opened.store.kind };
  if (json) answerJson(streams, { ...wish, label, ...done });
  else answer(streams, doneText(wish, label, { ...done, ...ground }));
  return done.failed.length === 0 ? 0 : 1;
}

async function shown({ session, store }: ClosedSession, to: string): Promise<ShownRewind> {
  return shownRewind(await previewRewind({ session, store }, to), store);
}
