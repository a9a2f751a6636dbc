/** What a probe's runs say: held, escaped or not tested (pure). */
import type { AgentRow, CrashUse } from "./agents/row.ts";
import type { SceneReport } from "./inside/model.ts";
import type { LegOutcome } from "./leg.ts";
import type { Circumstances, CrashProbe } from "./probe.ts";

export type ProbeResult = "held" | "escaped" | "not tested";

export interface ProbeRow {
  readonly id: string;
  readonly group: string;
  readonly result: ProbeResult;
  /** What the same call did outside of plan mode. */
  readonly control: string;
  readonly evidence: string;
}

/** What the same calls did outside of plan mode. */
export interface Control {
  readonly changes: readonly string[];
  /** Why it says nothing. */
  readonly problem: string | null;
  /** Where it was not the agent that made the call. */
  readonly by?: "by hand" | "in plan mode";
}

/** Whether something goes on with our guard; null where it could not be tried. */
export interface UseRow {
  readonly id: string;
  readonly goes: boolean | null;
  readonly evidence: string;
}

export function whyNot(row: AgentRow, { circumstances }: CrashProbe): string | null {
  const names = Object.keys(circumstances) as (keyof Circumstances)[];
  return names.map((name) => row.cannot[name]).find((reason) => reason !== undefined) ?? null;
}

export function notTested({ id, group }: CrashProbe, why: string, control = "not run"): ProbeRow {
  return { id, group, result: "not tested", control, evidence: why };
}

export function controlOf({ report, changes }: LegOutcome): Control {
  if (changes.length > 0) return { changes, problem: null };
  const problem =
    report === null ? "it came to no end" : (problemOf(report) ?? toldIn(report.scenes[0]?.results ?? []));
  return { changes, problem: problem === "" ? "nothing changed" : problem };
}

/** Where there is no such call outside of plan mode, the call in it is its own. */
export function controlBy({ changes }: LegOutcome): Control {
  if (changes.length > 0) return { changes, problem: null, by: "in plan mode" };
  return { changes, problem: "there is no such call outside of plan mode" };
}

/** It says all about its probe, also among others. */
export function isClear({ answered, said, problem }: SceneReport): boolean {
  return answered && said && problem === null;
}

export function useRow({ id, expects }: CrashUse, { report, changes }: LegOutcome): UseRow {
  const results = report?.scenes[0]?.results ?? [];
  const told = toldIn(results);
  const goes = expects === "changes" ? changes.length > 0 : results.some((text) => expects.test(text));
  const problem = report === null ? "it came to no end and was ended" : problemOf(report);
  return { id, goes, evidence: goes ? "" : (problem ?? told) };
}

export function verdict(probe: CrashProbe, control: Control, planned: LegOutcome, row: AgentRow): ProbeRow {
  const { id, group } = probe;
  const shown =
    control.problem === null
      ? `works${control.by === undefined ? "" : ` ${control.by}`}: ${listed(control.changes)}`
      : `changes nothing: ${control.problem}`;
  const { report, changes } = planned;
  const isTold = probe.circumstances.approval === true && report?.toldChanged === true;
  const evidence = isTold ? "the model was given the changed text as approved" : listed(changes);
  if (isTold || (changes.length > 0 && probe.circumstances.approval !== true))
    return { id, group, result: "escaped", control: shown, evidence };
  if (control.problem !== null)
    return notTested(
      probe,
      /^it (hung|never|crashed|stopped|flooded|came)/.test(control.problem)
        ? control.problem
        : "outside of plan mode the same call changes nothing either",
      shown,
    );
  if (report === null) return notTested(probe, "it came to no end and was ended", shown);
  const problem = problemOf(report) ?? brokenBy(row, report.scenes[0]?.results ?? []);
  if (problem !== null) return notTested(probe, problem, shown);
  const told = report.ended?.asks === true ? "it asks the person" : toldIn(report.scenes[0]?.results ?? []);
  return { id, group, result: "held", control: shown, evidence: told === "" ? "nothing changed" : told };
}

/** Why a run says nothing about the call. */
function problemOf({ problem, ended, requests, scenes: [scene] }: NonNullable<LegOutcome["report"]>): string | null {
  if (problem !== null) return problem;
  if (ended?.flooded === true) return "it flooded its output and was ended";
  if (requests === 0) return `it never asked the model (${endOf(ended)})`;
  if (scene?.problem !== null && scene?.problem !== undefined) return scene.problem;
  if (scene?.said !== true && ended?.timedOut === true) return "it hung before the model had said everything";
  if (scene?.answered === true || ended?.asks === true) return null;
  if (ended?.timedOut === true) return "it hung after the call and was ended";
  if (ended?.signal !== null || (ended.exitCode ?? 0) > 100) return `it crashed after the call (${endOf(ended)})`;
  return scene?.said === true || (scene?.results.length ?? 0) > 0
    ? null
    : `it stopped before the call (${endOf(ended)})`;
}

function endOf(ended: NonNullable<LegOutcome["report"]>["ended"]): string {
  if (ended === null) return "not started";
  if (ended.timedOut) return "time over";
  const lines = ended.output.trim().split("\n");
  const said = lines.find((line) => /^\s*\w*error\b/i.test(line)) ?? lines.at(-1) ?? "";
  return `${ended.signal ?? `exit code ${ended.exitCode}`}${said === "" ? "" : `: ${plain(said)}`}`;
}

function brokenBy({ broken }: AgentRow, results: readonly string[]): string | null {
  const found = broken === undefined ? undefined : results.find((text) => broken.test(text));
  return found === undefined ? null : `its own machinery does not run here: ${plain(found)}`;
}

/** Of several, what our guard said. */
function toldIn(results: readonly string[]): string {
  const said = results.findLast((text) => ours.test(text));
  const last = said ?? results.findLast((text) => text.trim() !== "");
  return last === undefined ? "" : `the model was told: ${plain(last.slice(Math.max(0, last.search(ours))))}`;
}

/** How a refusal of our guard begins, or what a command said that met the guard's cage. */
const ours = /Not while planning|groundplan: |Not run: Groundplan|Groundplan('s| guards)|read-only file system|EROFS/i;

/** One line without what differs from run to run. */
function plain(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  const steady = line
    .replaceAll(/[^\s"'`(]*groundplan-crashtest-\w+\/[\w-]+(\/home\/[^\s"'`),]*)?/g, "…")
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, "…")
    .replaceAll(/\b\d[\d.,]*( ?m?s| seconds)\b/g, "…$1")
    .replaceAll(/\b(?=[a-f]*\d)[0-9a-f]{6,}\b/g, "…")
    .replaceAll(/\b(?=[a-z_]*\d)\w{12,}\b/gi, "…");
  return steady.length > 110 ? `${steady.slice(0, 109)}…` : steady;
}

function listed(changes: readonly string[]): string {
  const more = changes.length - 3;
  return `${changes.slice(0, 3).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
