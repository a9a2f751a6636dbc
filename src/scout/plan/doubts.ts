/** What a plan should not hide: what a change reaches, what could not be used, and what only a person can say. */
import type { Draft } from "./draft.ts";
import { areaOf, coded, isTest } from "../rank/names.ts";
import { hasAll, isRepair, stemsIn, tellingWords } from "./telling.ts";
import { joinName, stem } from "../look/words.ts";

const mostShown = 3;

export function risksIn({ selection, main, findings, ranking }: Draft): readonly string[] {
  const chosen = new Set(selection.change.map(({ path }) => path));
  const reached = main
    .map(({ path }) => ({
      path,
      users: findings
        .importersOf(path)
        .map((user) => user.path)
        .filter((user) => !chosen.has(user) && !isTest(user)),
    }))
    .filter(({ users }) => users.length > 0)
    .toSorted((left, right) => right.users.length - left.users.length)
    .slice(0, selection.isSmall ? 1 : 2)
    .map(({ path, users }) => {
      const rest = users.length > mostShown ? ` and ${users.length - mostShown} more` : "";
      const least = findings.hasMoreImporters ? "At least " : "";
      const count =
        users.length === 1 && least === "" ? "Another file imports" : `${least}${users.length} other files import`;
      return `- ${count} ${coded(path)}: ${users.slice(0, mostShown).map(coded).join(", ")}${rest}`;
    });
  const own =
    ranking.rules.length === 0 || selection.isSmall
      ? []
      : [`- The project has rules of its own in ${ranking.rules.map(coded).join(", ")}.`];
  const notes = ranking.notes.map((note) => `- Not used: ${note}.`);
  return [...reached, ...own, ...notes];
}

export function questionsIn({ task, selection, findings, ranking, decisions }: Draft): readonly string[] {
  if (ranking.files.length === 0) return ["- Which language and layout should it have?"];
  const words = tellingWords(task);
  if (words.length === 0) return ["- The task names nothing that can be looked for: what is it about?"];
  const lines: string[] = [];
  const read = [...findings.texts].map(([path, text]) => `${path}\n${text.map((line) => line.text).join("\n")}`);
  const known = stemsIn([...read, ...findings.spots.map(({ name }) => name)].join("\n"));
  const strange = words
    .filter(
      (word) => /^[\u0000-\u024f]+$/.test(word) && !known.has(stem(word.toLowerCase())) && !known.has(joinName(word)),
    )
    .slice(0, 5);
  if (strange.length > 0 && read.length > 0) {
    const list = strange.map((word) => `“${word}”`).join(", ");
    lines.push(`- ${list}: in none of the files read. New here, or called otherwise?`);
  }
  if (selection.isVague && decisions.length === 0)
    lines.push("- Which part of the project is meant? Many files fit alike.");
  const whole = findings.spots.find(({ path, text }) => !isTest(path) && hasAll(task)(text));
  if (words.length > 2 && whole !== undefined && !isRepair(task))
    lines.push(
      `- ${coded(whole.name)} in ${coded(`${whole.path}:${whole.line}`)} speaks of all of this already. Is some of it there?`,
    );
  if (selection.isSmall) return lines;
  const near = selection.near.filter(({ score }) => score >= 0.2).slice(0, 4);
  if (near.length > 0)
    lines.push(`- Left out, but near: ${near.map(({ path }) => coded(path)).join(", ")}. Is one of them part of it?`);
  const areas = new Set(selection.change.map(({ path }) => areaOf(path)).filter((area) => area !== ""));
  if (areas.size > 3)
    lines.push("- The files lie in many parts of the project: should the change go in smaller pieces?");
  return lines;
}
