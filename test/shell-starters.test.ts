/** Rules on programs against the guard: what may start a forbidden program is refused or asked about, what cannot is not (B1.14). */
import { describe, expect, test } from "vitest";
import { matchRules } from "../src/core/decide/rules.ts";
import { formsOf, verdict, type ShellVerdict } from "../src/shell/index.ts";
import { startsCurl, startsNothing } from "./support/starters.ts";

const judge = (command: string): ShellVerdict =>
  verdict(command, { platform: "linux", directory: "/p", home: "/home/u", projectTools: [] });

describe("a rule on a program holds for whatever may start it", () => {
  const book = { allow: ["Bash"], ask: [], deny: ["Bash(curl:*)"], stripped: false, runners: [] };
  const match = (command: string) => {
    const { parts, commands, opaque, starts, canonical } = judge(command);
    const forms = commands.flatMap(formsOf);
    const subject = { rule: "Bash", parts, forms, opaque: opaque || canonical === null, starts };
    const { denied, unseen } = matchRules(book, [subject], { project: "/p", home: "/home/u" });
    return denied ?? unseen;
  };

  test.each(startsCurl)("B1.14 %s", (command) => expect(match(command)).toBe("Bash(curl:*)"));

  test.each(startsNothing)("%s starts nothing that the rule names", (command) => expect(match(command)).toBe(null));
});
