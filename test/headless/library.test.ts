/** The same enforcement through the library: real files and the real shell, no program in between. */
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { items } from "../../src/core/chain.ts";
import { freshSession } from "../../src/core/session.ts";
import {
  createFiles,
  createGuardedShell,
  createSearch,
  createWeb,
  nobody,
  shellPort,
  startAgent,
} from "../../src/node.ts";
import { loadPrompts, type Event } from "../../src/index.ts";
import { scriptedModel } from "../../src/testing/index.ts";
import { createTools } from "../../src/tools.ts";
import { denied, files, unproven } from "./attempts.ts";
import { setStage, treeHashes } from "./program.ts";
import { remove } from "../support/remove.ts";

const everything = ["Bash", "Write", "Edit", "NotebookEdit", "Read", "Agent", "mcp__files", "ReadOnlyHelper"];

test.each([
  ["no rules", { allow: [], returnTo: "default" }],
  ["allow-all rules", { allow: everything, returnTo: "acceptEdits" }],
  ["bypass on", { allow: everything, returnTo: "bypassPermissions" }],
] as const)(
  "B1.1 B1.2 R5.1 through the library with %s no file but the plan changes",
  async (_, { allow, returnTo }) => {
    const stage = await setStage({ script: () => ({ text: "unused" }), files });
    const plans = realpathSync(mkdtempSync(join(tmpdir(), "groundplan-plans-")));
    const shell = createGuardedShell({
      projectRoot: stage.repository,
      directories: [],
      plansDirectory: plans,
      settings: { sandbox: "auto" },
      environment: process.env,
    });
    try {
      const log: Event[] = [];
      const session = await startAgent(
        {
          host: {
            files: createFiles(),
            search: createSearch(),
            shell: shellPort(shell, { mayReach: false }),
            web: createWeb(),
            clock: { now: Date.now, random: Math.random },
            person: nobody(),
            prompts: loadPrompts(),
            style: { workflow: "phases", planLength: "full", exploreAgents: 3, planAgents: 1 },
            planNames: "words",
            plansDirectory: plans,
            directory: stage.repository,
            roots: [stage.repository],
            origin: async () => ({ branch: null, commit: null }),
            report: () => undefined,
          },
          log: { append: async ({ event }) => void log.push(event) },
          tools: createTools({ modelMayEnterPlan: "ask", planEagerness: "eager" }),
          model: { model: scriptedModel({ calls: denied }, { calls: unproven }, "Nothing worked."), name: "scripted" },
        },
        {
          start: {
            type: "session-started",
            id: "library",
            at: 0,
            actor: { kind: "main" },
            roots: { project: stage.repository, home: tmpdir() },
            mode: "plan",
            returnTo,
            bypassAvailable: returnTo === "bypassPermissions",
            reviewable: true,
            rules: { allow, ask: [], deny: [] },
            runners: ["Bash", "Agent"],
            settings: freshSession().settings,
            auto: { optedIn: false, gateOpen: false },
          },
        },
      );
      const before = treeHashes(stage.repository);
      await session.send({ type: "user-said", text: "change everything" });
      await session.settled();
      expect(treeHashes(stage.repository)).toEqual(before);
      const results = items(session.state.transcript).flatMap((entry) =>
        entry.kind === "result" ? [entry.outcome.kind] : [],
      );
      expect(results).toHaveLength(denied.length + unproven.length);
      expect(results.slice(0, denied.length)).toEqual(denied.map(() => "denied"));
      expect(session.state.permissions.mode).toEqual({ current: "plan", returnTo });
    } finally {
      shell.close();
      await stage.close();
      remove(plans);
    }
  },
);
