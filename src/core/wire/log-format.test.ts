import { describe, expect, test } from "vitest";
import { approval, planning, play, reply, said, start, submission } from "../../testing/core-fixtures.ts";
import { decodeLine, decodeLog, encodeEntry, type LogProblem } from "./log-format.ts";
import type { Event } from "../event.ts";
import { replay } from "../reduce.ts";
import { freshSession } from "../session.ts";

const entry = (text: string) => ({ at: 5, event: said(text) });

describe("one line", () => {
  test("R14.5 an entry is one versioned line of JSON, whatever it holds", () => {
    const odd = entry('line\nbreak\r\u2028 "quotes" \\ \u0000 ü');
    const line = encodeEntry(odd);
    expect(line.includes("\n")).toBe(false);
    expect(JSON.parse(line)).toEqual({ v: 1, ...odd });
    expect(decodeLine(line)).toEqual({ entry: odd, problem: null });
  });

  test.each(["", '"at":"x",', '"at":null,'])("R14.5 a line whose time is not known (%j) keeps its event", (at) => {
    const line = `{"v":1,${at}"event":{"type":"user-said","text":"a"}}`;
    expect(decodeLine(line)).toEqual({ entry: { at: 0, event: said("a") }, problem: null });
  });

  test.each<[string, LogProblem]>([
    ["", "not-json"],
    ["{", "not-json"],
    ["null", "not-an-entry"],
    ["[]", "not-an-entry"],
    ["5", "not-an-entry"],
    ['{"v":1}', "not-an-entry"],
    ['{"v":2,"at":1,"event":{"type":"plan-left"}}', "newer-version"],
    ['{"v":"1","at":1,"event":{"type":"plan-left"}}', "newer-version"],
    ['{"v":1,"at":1,"event":{"type":"constructor"}}', "unknown-event"],
    ['{"v":1,"at":1,"event":{"type":"user-said","text":5}}', "malformed-event"],
    ['{"v":1,"at":1,"event":null}', "malformed-event"],
  ])("R14.5 the line %j is reported as %s", (line, problem) => {
    expect(decodeLine(line)).toEqual({ entry: null, problem });
  });
});

describe("a whole log", () => {
  test("R14.5 a broken or cut line loses nothing else", () => {
    const good = ["a", "b", "c"].map((text) => encodeEntry(entry(text)));
    const text = [good[0], '{"v":1,"at":1,"ev', good[1], "\u0000\u0000", good[2], good[0]!.slice(0, 20)].join("\n");
    expect(decodeLog(text)).toEqual({
      entries: [entry("a"), entry("b"), entry("c")],
      problems: [
        { line: 2, problem: "not-json" },
        { line: 4, problem: "not-json" },
        { line: 6, problem: "not-json" },
      ],
    });
  });

  test("R14.5 Windows line ends and blank lines are no problem", () => {
    expect(decodeLog(`${encodeEntry(entry("a"))}\r\n\n${encodeEntry(entry("b"))}\n`)).toEqual({
      entries: [entry("a"), entry("b")],
      problems: [],
    });
  });

  test("R1.5 R14.5 replaying a log that went through its lines gives the same state", () => {
    const first: readonly Event[] = [start(), { type: "mode-chosen", mode: "plan" }, said("Refactor auth")];
    const before = planning();
    const played = play(before, ...submission("# Plan"), ...approval({ mode: "acceptEdits", notes: "n" }), reply());
    const claim: Event = {
      type: "plan-claimed",
      slug: before.plan.slug!,
      file: before.plan.file!,
      origin: { branch: null, commit: null },
    };
    const text = [...first, claim, ...played.log].map((event) => encodeEntry({ at: 1, event })).join("\n");
    const events = decodeLog(text).entries.map(({ event }) => event);
    expect(replay(freshSession(), events)).toEqual(played.session);
  });
});
