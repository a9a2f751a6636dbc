import { expect, test } from "vitest";
import { helpText } from "./help.ts";
import { chooseKeys } from "../keys/keys.ts";

test("every line of the help fits beside its column at 80 columns, and a key that is bound anew is named", () => {
  const lines = helpText(chooseKeys({ cycleMode: "f2" }).keys).split("\n");
  expect(lines.filter((line) => line.length > 78)).toEqual([]);
  expect(lines.filter((line) => / {2}/.test(line) && !/^\S.{26} \S/.test(line))).toEqual([]);
  expect(lines).toContain(`${"f2".padEnd(27)} next mode`);
  expect(lines).toContain(`${"alt+enter, ctrl+j".padEnd(27)} new line`);
});
