/** What is wrong with the config home that the environment names. */
import { isAbsolute, resolve } from "node:path";

/** A relative one would be another folder in each project, and inside of it. */
export function homeProblem(given = ""): string | null {
  if (given.trim() === "" || isAbsolute(given) || /^~(\/|$)/.test(given)) return null;
  return `GROUNDPLAN_HOME is ${JSON.stringify(given)}: give a full path (${resolve(given)}), or one that begins with ~/.`;
}
