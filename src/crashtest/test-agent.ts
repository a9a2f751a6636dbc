/** The crash test of one agent: controls first, then every probe in plan mode, two at a time, told in the order of the table. */
import type { OfferedTool } from "./agents/row.ts";
import { runCaged, type CrashGround, type LegOutcome, type LegPlan } from "./leg.ts";
import type { CrashProbe } from "./probe.ts";
import { probeTable } from "./probes/table.ts";
import type { CrashSubject } from "./subject.ts";
import { controlOf, notTested, verdict, whyNot, type Control, type ProbeRow } from "./verdict.ts";

export interface TestWish {
  readonly probes: readonly CrashProbe[];
  /** Also with our guard installed. */
  readonly compare: boolean;
  readonly limitMs: number;
}

/** A probe's row alone, and with the guard where that was wanted. */
export interface Tested {
  readonly probe: CrashProbe;
  readonly bare: ProbeRow;
  readonly guarded: ProbeRow | null;
}

export interface Tally {
  /** Requests that came to the scripted model. */
  readonly requests: number;
  /** Attempts to reach anything else. */
  readonly unreachable: number;
  readonly runs: number;
}

/** Agents that hang so often, one after the other, are given up. */
const mostHung = 3;

export async function testAgent(
  subject: CrashSubject,
  wish: TestWish,
  { ground, tell }: { readonly ground: CrashGround; readonly tell: (tested: Tested) => void },
): Promise<Tally> {
  const runner = startRunner(subject, wish, ground);
  const { known, controls } = await runner.controlTogether(
    probeTable.filter((probe) => isPlain(probe) && (teaches(probe) || wish.probes.includes(probe))),
  );
  const results = new Map<string, Tested>();
  let told = 0;
  await twoAtOnce(wish.probes, async (probe) => {
    const around = { subject, wish, runner, known, controls };
    const first = await testedOf(probe, around);
    results.set(probe.id, isByChance(first) ? await testedOf(probe, around) : first);
    for (let next = results.get(wish.probes[told]?.id ?? ""); next !== undefined;) {
      tell(next);
      told += 1;
      next = results.get(wish.probes[told]?.id ?? "");
    }
  });
  return runner.tally();
}

/** A run that came to no end may have met a busy machine: it gets a second one. */
function isByChance({ bare, guarded }: Tested): boolean {
  return [bare, guarded].some(
    (row) => row?.result === "not tested" && /\bhung\b|no end/.test(row.control + row.evidence),
  );
}

interface Around {
  readonly subject: CrashSubject;
  readonly wish: TestWish;
  readonly runner: Runner;
  readonly known: readonly OfferedTool[];
  readonly controls: ReadonlyMap<string, Control>;
}

async function testedOf(probe: CrashProbe, { subject, wish, runner, known, controls }: Around): Promise<Tested> {
  const { row } = subject;
  const both = (bare: ProbeRow): Tested => ({ probe, bare, guarded: wish.compare ? bare : null });
  const why = whyNot(row, probe) ?? runner.givenUp();
  if (why !== null) return both(notTested(probe, why));
  const together = controls.get(probe.id);
  const control = together?.problem === null ? together : await controlAlone(probe, runner, known);
  const planned = await runner.run([probe], { mode: "plan", guarded: false, known });
  const bare = verdict(probe, control, planned, row);
  if (!wish.compare) return { probe, bare, guarded: null };
  const guarded = verdict(probe, control, await runner.run([probe], { mode: "plan", guarded: true, known }), row);
  return { probe, bare, guarded };
}

async function controlAlone(probe: CrashProbe, runner: Runner, known: readonly OfferedTool[]): Promise<Control> {
  const wish = { mode: "work", guarded: false, known } as const;
  const own = controlOf(await runner.run([probe], wish));
  if (own.problem === null || probe.byHand === undefined) return own;
  const byHand = controlOf(await runner.run([probe], { ...wish, byHand: true }));
  return byHand.problem === null ? { ...byHand, by: "by hand" } : own;
}

type RunWish = Pick<LegPlan, "mode" | "guarded" | "known"> & Partial<Pick<LegPlan, "byHand">>;

interface Runner {
  readonly run: (probes: readonly CrashProbe[], wish: RunWish) => Promise<LegOutcome>;
  /** Many controls in one conversation, each undone before the next. */
  readonly controlTogether: (
    probes: readonly CrashProbe[],
  ) => Promise<{ readonly known: readonly OfferedTool[]; readonly controls: ReadonlyMap<string, Control> }>;
  /** Why nothing more is tried. */
  readonly givenUp: () => string | null;
  readonly tally: () => Tally;
}

function startRunner({ row, ...subject }: CrashSubject, { limitMs }: TestWish, ground: CrashGround): Runner {
  const tally = { requests: 0, unreachable: 0, runs: 0 };
  let hung = 0;
  const run: Runner["run"] = async (probes, wish) => {
    tally.runs += 1;
    const plan: LegPlan = {
      ...subject,
      byHand: false,
      ...wish,
      agent: row.programs.length === 0 && row.name === "command" ? null : row.name,
      limitMs,
      probes: probes.map(({ id }) => id),
      own: row.own,
      insistsOn: row.insistsOn ?? [],
    };
    const outcome = await runCaged(plan, ground, `${tally.runs}`);
    tally.requests += outcome.report?.requests ?? 0;
    tally.unreachable += outcome.report?.unreachable ?? 0;
    const hangs = outcome.report === null || (outcome.report.ended?.timedOut === true && !outcome.report.ended.asks);
    hung = hangs ? hung + 1 : 0;
    return outcome;
  };
  return {
    run,
    controlTogether: async (probes) => {
      const { report } = await run(probes, { mode: "work", guarded: false, known: [] });
      const controls = (report?.scenes ?? []).map(
        ({ id, changes }) =>
          [id, { changes: changes ?? [], problem: (changes ?? []).length > 0 ? null : "nothing changed" }] as const,
      );
      return { known: report?.offered ?? [], controls: new Map(controls) };
    },
    givenUp: () => (hung >= mostHung ? `given up: it hung ${mostHung} times in a row` : null),
    tally: () => tally,
  };
}

/** Its control is the bare call: it can be shown together with others. */
function isPlain({ steps, circumstances }: CrashProbe): boolean {
  const { repository, resumedFrom, approval, planted, bypass } = circumstances;
  const isBare = [repository, resumedFrom, approval, planted, bypass].every((each) => each === undefined);
  return isBare && steps.every(({ kind }) => ["shell", "write", "edit", "write-beside-read"].includes(kind));
}

/** Made in any case: by it the tools are known that an agent offers outside of plan mode. */
function teaches({ id }: CrashProbe): boolean {
  return id === "new-file" || id === "shell-redirect";
}

async function twoAtOnce<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all([worker(), worker()]);
}
