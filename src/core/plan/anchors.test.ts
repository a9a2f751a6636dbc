import { describe, expect, test } from "vitest";
import type { Comment } from "../verdict.ts";
import { fateOf, placeComments } from "./anchors.ts";
import { mapLines } from "./line-map.ts";

const first = "# Round\n\nTotals are wrong by cents.\n\n- Round half up\n- Read the code\n- Tell people\n";

describe("a comment follows its lines", () => {
  test.each<[string, Comment, string, object]>([
    ["a line that is as it was", on(5), first, { from: 5, to: 5, anchor: "kept" }],
    ["a line further down", on(5), `New\n\n${first}`, { from: 7, to: 7, anchor: "moved" }],
    [
      "a line in other words",
      on(5),
      first.replace("half up", "half to even"),
      { from: 5, to: 5, anchor: "changed", was: "- Round half up", now: "- Round half to even" },
    ],
    [
      "a line in other words among other changes",
      on(5),
      first.replace("- Round half up\n- Read the code", "- Look\n- Round half to even\n- Measure"),
      { from: 6, to: 6, anchor: "changed", was: "- Round half up", now: "- Round half to even" },
    ],
    [
      "words of a line whose other words changed",
      on(3, "wrong"),
      first.replace("by cents", "by 0.01 €"),
      { from: 3, to: 3, anchor: "changed", was: "Totals are wrong by cents.", now: "Totals are wrong by 0.01 €." },
    ],
    [
      "a line that became several",
      on(6),
      first.replace("- Read the code", "- Ask Ada\n- Ask Bo"),
      { from: 6, to: 7, anchor: "changed", was: "- Read the code", now: "- Ask Ada\n- Ask Bo" },
    ],
    [
      "lines of which one went",
      on(5, "- Round half up\n- Read the code", 6),
      first.replace("- Read the code\n", ""),
      { from: 5, to: 5, anchor: "changed", was: "- Round half up\n- Read the code", now: "- Round half up" },
    ],
    ["a line that was taken out", on(6), first.replace("- Read the code\n", ""), { from: 6, to: 6, anchor: "gone" }],
    [
      "a line that went elsewhere",
      on(6),
      `- Read the code\n${first.replace("- Read the code\n", "")}`,
      { from: 1, to: 1, anchor: "moved" },
    ],
    ["a text that is another one", on(5), "Nothing.\n", { from: 5, to: 5, anchor: "gone" }],
  ])("B19.1 %s", (_, comment, text, expected) => {
    expect(placeComments([comment], text, first)).toEqual([{ ...comment, ...expected }]);
  });

  test("B19.1 over several rounds it tells of the words it was said of", () => {
    const second = first.replace("half up", "half to even");
    const [then] = placeComments([on(5)], second, first);
    const third = `Intro\n${second.replace("to even", "to odd")}`;
    expect(placeComments([then!], third, second)).toEqual([
      { ...on(5), from: 6, to: 6, anchor: "changed", was: "- Round half up", now: "- Round half to odd" },
    ]);
    expect(placeComments([then!], first, second)).toEqual([
      { ...on(5), from: 5, to: 5, anchor: "kept", was: "- Round half up" },
    ]);
  });

  test("B19.1 changed, answered, untouched or gone", () => {
    const question = { ...on(3), kind: "question" } as const;
    expect(fateOf({ ...question, anchor: "kept" }, false)).toBe("untouched");
    expect(fateOf({ ...question, anchor: "moved" }, true)).toBe("answered");
    expect(fateOf({ ...on(3), anchor: "kept" }, true)).toBe("untouched");
    expect(fateOf({ ...question, anchor: "changed" }, true)).toBe("changed");
    expect(fateOf({ ...question, anchor: "gone" }, true)).toBe("gone");
  });
});

describe("random plans, random edits", () => {
  test("B19.1 each comment is where its line went, tells its new words, or says truly that it is gone", () => {
    const random = seeded(11);
    const met = { kept: 0, moved: 0, changed: 0, gone: 0 };
    for (let round = 0; round < 400; round += 1) {
      const { before, after } = edits(random);
      const text = linesOf(after);
      for (const [index, line] of before.entries()) {
        if (line.text === "") continue;
        const [placed] = placeComments([on(index + 1, line.text)], text, linesOf(before));
        const place = after.findIndex(({ id }) => id === line.id);
        const [now] = place < 0 ? [] : [after[place]!.text];
        const shown = { anchor: placed!.anchor, from: placed!.from, now: placed!.now };
        if (place < 0) expect(shown.anchor === "gone" || shown.anchor === "changed").toBe(true);
        else if (now === line.text) {
          expect(shown).toEqual({ anchor: place === index ? "kept" : "moved", from: place + 1, now: undefined });
        } else expect(shown).toEqual({ anchor: "changed", from: place + 1, now });
        if (shown.anchor === "gone") expect(text.split("\n")).not.toContain(line.text);
        met[placed!.anchor] += 1;
      }
    }
    expect(Math.min(...Object.values(met))).toBeGreaterThan(100);
  });

  test("B19.1 lines stay in order, and each is mapped to one that reads the same", () => {
    const random = seeded(23);
    for (let round = 0; round < 400; round += 1) {
      const lines = (): string[] => Array.from({ length: random(14) }, () => "abc ".charAt(random(4)).trim());
      const [before, after] = [lines(), lines()];
      const { places, hunks } = mapLines(before, after);
      const kept = [...places.entries()].filter(([, place]) => place >= 0);
      expect(kept.map(([old]) => before[old])).toEqual(kept.map(([, place]) => after[place]));
      expect(kept.every(([, place], index) => index === 0 || kept[index - 1]![1] < place)).toBe(true);
      const lost = hunks.reduce((sum, { old }) => sum + old.to - old.from, 0);
      const came = hunks.reduce((sum, { now }) => sum + now.to - now.from, 0);
      expect([lost, came]).toEqual([before.length - kept.length, after.length - kept.length]);
    }
  });
});

interface Line {
  readonly id: number;
  readonly text: string;
}

/** Lines of their own words with blank ones between, then insertions, removals and rewordings, each line known by its number. */
function edits(random: (below: number) => number): {
  readonly before: readonly Line[];
  readonly after: readonly Line[];
} {
  let next = 0;
  const fresh = (): Line => {
    next += 1;
    return random(5) === 0
      ? { id: next, text: "" }
      : { id: next, text: `- step${next} alpha${next} beta${next} gamma${next}` };
  };
  const before = Array.from({ length: 4 + random(30) }, fresh);
  const after = before.flatMap((line): Line[] => {
    switch (random(8)) {
      case 0:
        return [];
      case 1:
        return [fresh(), line];
      case 2:
        return [line.text === "" ? line : { ...line, text: `${line.text} delta${line.id}` }];
      default:
        return [line];
    }
  });
  return { before, after };
}

function linesOf(lines: readonly Line[]): string {
  return lines.map(({ text }) => text).join("\n");
}

function seeded(start: number): (below: number) => number {
  let seed = start;
  return (below) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * below);
  };
}

function on(from: number, quote = first.split("\n")[from - 1]!, to = from): Comment {
  return { id: "c", kind: "change", from, to, quote, text: "t" };
}
