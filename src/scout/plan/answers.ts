/** What scout says to people in text: who it is, where things are, and how the work goes on. */
import { keyVariablesText, providers } from "../../agent/models/providers.ts";
import type { Findings } from "./findings.ts";
import { coded } from "../rank/names.ts";
import { spotsOf } from "./draft.ts";
import type { Ranking } from "../rank/rank.ts";

/** The first line of every session with it. */
export const introduction = `I am scout, the built-in offline planner: not a language model. For one, set ${keyVariablesText("or")}, or pass --model.`;

const mostPlaces = 6;

/** The best places for a question or a task, with their reasons. */
export function placesIn(ranking: Ranking): string {
  const files = ranking.files.slice(0, mostPlaces);
  if (files.length === 0) return "There are no files here to look through.";
  const best = files[0]!.score;
  const rows = files
    .filter(({ score }) => score >= best * 0.2)
    .map(({ path, line, why }) => `- ${coded(line > 1 ? `${path}:${line}` : path)}: ${why}`);
  return `The places that fit best:\n${rows.join("\n")}`;
}

export function outsidePlan(ranking: Ranking): string {
  return [
    introduction,
    `I only plan, and change nothing. ${placesIn(ranking)}`,
    'For a plan, ask again in plan mode: groundplan -p --permission-mode plan "the task".',
  ].join("\n\n");
}

export function whereAnswer(ranking: Ranking): string {
  return `${introduction}\n\n${placesIn(ranking)}`;
}

export function handOver(planFile: string): string {
  return [
    `The plan is approved and stays at ${coded(planFile)}.`,
    "I am not a language model and do not edit code. Carry it out yourself, or let a model do it in this session:",
    `    ${providers[0]!.keyVariable}=… groundplan -p --continue "Carry out the approved plan"`,
    `(${keyVariablesText("and", providers.slice(1))} work as well, and --model provider/name chooses the model.)`,
  ].join("\n\n");
}

/** Answers in text, from what was found; the plan stays as it is. */
export function answerTo(
  question: string,
  about: readonly string[],
  { ranking, findings }: { ranking: Ranking; findings: Findings },
): string {
  const files = ranking.files.filter(({ path }) => about.includes(path));
  if (files.length === 0) return `“${question}”: I can only look places up. ${placesIn(ranking)}`;
  const told = files.slice(0, 3).map(({ path, why }) => {
    const own = spotsOf(path, findings)
      .slice(0, 3)
      .map(({ name, line }) => `${coded(name)} (line ${line})`);
    const users = findings.importersOf(path).length;
    const used = users === 0 ? "" : `; ${users} ${users === 1 ? "file imports" : "files import"} it`;
    return `${coded(path)} is in the plan for this: ${why}${own.length === 0 ? "" : `; it has ${own.join(", ")}`}${used}.`;
  });
  return `“${question}”: ${told.join(" ")}`;
}
