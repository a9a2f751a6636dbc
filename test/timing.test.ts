/** No test depends on how fast the machine is, nor on the names that chance gives: kept by reading the tests. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { actions, adjectives, nouns } from "../src/core/plan/words.ts";
import { longest } from "./support/long-first.ts";
import { filesBelow } from "./support/walk.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const tests = ["src", "test"]
  .flatMap((folder) => filesBelow(join(root, folder)).map((name) => `${folder}/${name}`))
  .filter((name) => name.endsWith(".test.ts") || (name.startsWith("test/") && name.endsWith(".ts")))
  .filter((name) => name !== "test/timing.test.ts")
  .map((name) => ({ name, text: readFileSync(join(root, name), "utf8") }));

/** Waiting is `until` of `test/support/until.ts`, `expect.poll`, or an event; work is measured by `test/support/cpu-time.ts`. */
test("no test measures how long something takes", () => {
  const clock = /performance\.now\(|\bhrtime\b|Date\.now\(\) *- *[a-z]|[a-z)] *- *Date\.now\(\)/;
  expectOnly(clock, {
    "test/support/until.ts": "the one patience that all have",
    "test/terminal/stage.ts": "the same, for a key that is pressed again",
    "test/browser-page/others.test.ts": "clicks of a page, by the page's own clock, which is the program's too",
    "test/oracle/oracle.ts": "the oracle by hand looks for so many seconds; in a test it is so many commands",
    "test/oracle/main.ts": "tells by hand how far it is",
  });
});

test("no test has a limit of its own", () => {
  const limit =
    /AbortSignal\.timeout|\bvi\.wait(For|Until)\(|[{,]\s*timeout: *[\d_]+ *[,}]|^\s*timeout: *[\d_]+,|^\}, *[\d_]+\);/m;
  expectOnly(limit, {
    "test/headless/harmless.test.ts": "an input of the Bash tool; whether a command ends in time is not asked",
    "test/headless/unasked.test.ts": "the same",
    "test/edges/tools.test.ts": "the same; nothing is run",
    "test/headless/hooks.test.ts": "a setting of a hook, which is shown or ends what would never end",
    "test/headless/hooks-in-use.test.ts": "the same; its hook ends long before",
  });
});

test("no test sleeps and then looks", () => {
  expectOnly(/\bsetTimeout\(|\bsetInterval\(|timers\/promises|waitForTimeout/, {
    "test/support/until.ts": "looks again and again",
    "test/terminal/stage.ts": "before a key is pressed, and pressed again where it came too soon",
    "test/terminal/pty.ts":
      "the one patience; and a screen is still when nothing came for a while: less than is there is not seen",
    "test/terminal/plans.test.ts": "two keys that the program is to read apart",
    "test/headless/driving.ts": "the one patience that all have",
    "test/headless/kill.test.ts": "kills at some moment: whichever it is, the same must hold",
    "test/library/rebuild.test.ts": "the same",
    "src/agent/store/log.test.ts": "the same",
    "test/team-mailbox/files-storm.test.ts": "the same; and a while in which nothing may come twice",
    "test/edges/files.test.ts": "writers that take turns by chance",
    "test/browser/race.ts": "the same",
    "test/edges/run-command.test.ts": "stops something at some moment: the same must come of it",
    "test/edges/web.test.ts": "the same",
    "test/models/misbehaviour.test.ts": "the same",
    "test/survive/kill.test.ts": "looks again and again",
    "test/survive/run.ts": "the same, with the one patience",
    "test/survive/model.ts": "the same",
    "test/clients/run-caged-end.test.ts": "inside of a command, so that it does not end by itself",
    "test/clients/strict-entry.test.ts": "inside of a program that is to hang",
    "test/editor/protocol.test.ts": "inside of a program that is to print all the time",
    "test/headless/driven.test.ts": "says it again and again, until it is heard",
    "test/library/places.test.ts": "the same",
    "test/team/stories.test.ts": "a slow keeper of the members",
    "test/team-mailbox/nats.test.ts": "a server is gone for a while",
    "test/team-mailbox/files.test.ts": "a lock is held for a while",
    "test/team-mailbox/conformance.ts": "a slow reader; a while in which nothing may come twice",
    "test/browser-page/stage.ts": "a slow model",
    "test/browser-page/others.test.ts": "clicks at one moment; a while in which nothing may come",
    "src/agent/agents/agent-limits.test.ts": "on a clock of its own",
    "src/agent/host/files/lock.test.ts": "gives way to others",
  });
});

/** "Text file busy": a fork of another test holds it open for a moment. */
test("a program that is run is not written by the process of the tests", () => {
  const program = /chmod(Sync)?\([^;]*0o7[57]5|writeFile(Sync)?\([^;]*mode: 0o7[57]5/;
  expectOnly(program, {
    "test/edges/cage-user.test.ts": "a folder, and what another process copied",
    "src/agent/watch/work-tree.test.ts": "another mode of a file is a change; nobody runs it",
    "test/undo/random.test.ts": "another mode of a file is a change; nobody runs it",
    "src/agent/host/config-home.test.ts": "a folder",
  });
});

test("the files that come first, since they take longest, are there", () => {
  expect(longest.filter((name) => tests.every((one) => one.name !== name))).toEqual([]);
});

/** What is printed may hold a plan's name, and one of three hundred plans is called after a sycamore. */
test("no test says that a word is missing which is part of a plan's name", () => {
  const names = [adjectives, actions, nouns].flat();
  const absent = /not\.to(?:Contain|Match)\((["`/])([a-z]+)\1|\b(?:includes|indexOf)\((["`])([a-z]{5,})\3/g;
  const found = tests.flatMap(({ name, text }) =>
    [...withoutComments(text).matchAll(absent)]
      .map((match) => match[2] ?? match[4]!)
      .filter((word) => names.some((one) => one.includes(word)))
      .map((word) => `${name}: ${word}`),
  );
  expect(found).toEqual(["test/edges/scout-trust.test.ts: mark"]);
});

/** Each that is named has a reason, and each that has one is found. */
function expectOnly(pattern: RegExp, allowed: Readonly<Record<string, string>>): void {
  const found = tests.filter(({ text }) => pattern.test(withoutComments(text))).map(({ name }) => name);
  expect(found.toSorted()).toEqual(Object.keys(allowed).toSorted());
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, "");
}
