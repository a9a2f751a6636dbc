/** Which rules a settings file may hold. */
import { describe, expect, test } from "vitest";
import { settingsShape } from "./shape.ts";
import { cpuTime } from "../../../test/support/cpu-time.ts";

describe("the shape", () => {
  test.each(["Bash", "Bash(npm test)", "Bash(npm run:*)", "Edit(src/**)", "mcp__server__tool", "Bash(echo (a) )"])(
    "R17.1 %j is a rule",
    (rule) => {
      expect(settingsShape.safeParse({ permissions: { deny: [rule] } }).success).toBe(true);
    },
  );

  test.each(["", "Bash()", "Bash( )", "Bash(npm", "two words", "(x)"])(
    "R17.1 %j is not a rule: it would match nothing or everything",
    (rule) => {
      expect(settingsShape.safeParse({ permissions: { deny: [rule] } }).success).toBe(false);
    },
  );

  test("a long broken rule is refused at once", () => {
    const started = cpuTime();
    expect(settingsShape.safeParse({ permissions: { deny: [`Bash(${" a".repeat(200_000)}`] } }).success).toBe(false);
    expect(cpuTime() - started).toBeLessThan(10_000);
  });
});
