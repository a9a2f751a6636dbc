/** What an allow rule covers, in words, for whoever is about to keep it (B18.2). */
import { isDangerous } from "./dangerous.ts";
import { commandPattern, parseRule, ruleProblem } from "./rules.ts";

export interface RulePreview {
  /** "every command that begins with `npm test`" */
  readonly words: string;
  /** Why it cannot be kept. */
  readonly problem: string | null;
  /** Whoever has it can run nearly anything. */
  readonly isWide: boolean;
}

export function previewRule(rule: string, runners: readonly string[]): RulePreview {
  const problem = rule.trim() === "" ? "there is no rule" : ruleProblem(rule, runners);
  return { words: wordsOf(rule, runners), problem, isWide: problem === null && isDangerous(rule, runners) };
}

function wordsOf(rule: string, runners: readonly string[]): string {
  const { name, pattern } = parseRule(rule);
  if (pattern === null || (pattern === "*" && runners.includes(name))) return `every use of ${name}`;
  if (runners.includes(name)) {
    const { words, isPrefix } = commandPattern(pattern);
    const text = `\`${words.join(" ")}\``;
    return isPrefix
      ? `every command that begins with ${text}, also beside commands that only read`
      : `the command ${text}, word for word, also beside commands that only read`;
  }
  if (pattern === "**") return "every file of this project that is not guarded";
  const below = /^([^*?[{]+)\/\*\*$/.exec(pattern)?.[1];
  if (below !== undefined) return `every file below ${below}/`;
  if (/\*|\?|\{/.test(pattern.replaceAll(/\[[*?[{]\]/g, ""))) return `every file that matches ${pattern}`;
  return `${pattern.replaceAll(/\[([*?[{])\]/g, "$1")} alone`;
}

/** As short as it can be said on a line of choices. */
export function shortRule(rule: string): string {
  const { name, pattern } = parseRule(rule);
  if (pattern === null) return name;
  const { words, isPrefix } = commandPattern(pattern);
  return isPrefix ? `${words.join(" ")} …` : pattern;
}
