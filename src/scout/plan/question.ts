/** The one question that scout may ask: which part of the project is meant, where the task does not tell. */
import type { UserQuestion } from "../../core/questions.ts";
import type { Made } from "./conversation.ts";
import type { Draft } from "./draft.ts";
import { answersIn, askedIn } from "./errand.ts";
import { areaOf, coded } from "../rank/names.ts";
import { rivals } from "../rank/select.ts";
import { tellingWords } from "./telling.ts";

const header = "Which part";
const both = "Both";

/** Null where the task tells enough, or where there is nothing to choose. */
export function questionFor({ task, ranking, selection, findings }: Draft): UserQuestion | null {
  if (tellingWords(task).length === 0) return unspoken(ranking.files.map(({ path }) => path));
  const isLinked = (used: string, user: string): boolean =>
    findings.importersOf(used).some(({ path }) => path === user);
  const pair = rivals(selection, isLinked);
  if (pair === null) return null;
  const options = pair.map(({ path, why }) => ({ label: areaOf(path) || path, description: `${path}: ${why}` }));
  return {
    question: "Two parts of the project fit this task alike. Which one is meant?",
    header,
    options: [...options, { label: both, description: "The change goes through both" }],
    multiSelect: false,
  };
}

function unspoken(paths: readonly string[]): UserQuestion | null {
  const areas = [...new Set(paths.map(areaOf).filter((area) => area !== ""))].slice(0, 4);
  if (areas.length < 2) return null;
  return {
    question:
      "The task names nothing that can be looked for. Which part of the project is it about? (Or say it in your own words.)",
    header,
    options: areas.map((area) => ({
      label: area,
      description: paths
        .filter((path) => areaOf(path) === area)
        .slice(0, 3)
        .join(", "),
    })),
    multiSelect: false,
  };
}

export interface Chosen {
  readonly only: readonly string[];
  readonly more: readonly string[];
  /** For the plan, in a sentence. */
  readonly decision: string;
}

/** What came of the question; null where none was asked. */
export function chosenIn(calls: readonly Made[]): Chosen | null {
  const asked = calls.find((call) => askedIn(call)?.header === header);
  if (asked === undefined) return null;
  const labels = (askedIn(asked)?.options ?? []).map(({ label }) => label);
  const answers = answersIn(asked);
  if (answers.length === 0)
    return { only: [], more: [], decision: "Assumed, as nobody answered: the part that fits best comes first." };
  const only = labels.filter((label) => label !== both && answers.includes(label));
  const more = answers.filter((answer) => !labels.includes(answer));
  return { only, more, decision: `Chosen when asked: ${[...only.map(coded), ...more].join(", ") || "both parts"}.` };
}
