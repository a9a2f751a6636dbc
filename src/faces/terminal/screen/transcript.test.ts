import { expect, test } from "vitest";
import type { Happening } from "../../../agent/ports/handle.ts";
import type { ModelDelta } from "../../../agent/ports/model.ts";
import { callShower } from "../../../agent/tools/show.ts";
import type { Event } from "../../../core/event.ts";
import { reduce } from "../../../core/reduce.ts";
import { planning, said, started } from "../../../testing/core-fixtures.ts";
import type { Item } from "./items.ts";
import { cutBlocks } from "./text-blocks.ts";
import { emptyTranscript, hear, pastOf, type Transcript } from "./transcript.ts";

const words = { denial: (): string => "because", call: callShower([], "/repo") };

function heard(happenings: readonly Happening[], from: Transcript = emptyTranscript): readonly Item[] {
  return happenings.reduce((sum, happening) => hear(sum, happening, words), from).items;
}

function delta(change: ModelDelta): Happening {
  return { kind: "delta", request: 1, delta: change };
}

function events(session: ReturnType<typeof started>, ...list: readonly Event[]): readonly Happening[] {
  let now = session;
  return list.map((event) => {
    const before = now;
    const step = reduce(before, event);
    now = step.session;
    return { kind: "event", event, before, session: now, effects: step.effects };
  });
}

test("a streamed answer is cut into blocks that are finished, and said once", () => {
  const text = "First.\n\n- one\n- two\n\nSecond.\n";
  const stream = ["First.\n\n- o", "ne\n- two\n\nSec", "ond.\n"].map((part) => delta({ type: "text", text: part }));
  const reply: Event = { type: "model-replied", request: 1, content: [{ type: "text", text }], calls: [] };
  const [asked, replied] = events(started(), said("hi"), reply);
  expect(heard([asked!, ...stream, replied!])).toEqual([
    { kind: "user", text: "hi" },
    { kind: "text", text: "First.\n\n- one\n- two\n\n", open: false },
    { kind: "text", text: "Second.\n", open: false },
  ]);
});

test("an answer that was not streamed, or begins anew, is whole", () => {
  const reply: Event = { type: "model-replied", request: 1, content: [{ type: "text", text: "Whole." }], calls: [] };
  const [asked, replied] = events(started(), said("hi"), reply);
  expect(heard([asked!, replied!])).toEqual([
    { kind: "user", text: "hi" },
    { kind: "text", text: "Whole.", open: false },
  ]);
  expect(heard([asked!, delta({ type: "text", text: "Wh" }), delta({ type: "restarted" }), replied!])).toEqual([
    { kind: "user", text: "hi" },
    { kind: "text", text: "Wh", open: false },
    { kind: "notice", text: "the answer was cut off; it begins anew", tone: "plain" },
    { kind: "text", text: "Whole.", open: false },
  ]);
});

test("a call goes from waiting to what came of it, and a denial keeps its reason", () => {
  const call = { id: "c1", tool: "Edit", input: { file_path: "/repo/a" }, subjects: [] };
  const content = [{ type: "tool-call", id: "c1", tool: "Edit", input: call.input }] as const;
  const access = { kind: "write", path: "/repo/a", place: "project" } as const;
  const reply: Event = { type: "model-replied", request: 1, content, calls: [{ ...call, access }] };
  const happenings = events(planning(), said("hi"), reply);
  expect(heard(happenings).filter(({ kind }) => kind === "call")).toEqual([
    {
      kind: "call",
      id: "c1",
      shown: words.call("Edit", call.input),
      state: "denied",
      reason: "because",
      output: "",
      agent: null,
    },
  ]);
});

test("B2.6 an answer given elsewhere is told with who gave it", () => {
  const event: Event = {
    type: "review-decided",
    requestId: "r1",
    verdict: { kind: "save" },
    by: { user: "ada", surface: "browser" },
    at: 1,
  };
  const session = planning();
  expect(heard([{ kind: "event", event, before: session, session, effects: [] }])).toEqual([
    { kind: "notice", text: "ada answered elsewhere (browser): saved for later", tone: "plain" },
  ]);
});

test("a session that is resumed is shown as it was", () => {
  const reply: Event = { type: "model-replied", request: 1, content: [{ type: "text", text: "Hello." }], calls: [] };
  const last = events(started(), said("hi"), reply).at(-1)!;
  expect(last.kind === "event" && pastOf(last.session, words).items).toEqual([
    { kind: "user", text: "hi" },
    { kind: "text", text: "Hello.", open: false },
  ]);
});

test.each([
  ["a\n\nb\n", "a\n\n", "b\n"],
  ["a\n\nb", "", "a\n\nb"],
  ["```\na\n\nb\n", "", "```\na\n\nb\n"],
  ["```\na\n```\n\nb\n", "```\na\n```\n\n", "b\n"],
  ["- a\n\n- b\n", "", "- a\n\n- b\n"],
  ["- a\n\n  more\n", "", "- a\n\n  more\n"],
  ["1. a\n\n2. b\n\nend\n", "1. a\n\n2. b\n\n", "end\n"],
])("blocks of %j are cut where they surely end", (text, finished, rest) => {
  expect(cutBlocks(text)).toEqual({ finished, rest });
});

test("an answer without end is cut into pieces, and shown only as far as a screen is for", () => {
  const piece = `${"x".repeat(999)}\n`;
  const stream = Array.from({ length: 600 }, () => delta({ type: "text", text: piece }));
  const reply: Event = {
    type: "model-replied",
    request: 1,
    content: [{ type: "text", text: piece.repeat(600) }],
    calls: [],
  };
  const [asked, replied] = events(started(), said("hi"), reply);
  const shown = heard([asked!, ...stream, replied!]);
  const texts = shown.filter((item) => item.kind === "text");
  expect(Math.max(...texts.map(({ text }) => text.length))).toBeLessThanOrEqual(17_000);
  expect(texts.reduce((sum, { text }) => sum + text.length, 0)).toBe(401_000);
  expect(shown.at(-1)).toMatchObject({ kind: "notice", text: expect.stringContaining("too long for the screen") });
});
