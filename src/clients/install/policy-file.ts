/** Where Gemini's policy of ours lies, and whether it does: its mode is known to its policies alone. */
import { dirname, join } from "node:path";
import { textAt } from "../../agent/host/files/read-regular.ts";
import { policyMark } from "../gemini-marks.ts";
import { placeOf, type PersonalHome } from "./places.ts";

export function policyFile(person: PersonalHome): string {
  return join(dirname(placeOf("gemini").userFile(person)), "policies/groundplan.toml");
}

/** A sentence, or null where it is there. */
export function policyProblem(person: PersonalHome): string | null {
  const file = policyFile(person);
  if (textAt(file, { limit: 4_000_000 })?.includes(policyMark) === true) return null;
  return `${file} is not there, or not ours: groundplan install gemini writes it.`;
}
