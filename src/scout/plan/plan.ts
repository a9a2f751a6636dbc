/** Writes the plan: everything in it was found in the repository or said by the person. */
import { posix } from "node:path";
import { spotsOf, oneLine, titleFor, type Draft } from "./draft.ts";
import { caseIn, testsOf, type Findings } from "./findings.ts";
import { kindOf } from "../look/kinds.ts";
import { areaOf, coded } from "../rank/names.ts";
import type { RankedFile } from "../rank/rank.ts";
import type { Spot } from "./spots.ts";
import { countOf } from "./telling.ts";
import { splitName } from "../look/words.ts";
import { questionsIn, risksIn } from "./doubts.ts";
import { stepsFor } from "./steps.ts";

const mostReused = 5;
/** A longer name is a sentence: a test. */
const mostParts = 5;
const mostCommands = 4;

export function writePlan(draft: Draft): string {
  const { selection, ranking, wishes, headings } = draft;
  const sections: (readonly [heading: string, lines: readonly string[]])[] = [
    ["Files to change", draft.main.map((file) => fileLine(file, draft))],
    ["Look at as well", draft.reach.map((file) => fileLine(file, draft))],
    ["Reuse", selection.isSmall || draft.main.length === 0 ? [] : reuseLines(draft)],
    ["Steps", stepsFor(draft)],
    ["Verify", ranking.commands.slice(0, selection.isSmall ? 2 : mostCommands).map((command) => `- ${coded(command)}`)],
    ["Risks", risksIn(draft)],
    ["Open questions", questionsIn(draft)],
    ["Feedback", wishes.record.map(({ said, done }) => `- “${oneLine(said, 200)}”: ${done}.`)],
    ...headings.map((heading) => [heading, ["Not known to scout: to be filled in."]] as const),
  ];
  const shown = sections.filter(([, lines]) => lines.length > 0);
  const verify = ranking.commands.length === 0 ? ["", "No commands to verify were found in this project."] : [];
  return [
    `# ${titleFor(draft.task)}`,
    "",
    "> Drafted by scout, Groundplan's offline planner. It is not a language model: it finds places, not solutions.",
    "",
    contextFor(draft),
    ...(draft.main.length === 0 ? [] : draft.decisions).map((decision) => `\n${decision}`),
    ...shown.flatMap(([heading, lines]) => ["", `## ${heading}`].concat(lines)),
    ...verify,
    "",
  ].join("\n");
}

function contextFor(draft: Draft): string {
  const { task, selection, ranking } = draft;
  const [first] = draft.main;
  const more = oneLine(task, 400).length > titleFor(task).length + 2 ? `Asked: ${oneLine(task, 400)}\n\n` : "";
  if (first === undefined) {
    if (ranking.files.length > 0 && selection.isVague)
      return `${more}The task names nothing that can be looked for here.`;
    const why = ranking.files.length === 0 ? "There are no files here yet" : "No file of this project fits the task";
    return `${more}${why}: the plan starts from nothing.`;
  }
  const quoted = quotedAt(draft);
  if (quoted !== null) return `${more}${quoted}`;
  const count = draft.main.length;
  const areas = new Set(draft.main.map(({ path }) => areaOf(path)));
  const where =
    count > 1 && areas.size === 1 && areaOf(first.path) !== "" ? ` in ${coded(`${areaOf(first.path)}/`)}` : "";
  const vague = selection.isVague ? "Many files fit about alike. " : "";
  if (count === 1) return `${more}${vague}The task leads to ${coded(first.path)}.`;
  return `${more}${vague}The task leads to ${count} files${where}, ${coded(first.path)} first.`;
}

/** A message that the task quotes, found in the code. */
function quotedAt({ task, findings }: Draft): string | null {
  for (const [, one, two, three] of task.matchAll(/`([^`\n]{6,})`|"([^"\n]{6,})"|“([^”\n]{6,})”/g)) {
    const quote = one ?? two ?? three!;
    for (const [path, lines] of findings.texts) {
      const at = lines.find(({ text }) => text.includes(quote));
      if (at !== undefined) return `“${oneLine(quote, 80)}” stands in ${coded(`${path}:${at.line}`)}.`;
    }
  }
  return null;
}

function fileLine(file: RankedFile, draft: Draft): string {
  const { findings, selection } = draft;
  const own = spotsOf(file.path, findings).slice(0, selection.isSmall ? 2 : 3);
  const names = own.map(({ name, line }) => `${coded(name)} (line ${line})`).join(", ");
  const unread = findings.unread.has(file.path) ? "could not be read" : "";
  const reasons = (unread === "" ? file.why : (/^named in the \w+/.exec(file.why)?.[0] ?? ""))
    .split(/; (?![^“]*”)/)
    .filter((why) => (names === "" || !/^(?:names with|defines)/.test(why)) && why !== "changed lately")
    .toSorted((left, right) => Number(left.startsWith("changed by")) - Number(right.startsWith("changed by")))
    .map(worded)
    .slice(0, names === "" || file.why.startsWith("named in the feedback; ") ? 2 : 1);
  const told = [names === "" ? "" : `has ${names}`, ...reasons, unread].filter((text) => text !== "");
  return `- ${coded(file.path)}: ${told.length === 0 ? "fits the task" : oneLine(told.join("; "), 300)}`;
}

/** The ranking's reasons, as a plan says them. */
function worded(why: string): string {
  const [, relation, path] = /^(used by|uses|changes together with) (.+)$/.exec(why) ?? [];
  return path === undefined ? why.replace(/^changed by “/, "changed before for “") : `${relation} ${coded(path)}`;
}

function reuseLines({ task, findings, selection, main, wishes, ranking }: Draft): readonly string[] {
  const chosen = new Set(selection.change.map(({ path }) => path));
  const folders = new Set(main.map(({ path }) => posix.dirname(path)));
  const near = new Set([...ranking.files.map(({ path }) => path), ...findings.texts.keys()]);
  const isNear = (path: string): boolean => near.has(path) || folders.has(posix.dirname(path));
  const best = Math.max(0, ...findings.spots.map(({ nameFit }) => nameFit));
  const count = countOf(task);
  const isFit = ({ path, name, nameFit }: Spot): boolean =>
    (count(name) > 1 && nameFit >= best * 0.5) ||
    (folders.has(posix.dirname(path)) && nameFit > 0 && nameFit >= best * 0.8);
  const outside = findings.spots
    .filter(
      (spot) =>
        !chosen.has(spot.path) &&
        splitName(spot.name).length <= mostParts &&
        isNear(spot.path) &&
        kindOf(spot.path) === "source" &&
        isFit(spot),
    )
    .toSorted((left, right) => right.nameFit - left.nameFit);
  const oneEach = [...new Map(outside.toReversed().map((spot) => [spot.path, spot])).values()].toReversed();
  const lines = oneEach.slice(0, mostReused).map(({ name, path, line }) => {
    const users = findings.importersOf(path).filter((user) => chosen.has(user.path));
    const used = users.length === 0 ? "" : `, already used by ${coded(users[0]!.path)}`;
    return `- ${coded(name)} in ${coded(`${path}:${line}`)}${used}`;
  });
  return wishes.tests === "none" ? lines : [...lines, ...patternLines(main, selection.tests, findings)];
}

/** The existing test that sounds most like the task, as the manner to follow. */
function patternLines(change: Draft["main"], tests: readonly string[], findings: Findings): readonly string[] {
  const paths = new Set([...testsOf(change, findings, tests), ...tests]);
  const cases = [...paths].flatMap((path) => {
    const found = caseIn(findings.texts.get(path) ?? [], findings.fit);
    return found === null ? [] : [{ ...found, path, fit: findings.fit(found.title) }];
  });
  const best = cases.toSorted((left, right) => right.fit - left.fit)[0];
  return best === undefined
    ? []
    : [`- ${coded(`${best.path}:${best.line}`)} as the pattern for tests: “${best.title}”`];
}
