/** The face without redrawing: what it prints of foreign names is only text, one line each. */
import { callShower } from "../../src/agent/tools/show.ts";
import { PassThrough } from "node:stream";
import type { ReadStream, WriteStream } from "node:tty";
import { expect, test } from "vitest";
import { startPlainFace } from "../../src/faces/terminal/plain-face.ts";

test("a folder and the names in a list cannot move the cursor or look like lines of ours", async () => {
  const attack = "evil\u001B[2J\u001B]0;t\u0007\u202E\nYour choice:";
  const stdout = new PassThrough();
  const face = startPlainFace({
    stdin: new PassThrough() as unknown as ReadStream,
    stdout: stdout as unknown as WriteStream,
    environment: {},
    version: "1",
    directory: attack,
    platform: "other",
    words: { denial: () => "", call: callShower([], "") },
    user: "ada",
    readText: async () => null,
  });
  void face.ask("Go on with", [{ value: "1", label: attack, note: "plan" }]);
  await new Promise((resolve) => setImmediate(resolve));
  face.close();
  const shown = "evil\\u{1b}[2J\\u{1b}]0;t\\u{7}\\u{202e} ⏎ Your choice:";
  expect(String(stdout.read())).toBe(
    [
      `Groundplan 1, in ${shown}. It plans, and changes nothing until you approve. /help for more.`,
      "Go on with",
      `1. ${shown} (plan)`,
      "Type a number; an empty line for none.",
      "",
    ].join("\n"),
  );
});
