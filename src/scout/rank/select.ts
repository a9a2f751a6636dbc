/** Chooses which of the ranked files a plan is about, and says how sure that choice is. */
import type { Wishes } from "../plan/feedback.ts";
import { kindOf } from "../look/kinds.ts";
import { areaOf, isTest, isWithin } from "./names.ts";
import type { RankedFile, Ranking } from "./rank.ts";
import { readTask } from "./task.ts";
import { tellingWords } from "../plan/telling.ts";

export interface Selection {
  /** The files to change, best first; tests are chosen beside them. */
  readonly change: readonly RankedFile[];
  /** Ranked tests that may be extended. */
  readonly tests: readonly string[];
  /** Fit almost as well, and stay out. */
  readonly near: readonly RankedFile[];
  /** One file clearly wins: the plan stays short (B7.5). */
  readonly isSmall: boolean;
  /** Many fit alike, or none really. */
  readonly isVague: boolean;
}

const enough = 0.5;
const most = 6;
const clear = 0.55;
const testEnough = 0.3;
const mostDocuments = 2;
/** Stands first in the reason of a document that the task only hints at. */
export const documentReason = "the task speaks of documents";

export function select(task: string, ranking: Ranking, wishes: Wishes): Selection {
  const isWanted = ({ path }: RankedFile): boolean =>
    !wishes.without.some((place) => isWithin(path, place)) &&
    (wishes.only.length === 0 || wishes.only.some((place) => isWithin(path, place)));
  const { mentionsTests, mentionsDocuments } = readTask(task);
  const added = wishes.also.map((path): RankedFile => {
    const known = ranking.files.find((file) => file.path === path);
    if (known === undefined) return { path, score: 0.5, why: "named in the feedback", line: 1 };
    return { ...known, why: `named in the feedback; ${known.why}` };
  });
  const isAdded = ({ path }: RankedFile): boolean => wishes.also.includes(path);
  const pool = ranking.files.filter((file) => isWanted(file) && !isAdded(file)).filter(isMeant(task));
  const sources = pool.filter(({ path }) => !isTest(path) || mentionsTests);
  const named = sources.filter(({ why }) => why.includes("named in the task"));
  const best = sources[0]?.score ?? 1;
  const others = sources.filter(
    (file) => !named.includes(file) && file.score / best >= (named.length > 0 ? 0.75 : enough),
  );
  const documents = sources
    .filter((file) => mentionsDocuments && isDocument(file) && !named.includes(file) && !others.includes(file))
    .slice(0, mostDocuments)
    .map(({ path, score, why, line }) => ({ path, score, line, why: `${documentReason}; ${why}` }));
  const isMute = tellingWords(task).length === 0 && wishes.only.length + wishes.more.length === 0;
  const change = [...named, ...(isMute ? [] : others)].slice(0, most).concat(added, documents);
  const second = sources.find((file) => file !== change[0]);
  const isClear = second === undefined || second.score / best < clear || (named.length > 0 && change.length === 1);
  return {
    change,
    tests:
      wishes.tests === "none"
        ? []
        : pool.filter(({ path, score }) => isTest(path) && score >= testEnough).map(({ path }) => path),
    near: sources.filter(({ path }) => !change.some((file) => file.path === path)).slice(0, 4),
    isSmall: change.length === 1 && isClear,
    isVague: others.length > most + 2 || isMute,
  };
}

function isDocument({ path, score }: RankedFile): boolean {
  const kind = kindOf(path);
  return (kind === "document" || kind === "changelog") && score >= 0.1;
}

/** Noise that no task means unless it says so. */
function isMeant(task: string): (file: RankedFile) => boolean {
  const lower = task.toLowerCase();
  const never = new Set(["lock", "generated", "vendored", "snapshot", "asset"]);
  return ({ path, why }) => {
    const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
    if (why.includes("named in the task") || lower.includes(name)) return true;
    return !never.has(kindOf(path)) && why !== "little speaks for it";
  };
}

/** Two parts of the project that fit alike and have nothing to do with each other; null where one leads. */
export function rivals(
  { change }: Selection,
  isLinked: (left: string, right: string) => boolean,
): readonly [RankedFile, RankedFile] | null {
  const [first, ...others] = change;
  if (first === undefined || first.why.includes("named in")) return null;
  const rival = others.find(({ path }) => areaOf(path) !== areaOf(first.path));
  if (rival === undefined || rival.score < first.score * 0.93) return null;
  return change.length > 4 || isLinked(first.path, rival.path) || isLinked(rival.path, first.path)
    ? null
    : [first, rival];
}
