/** What one session keeps for going back is bounded while it works: the oldest points go, the newest stay. */
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lockSession } from "../../src/agent/host/files/lock.ts";
import { sweepPoints } from "../../src/agent/undo/sweep.ts";
import { realFolder } from "../support/folder.ts";
import { openUndoStage, repositoryOf } from "./stage.ts";

test.each([true, false])(
  "B15.4 one session that writes a lot keeps within the bound, too: its oldest points go, the newest stay (git: %s)",
  async (git) => {
    const home = realFolder("sweep-own");
    const root = join(home, "work");
    mkdirSync(root);
    if (git) repositoryOf(root, { "a.bin": "a\n" });
    const folder = join(home, "sessions", "project");
    const stage = await openUndoStage(root, folder);
    for (const text of ["one", "two", "three", "four"]) {
      await stage.prompt(text);
      await stage.write("a.bin", () => writeFileSync(join(root, "a.bin"), randomBytes(100_000)));
      await stage.idle();
    }
    const { works } = stage.handle.state.undo;
    const own = { folder: join(folder, "s1.undo"), store: stage.store, works };
    const held = await lockSession(join(folder, "s1.jsonl.lock"));
    await sweepPoints(home, { now: Date.now(), days: 30, bytes: 450_000 }, own);
    expect(await stage.back({ to: "p1" })).toMatchObject({ kind: "done" });
    await sweepPoints(home, { now: Date.now(), days: 30, bytes: 250_000 }, own);
    await expect(stage.back({ to: "p2" })).rejects.toThrow("not kept any more");
    expect(await stage.back({ to: "p4" })).toMatchObject({ kind: "done", restored: ["a.bin"], failed: [] });
    expect(stage.store.written()).toBeGreaterThan(400_000);
    expect(stage.store.written()).toBe(0);
    if (held.kind === "held") await held.lock.release();
  },
);
