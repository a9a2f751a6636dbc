/** The steps of a plan, in the order in which the files depend on each other. */
import { posix } from "node:path";
import { spotsOf, titleFor, type Draft } from "./draft.ts";
import { nearness, testsOf } from "./findings.ts";
import { kindOf } from "../look/kinds.ts";
import { coded, hasCases } from "../rank/names.ts";
import type { RankedFile } from "../rank/rank.ts";
import { isRepair } from "./telling.ts";

const mostTests = 2;

export function stepsFor(draft: Draft): readonly string[] {
  const { task, selection, ranking } = draft;
  const tests = testSteps(draft);
  const changes = [...inOrder(draft).map((file, at) => changeStep(file, draft, at)), ...reachSteps(draft)];
  const begin = selection.change.length === 0 ? [beginning(draft)] : [];
  const [check] = ranking.commands;
  const steps = [
    ...(isRepair(task) ? tests : []),
    ...begin,
    ...changes,
    ...(isRepair(task) ? [] : tests),
    ...(check === undefined ? [] : [`Run ${coded(check)}`]),
  ];
  return steps.map((step) => `- [ ] ${step}`);
}

function beginning({ task, ranking }: Draft): string {
  if (ranking.files.length === 0) return `Make the first file of the change: ${titleFor(task)}`;
  return "Say what the task is about in words of this project: a name, a file, a message";
}

/** What is imported comes before what imports it; documents and settings come last. */
function inOrder({ main, findings }: Draft): readonly RankedFile[] {
  const files = main.toSorted((left, right) => lateness(left.path) - lateness(right.path));
  const done: RankedFile[] = [];
  const waiting = [...files];
  while (waiting.length > 0) {
    const isFree = ({ path }: RankedFile): boolean =>
      !waiting.some(
        (other) => other.path !== path && findings.importersOf(other.path).some((user) => user.path === path),
      );
    const at = Math.max(0, waiting.findIndex(isFree));
    done.push(...waiting.splice(at, 1));
  }
  return done;
}

function lateness(path: string): number {
  return kindOf(path) === "source" ? 0 : 1;
}

function changeStep({ path, line }: RankedFile, draft: Draft, at: number): string {
  const { findings, main, task } = draft;
  const [lead] = main;
  const [own] = spotsOf(path, findings);
  const start =
    own === undefined ? (line > 1 ? ` around line ${line}` : "") : ` at ${coded(own.name)} (line ${own.line})`;
  const kind = kindOf(path);
  const told = lineIn(task, path);
  if (told !== null) return `Make the change in ${coded(path)} around line ${told}, which the task names`;
  if (kind === "document" || kind === "changelog") return `Bring ${coded(path)} up to date${start}`;
  if (path === lead?.path) return `Make the change in ${coded(path)}${start}`;
  const user = findings.importersOf(lead?.path ?? "").find((importer) => importer.path === path);
  if (user !== undefined)
    return `Follow it in ${coded(path)}${start}, which imports ${coded(lead!.path)} (line ${user.line})`;
  const isBase = findings.importersOf(path).some((importer) => importer.path === lead?.path);
  if (isBase)
    return `${at === 0 ? "Begin with" : "Adjust"} ${coded(path)}${start}, on which ${coded(lead!.path)} builds`;
  if (own !== undefined) return `Use or adjust ${coded(own.name)} (line ${own.line}) in ${coded(path)}`;
  return `Adjust ${coded(path)}${start} where the change reaches it`;
}

/** The line of a file that the task itself gives, as traces and messages do. */
function lineIn(task: string, path: string): string | null {
  const at = task.indexOf(path);
  const after = at < 0 ? "" : task.slice(at + path.length, at + path.length + 20);
  return /^(?::|",? line |\((?:line )?)(\d{1,6})/.exec(after)?.[1] ?? null;
}

function reachSteps({ reach }: Draft): readonly string[] {
  return reach.length === 0
    ? []
    : [`See whether the change reaches ${reach.map(({ path }) => coded(path)).join(", ")}`];
}

function testSteps({ task, selection, main, findings, wishes }: Draft): readonly string[] {
  const sources = main.filter(({ path }) => kindOf(path) === "source");
  const [source] = sources;
  if (wishes.tests === "none" || source === undefined) return [];
  const tests = testsOf(sources, findings, selection.tests).slice(0, selection.isSmall ? 1 : mostTests);
  const what = isRepair(task) ? "a case that fails now" : "a case for it";
  if (tests.length > 0) return [`Add ${what} to ${tests.map(coded).join(", ")}`];
  const [manner] = [...selection.tests, ...findings.seen]
    .filter((path) => hasCases(path) && posix.extname(path) === posix.extname(source.path))
    .toSorted((left, right) => nearness(right, source.path) - nearness(left, source.path));
  const like = manner === undefined ? "" : `, in the manner of ${coded(manner)}`;
  return [`Add a test for ${coded(source.path)}: none was found by its name or its imports${like}`];
}
