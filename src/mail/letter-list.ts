/** Reading a list of letters from text that anybody may have written, or left half written: whole letters only, and all of them. */
import { isObject, parseJson } from "../core/wire/shape.ts";
import { idProblem, isMac, letterFields, type Letter } from "./mailbox.ts";

export interface LetterList {
  readonly letters: readonly Letter[];
  /** Something in the text was no letter. */
  readonly isBroken: boolean;
}

/** `idOf` names a letter that came without an id by its content. Of two letters with one id the first counts. */
export function readLetters(text: string, idOf: (content: string) => string): LetterList {
  const whole = parseJson(text);
  const isList = Array.isArray(whole);
  const entries: readonly unknown[] = isList ? whole : salvage(text);
  const letters = new Map<string, Letter>();
  let isBroken = !isList;
  for (const entry of entries) {
    const letter = asLetter(entry, idOf);
    if (letter === null) isBroken = true;
    else if (!letters.has(letter.id)) letters.set(letter.id, letter);
  }
  return { letters: [...letters.values()], isBroken };
}

function asLetter(entry: unknown, idOf: (content: string) => string): Letter | null {
  if (!isObject(entry)) return null;
  const { from, text, timestamp, id, mac } = entry;
  if (typeof from !== "string" || typeof text !== "string" || typeof timestamp !== "string") return null;
  if (id !== undefined && (typeof id !== "string" || idProblem(id) !== null)) return null;
  if (mac !== undefined && !isMac(mac)) return null;
  const seal = mac === undefined ? {} : { mac };
  return letterFields({ from, text, timestamp, id: id ?? idOf(JSON.stringify([from, timestamp, text])), ...seal });
}

/** Every object that stands whole in the text; those within another one belong to it. */
function salvage(text: string): readonly unknown[] {
  const found: unknown[] = [];
  let budget = 20 * text.length;
  for (let start = text.indexOf("{"); start !== -1 && budget > 0;) {
    const end = endOfObject(text, start);
    budget -= (end ?? text.length) - start;
    const value = end === null ? undefined : parseJson(text.slice(start, end));
    if (value !== undefined) found.push(value);
    start = text.indexOf("{", value === undefined || end === null ? start + 1 : end);
  }
  return found;
}

/** Behind the bracket that closes the one at `start`; null when none does. */
function endOfObject(text: string, start: number): number | null {
  let depth = 0;
  let isString = false;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (isString) {
      if (sign === "\\") at += 1;
      else if (sign === '"') isString = false;
    } else if (sign === '"') isString = true;
    else if (sign === "{") depth += 1;
    else if (sign === "}") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}
