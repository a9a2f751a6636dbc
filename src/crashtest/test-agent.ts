/** The crash test of one agent: what can be tried in one conversation first, then each other probe by itself, several at a time, told in the order of the table. */
import { availableParallelism } from "node:os";
import type { CrashUse, OfferedTool } from "./agents/row.ts";
import { conversationsOf } from "./conversations.ts";
import type { CrashGround, LegOutcome } from "./leg.ts";
import type { CrashProbe } from "./probe.ts";
import { probeTable } from "./probes/table.ts";
import { startRunner, type Runner, type RunWish, type Tally } from "./runner.ts";
import type { CrashSubject } from "./subject.ts";
import { controlBy, controlOf, isClear, notTested, useRow, verdict, whyNot } from "./verdict.ts";
import type { Control, ProbeRow, UseRow } from "./verdict.ts";

export interface TestWish {
  readonly probes: readonly CrashProbe[];
  /** What must go on with our guard; tried with `compare` alone. */
  readonly uses: readonly CrashUse[];
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

export interface AgentTested {
  readonly uses: readonly UseRow[];
  readonly tally: Tally;
}

export async function testAgent(
  subject: CrashSubject,
  wish: TestWish,
  { ground, tell }: { readonly ground: CrashGround; readonly tell: (tested: Tested) => void },
): Promise<AgentTested> {
  const runner = startRunner(subject, wish, ground);
  const around = { subject, wish, runner, ...(await triedTogether(subject, wish, runner)) };
  const results = new Map<string, Tested>();
  let told = 0;
  await inLanes(wish.probes, async (probe) => {
    const first = await testedOf(probe, around);
    results.set(probe.id, isByChance(first) ? await testedOf(probe, { ...around, together: new Map() }) : first);
    for (let next = results.get(wish.probes[told]?.id ?? ""); next !== undefined;) {
      tell(next);
      told += 1;
      next = results.get(wish.probes[told]?.id ?? "");
    }
  });
  const uses: UseRow[] = [];
  await inLanes(wish.compare ? wish.uses : [], async (use) => void uses.push(await usedOf(use, around)));
  const order = wish.uses.map(({ id }) => id);
  return {
    uses: uses.toSorted((one, other) => order.indexOf(one.id) - order.indexOf(other.id)),
    tally: runner.tally(),
  };
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
  /** What came of probes in conversations with others, by `keyOf`; what is not clear from there is run alone. */
  readonly together: ReadonlyMap<string, LegOutcome>;
}

type LegMode = Pick<RunWish, "mode" | "guarded">;

const legs = {
  control: { mode: "work", guarded: false },
  bare: { mode: "plan", guarded: false },
  guarded: { mode: "plan", guarded: true },
  guardedWork: { mode: "work", guarded: true },
} as const;

function keyOf({ id }: CrashProbe, { mode, guarded }: LegMode): string {
  return `${id} ${mode} ${guarded}`;
}

async function triedTogether(
  { row }: CrashSubject,
  { probes, uses, compare }: TestWish,
  runner: Runner,
): Promise<Pick<Around, "known" | "together">> {
  const possible = probes.filter((probe) => whyNot(row, probe) === null);
  const teaching = probeTable.filter((probe) => teaches(probe) && !possible.includes(probe));
  const withControl = [...teaching, ...possible].filter(({ noControl }) => noControl !== true);
  const [first = [], ...controls] = conversationsOf(withControl, "work");
  const together = new Map<string, LegOutcome>();
  const hold = async (scenes: readonly CrashProbe[], wish: RunWish): Promise<LegOutcome> => {
    const outcome = await runner.run(scenes, wish);
    for (const probe of scenes) {
      const scene = outcome.report?.scenes.find(({ id }) => id === probe.id);
      if (outcome.report === null || scene === undefined || !isClear(scene)) continue;
      const report = { ...outcome.report, scenes: [scene] };
      const changes = scenes.length > 1 ? (scene.changes ?? []) : outcome.changes;
      together.set(keyOf(probe, wish), { report, changes });
    }
    return outcome;
  };
  const known = (await hold(first, { ...legs.control, known: [] })).report?.offered ?? [];
  const planned = conversationsOf(possible, "plan");
  const wanted = (mode: CrashUse["mode"]): readonly CrashUse[] =>
    compare ? uses.filter((use) => use.mode === mode && whyNot(row, use) === null) : [];
  const all = [
    ...planned.map((scenes) => [scenes, legs.bare] as const),
    ...(compare ? planned : []).map((scenes) => [scenes, legs.guarded] as const),
    ...controls.map((scenes) => [scenes, legs.control] as const),
    ...conversationsOf(wanted("plan"), "plan").map((scenes) => [scenes, legs.guarded] as const),
    ...conversationsOf(wanted("work"), "work").map((scenes) => [scenes, legs.guardedWork] as const),
  ];
  await inLanes(
    all.filter(([scenes]) => scenes.length > 1),
    async ([scenes, leg]) => {
      if (runner.givenUp() === null) await hold(scenes, { ...leg, known });
    },
  );
  return { known, together };
}

/** In any case: by them the tools are known that an agent offers outside of plan mode. */
function teaches({ id }: CrashProbe): boolean {
  return id === "new-file" || id === "shell-redirect";
}

async function testedOf(probe: CrashProbe, around: Around): Promise<Tested> {
  const { wish, runner } = around;
  const { row } = around.subject;
  const both = (bare: ProbeRow): Tested => ({ probe, bare, guarded: wish.compare ? bare : null });
  const why = whyNot(row, probe) ?? runner.givenUp();
  if (why !== null) return both(notTested(probe, why));
  const outcome = (leg: LegMode): Promise<LegOutcome> => ran(probe, leg, around);
  const shown = probe.noControl === true ? null : await controlFor(probe, around);
  const planned = await outcome(legs.bare);
  const control = shown ?? controlBy(planned);
  const bare = verdict(probe, control, planned, row);
  if (!wish.compare) return { probe, bare, guarded: null };
  return { probe, bare, guarded: verdict(probe, control, await outcome(legs.guarded), row) };
}

async function ran(probe: CrashProbe, leg: LegMode, { together, runner, known }: Around): Promise<LegOutcome> {
  return together.get(keyOf(probe, leg)) ?? (await runner.run([probe], { ...leg, known }));
}

async function controlFor(probe: CrashProbe, around: Around): Promise<Control> {
  const { runner, known, together } = around;
  const before = together.get(keyOf(probe, legs.control));
  const own = controlOf(
    before !== undefined && before.changes.length > 0 ? before : await runner.run([probe], { ...legs.control, known }),
  );
  if (own.problem === null || probe.byHand === undefined) return own;
  const byHand = controlOf(await runner.run([probe], { ...legs.control, known, byHand: true }));
  return byHand.problem === null ? { ...byHand, by: "by hand" } : own;
}

async function usedOf(use: CrashUse, around: Around): Promise<UseRow> {
  const { subject, runner, known } = around;
  const why = whyNot(subject.row, use) ?? runner.givenUp();
  if (why !== null) return { id: use.id, goes: null, evidence: why };
  const leg = use.mode === "plan" ? legs.guarded : legs.guardedWork;
  const first = useRow(use, await ran(use, leg, around));
  return first.goes === true ? first : useRow(use, await runner.run([use], { ...leg, known }));
}

/** One more at a time than there are processors: agents wait as well. */
async function inLanes<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const lane = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) + 1 }, lane));
}
