import { describe, expect, test } from "vitest";
import { hashText, isBlank } from "./hash.ts";
import { planFileName } from "./location.ts";
import { slugTries, taskSlug, withSuffix, wordsSlug } from "./slug.ts";
import { actions, adjectives, nouns } from "./words.ts";

const first = () => 0;

describe("words", () => {
  test("R3.2 three lists of distinct plain words have a product of at least 4 million", () => {
    for (const list of [adjectives, actions, nouns]) {
      expect(new Set(list).size).toBe(list.length);
      expect(list.filter((word) => !/^[a-z]+$/.test(word))).toEqual([]);
    }
    expect(adjectives.length * actions.length * nouns.length).toBeGreaterThanOrEqual(4_000_000);
  });

  test.each([0, 0.5, 0.999_999_999, 1])("R3.2 a slug is adjective, action, noun (random %s)", (number) => {
    const [adjective, action, noun, ...rest] = wordsSlug(() => number).split("-");
    expect([adjectives.includes(adjective!), actions.includes(action!), nouns.includes(noun!), rest]).toEqual([
      true,
      true,
      true,
      [],
    ]);
  });

  test("R3.3 there are ten tries, and then a suffix of eight letters that the name rules accept", () => {
    expect(slugTries).toBe(10);
    expect(withSuffix("calm-baking-otter", () => 0)).toBe("calm-baking-otter-00000000");
    expect(withSuffix("calm-baking-otter", () => 0.999_999_999_999_9)).toBe("calm-baking-otter-zzzzzzzz");
    expect(planFileName(withSuffix("calm-baking-otter", () => 0.3))).not.toBe(null);
  });
});

describe("task names", () => {
  test.each<[string, string]>([
    ["Add OAuth login", "2026-11-15-add-oauth-login-able"],
    ["please can you add a login to the page", "2026-11-15-add-login-page-able"],
    ["Añadir 登录 Ünïcode", "2026-11-15-añadir-登录-ünïcode-able"],
    ["../../etc/passwd", "2026-11-15-etc-passwd-able"],
    ["a\u202Eb\u0000c 🎉", "2026-11-15-b-c-able"],
    ["", "2026-11-15-plan-able"],
    ["!!! ???", "2026-11-15-plan-able"],
    ["one two three four five six seven eight", "2026-11-15-one-two-three-four-five-six-able"],
    ["x".repeat(500), "2026-11-15-plan-able"],
  ])("B5.2 the task %j is named %s", (task, slug) => {
    expect(taskSlug(task, "2026-11-15", first)).toBe(slug);
    expect(planFileName(slug)).toBe(`${slug}.md`);
  });

  test("B5.2 with every suffix a name stays below 255 bytes", () => {
    const slug = withSuffix(
      taskSlug("登录页面".repeat(12), "2026-11-15", () => 0.9),
      () => 0.5,
    );
    expect(Buffer.byteLength(planFileName(slug, "a".repeat(64))!)).toBeLessThan(256);
  });
});

describe("identity", () => {
  test("B2.1 a plan's hash is the SHA-256 of its UTF-8 bytes", () => {
    expect(hashText("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(hashText("é")).not.toBe(hashText("e\u0301"));
  });

  test.each<[string | null, boolean]>([
    [null, true],
    ["", true],
    [" \n\t\r", true],
    ["\u00a0\u3000", true],
    ["\u200b\u2060\ufeff", true],
    ["\u00ad\u202e", true],
    ["\u0000\u001b", true],
    ["x", false],
    [" .", false],
  ])("B2.3 %j is blank: %s", (text, blank) => {
    expect(isBlank(text)).toBe(blank);
  });
});
