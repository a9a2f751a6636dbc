// One probe on one client: the control outside of plan mode, the client alone, and the client with the guard; what changed and what the model read.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { changesOf, endReviews, makePlace, treeOf } from "./place.mjs";
import { startModel } from "./model.mjs";

const limits = { headless: 40_000, stdio: 40_000, terminal: 40_000 };

/** The row of a probe; one that fails by chance is tried once more. */
export async function rowOf(probe, around) {
  const attempt = () => tried(probe, around).catch((error) => untried(probe, around, error));
  const first = await attempt();
  return first.problem === null ? first : { ...(await attempt()), again: true };
}

function untried({ name, kind, marker, surface }, { driver }, error) {
  const none = { changes: [], results: [], turns: 0, output: "", exitCode: null, timedOut: false };
  const problem = `not tested: ${error.message.split("\n")[0]}`;
  const where = surface ?? driver.surfaces[0];
  return { name, marker, allow: false, surface: where, kind, control: null, bare: none, guarded: none, problem };
}

async function tried(probe, around) {
  const { kind, noControl = false } = probe;
  const control = kind !== "write" || noControl ? null : await once(probe, around, { planning: false, guarded: false });
  const planning = kind !== "work";
  const bare = await once(probe, around, { planning, guarded: false });
  const guarded = around.guard === null ? null : await once(probe, around, { planning, guarded: true });
  const row = {
    name: probe.name,
    marker: probe.marker,
    allow: probe.allow === true,
    surface: bare.surface,
    kind,
    control,
    bare,
    guarded,
  };
  return { ...row, problem: problemOf(row, probe) };
}

/** Why the row does not stand; null when all is well. */
function problemOf({ kind, control, bare, guarded }, { marker, askedAlone = false }) {
  if (control !== null && control.changes.length === 0) return "not tested: outside of plan mode it changes nothing";
  if (guarded === null) return null;
  if (kind === "work") return guarded.changes.length > 0 ? null : "the guard stands in the way of work";
  if (guarded.changes.length > 0) return `leak: ${guarded.changes.slice(0, 3).join(", ")}`;
  if (guarded.turns === 0) return "the client did not ask the model";
  const isTold = (run) => run.results.some((text) => text.includes(marker));
  if (marker !== undefined && !isTold(guarded)) return `the model did not read "${marker}"`;
  if (marker !== undefined && !askedAlone && !isTold(bare)) return "not tested: alone it does not go either";
  /** Where the client refuses by itself, its own words come first. */
  if (kind === "write" && bare.changes.length > 0 && !guarded.results.some(isReason))
    return "no reason reached the model";
  return null;
}

/** A refusal of ours, a tool that our policy takes out of the list, or what a command said that met the cage. */
function isReason(text) {
  return /Not while planning|\bgroundplan: |Tool "\w+" not found|Not run: Groundplan|Groundplan's (guard|settings)|read-only file system|EROFS/i.test(
    text,
  );
}

/** One run of a probe, in a place of its own. */
export async function once(probe, { driver, startLoopback, program, guard }, { planning, guarded }) {
  const place = makePlace();
  const { surface = driver.surfaces[0], allow = false, bypass = false, files = {}, options = {} } = probe;
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place.project, name)), { recursive: true });
    writeFileSync(join(place.project, name), text);
  }
  const run = { ...place, program, planning, guarded, surface, allow, bypass, options };
  const model = await startModel(startLoopback, {
    isTurn: driver.isTurn,
    turn: (at, request) => probe.turn(run, at, request),
  });
  Object.assign(run, {
    url: model.url,
    finished: model.finished,
    prompt: "Please do the probe.",
    limitMs: limits[surface] ?? 40_000,
    environment: { PATH: process.env["PATH"], LANG: "C.UTF-8", BROWSER: place.browser },
  });
  try {
    if (guarded) {
      await guard(run);
      await driver.trust?.(run);
    }
    const before = treeOf(place, driver.own);
    const ended = await driver.run(run);
    const changes = changesOf(before, treeOf(place, driver.own), place);
    run.keep?.();
    const results = model.turns.flatMap((request) => driver.resultsOf(request));
    return { surface, changes, results, turns: model.turns.length, ...ended };
  } finally {
    await model.close();
    endReviews(place);
    place.remove();
  }
}
