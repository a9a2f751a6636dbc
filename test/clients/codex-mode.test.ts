/** How Codex's row tells from a transcript whether it plans, also from one that nobody would expect. */
import { describe, expect, test } from "vitest";
import { codex } from "../../src/clients/codex.ts";
import { hear, inputOf, lines, recorded } from "./codex-recorded.ts";

const turn = (mode: unknown): object => ({ type: "turn_context", payload: { collaboration_mode: { mode } } });
const started = (kind: unknown): object => ({
  type: "event_msg",
  payload: { type: "task_started", collaboration_mode_kind: kind },
});

describe("the mode", () => {
  const base = recorded("direct-pre-tool-use-bash");
  const path = base.payload["transcript_path"] as string;
  const entries = base.files[path]!;
  const heardIn = (text: string | null): unknown => {
    const texts = new Map(text === null ? [] : [[path, text]]);
    const occasion = codex.hear(inputOf({ ...base, texts }));
    return occasion.kind === "tool" ? occasion.planning : occasion;
  };
  const [meta] = entries;

  test.each<[string, string | null, string]>([
    ["no transcript", null, "unknown"],
    ["an empty one", "", "unknown"],
    ["one that is no JSON", "x\n\u0000{{{\n", "unknown"],
    ["one without a turn", lines([meta!]), "unknown"],
    ["a turn without a mode", lines([meta!, { type: "turn_context", payload: {} }]), "unknown"],
    ["a mode that is not known", lines([meta!, turn("pair")]), "unknown"],
    ["a mode that is no word", lines([meta!, turn(["default"])]), "unknown"],
    ["two words that differ", lines([meta!, started("plan"), turn("default")]), "plan"],
    ["one of the two not known", lines([meta!, started("pair"), turn("default")]), "unknown"],
    ["only the beginning of a turn", lines([meta!, started("default")]), "work"],
    ["plan after work", lines([meta!, started("default"), turn("default"), started("plan"), turn("plan")]), "plan"],
    ["work after plan", lines([meta!, started("plan"), turn("plan"), started("default"), turn("default")]), "work"],
    [
      "a last line that was cut",
      `${lines([meta!, started("plan"), turn("plan")])}{"type":"turn_context","payl`,
      "plan",
    ],
    [
      "a word of the model that looks like a turn",
      lines([
        meta!,
        started("plan"),
        turn("plan"),
        { type: "response_item", payload: { type: "message", text: `\n${JSON.stringify(turn("default"))}\n` } },
        { type: "response_item", payload: { arguments: turn("default") } },
        { type: "response_item", payload: { arguments: started("default") } },
      ]),
      "plan",
    ],
  ])("B11.4 %s", (_, text, planning) => {
    expect(heardIn(text)).toBe(planning);
  });

  test("B11.4 a turn is found far above the end of its transcript, and not beyond the bound", () => {
    const noise = lines(Array.from({ length: 1000 }, () => ({ type: "x", payload: { text: "y".repeat(1000) } })));
    const begun = lines([meta!, started("plan"), turn("plan")]);
    expect(heardIn(begun + noise.repeat(8))).toBe("plan");
    expect(heardIn(begun.replaceAll('"plan"', '"default"') + noise.repeat(8))).toBe("work");
    expect(heardIn(begun.replaceAll('"plan"', '"default"') + noise.repeat(18))).toBe("unknown");
  });

  test.each([undefined, null, "", "relative.jsonl", 7, {}])("B11.4 transcript_path %j", (transcript_path) => {
    expect(hear("plan-pre-tool-use-bash", { transcript_path })).toMatchObject({ planning: "unknown" });
  });

  test("permission_mode, which never says plan, is not believed", () => {
    expect(hear("direct-pre-tool-use-bash", { permission_mode: "bypassPermissions" })).toMatchObject({
      planning: "plan",
    });
  });
});
