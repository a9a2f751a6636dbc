/** Listing sessions by their logs. */
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { realFolder } from "../../../test/support/folder.ts";
import type { Event, SessionStarted } from "../../core/event.ts";
import { encodeEntry } from "../../core/wire/log-format.ts";
import { freshSession } from "../../core/session.ts";
import { listSessions } from "./session-list.ts";

const started: SessionStarted = {
  type: "session-started",
  id: "s",
  at: 10,
  actor: { kind: "main" },
  roots: { project: "/p", home: "/h" },
  mode: "default",
  bypassAvailable: false,
  reviewable: true,
  rules: { allow: [], ask: [], deny: [] },
  runners: [],
  settings: freshSession().settings,
  auto: { optedIn: false, gateOpen: false },
};

function text(...events: Event[]): string {
  return events.map((event, index) => `${encodeEntry({ at: 10 + index, event })}\n`).join("");
}

test("R14.5 sessions are listed newest first with their first words and mode, damaged ones too", async () => {
  const folder = realFolder("-sessions");
  const put = async (id: string, content: string, at: number): Promise<void> => {
    await writeFile(join(folder, `${id}.jsonl`), content);
    await utimes(join(folder, `${id}.jsonl`), at, at);
  };
  const words = "please  add\n a login ".repeat(20);
  await put("old", text(started, { type: "user-said", text: words }), 100);
  await put("new", text(started, { type: "user-said", text: "hi" }, { type: "mode-chosen", mode: "plan" }), 300);
  await put("cut", `${text(started)}{"v":1,"at"`, 200);
  await put("newer", '{"v":9,"at":1,"event":{"type":"x"}}\n', 50);
  await put("empty", "", 40);
  await writeFile(join(folder, "new.jsonl.lock"), "");
  await mkdir(join(folder, "folder.jsonl"));

  const list = await listSessions(folder);
  expect(list.map(({ id, words, mode, startedAt, changedAt }) => ({ id, words, mode, startedAt, changedAt }))).toEqual([
    { id: "new", words: "hi", mode: "plan", startedAt: 10, changedAt: 300_000 },
    { id: "cut", words: "", mode: "default", startedAt: 10, changedAt: 200_000 },
    {
      id: "old",
      words: expect.stringMatching(/^please add a login .{60}…$/) as string,
      mode: "default",
      startedAt: 10,
      changedAt: 100_000,
    },
    { id: "newer", words: "", mode: null, startedAt: 50_000, changedAt: 50_000 },
    { id: "empty", words: "", mode: null, startedAt: 40_000, changedAt: 40_000 },
  ]);
  expect((await listSessions(folder, { limit: 1 })).map(({ id }) => id)).toEqual(["new"]);
});

test("a project without sessions has an empty list", async () => {
  expect(await listSessions(join(tmpdir(), "groundplan-missing", "nothing"))).toEqual([]);
});
