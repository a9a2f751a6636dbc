/** Random sessions: a world that answers, a person who interferes, and everything that can come late, twice or wrong. */
import type { Call } from "../../src/core/decide/access.ts";
import type { Effect } from "../../src/core/effect.ts";
import type { Event } from "../../src/core/event.ts";
import type { HooksAnswer } from "../../src/core/hooks.ts";
import type { Mode, WorkingMode } from "../../src/core/mode.ts";
import { reduce } from "../../src/core/reduce.ts";
import type { ReviewRequest } from "../../src/core/plan/review.ts";
import type { Verdict } from "../../src/core/verdict.ts";
import { hookNames } from "../../src/core/settings/hook-names.ts";
import { freshSession, type PlanSettings, type Session } from "../../src/core/session.ts";
import { createChecks } from "./checks.ts";
import { planFolder, randomCall } from "./calls.ts";
import { createChance, type Chance } from "./random.ts";
import { goesBack } from "./rewinds.ts";

const modes: readonly Mode[] = ["default", "acceptEdits", "plan", "auto", "bypassPermissions"];
const rulePool = [
  "Bash",
  "Edit",
  "Write",
  "Read",
  "mcp__s__t",
  "Agent",
  "WebFetch",
  "Bash(rm:*)",
  "Edit(src/**)",
  "ExitPlanMode",
];
const somebody = { user: "ada", surface: "terminal" };

/** Runs one session of `steps` events; returns what broke, or null. */
export function runRandomSession(seed: number, steps: number): string | null {
  const chance = createChance(seed);
  const world = createWorld(chance);
  const checks = createChecks();
  let session = freshSession();
  const log: Event[] = [];
  for (let at = 0; at < steps; at += 1) {
    const event = at === 0 ? started(chance) : world.next(session);
    const before = session;
    let effects: readonly Effect[];
    try {
      ({ session, effects } = reduce(before, event));
    } catch (error) {
      return `seed ${seed} step ${at}: reduce threw on ${event.type}: ${error instanceof Error ? error.stack : String(error)}`;
    }
    if (effects.some(({ type }) => type === "refuse")) {
      if (session !== before)
        return `seed ${seed} step ${at}: a refused event changed the session: ${JSON.stringify(event)} ${JSON.stringify(effects)}`;
      const untold = checks.refused(event, effects);
      if (untold !== null) return `seed ${seed} step ${at} (${JSON.stringify(event).slice(0, 300)}): ${untold}`;
      continue;
    }
    log.push(event);
    world.take(effects);
    const problem = checks.after({ before, event, session, effects, log });
    if (problem !== null) return `seed ${seed} step ${at} (${JSON.stringify(event).slice(0, 300)}): ${problem}`;
  }
  const problem = checks.atEnd(session, log);
  return problem === null ? null : `seed ${seed} at the end: ${problem}`;
}

interface World {
  next(session: Session): Event;
  take(effects: readonly Effect[]): void;
}

function createWorld(chance: Chance): World {
  const pending: Effect[] = [];
  const answered: Event[] = [];
  const planned: Event[] = [];
  const claims: string[] = [];
  let ids = 0;
  const draft = () => chance.pick(["# Plan A\n`src/a.ts`", "# Plan B\n1. do", "  \n", "# Plan C"]);
  let disk: string | null = null;

  const answer = (effect: Effect, session: Session): Event | null => {
    switch (effect.type) {
      case "call-model": {
        if (chance.chance(0.1)) {
          const contextFull = chance.chance(0.3);
          return { type: "model-failed", request: effect.request, error: "overloaded", contextFull };
        }
        const calls = Array.from({ length: chance.int(4) }, () =>
          randomCall(chance, `c${(ids += 1)}`, session.plan.file ?? session.plan.approved?.file ?? null),
        );
        const usage = { inputTokens: 30, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 };
        return { type: "model-replied", request: effect.request, content: [{ type: "text", text: "…" }], calls, usage };
      }
      case "run-tool":
        if (effect.call.access?.kind === "write" && chance.chance(0.8)) disk = draft();
        return { type: "tool-finished", callId: effect.call.id, output: "done", isError: chance.chance(0.1) };
      case "run-hooks":
        return { type: "hooks-answered", id: effect.id, answer: hooksAnswer(chance), ...rewritten(effect, session) };
      case "ask-permission": {
        if (chance.chance(0.15)) return { type: "hooks-answered", id: effect.questionId, answer: hooksAnswer(chance) };
        const remember = chance.chance(0.3) ? { remember: chance.pick(rulePool) } : {};
        const by = chance.chance(0.8) ? somebody : null;
        const allowed = chance.chance(0.7);
        const forSession = chance.chance(0.3) ? { forSession: [chance.pick(rulePool), chance.pick(rulePool)] } : {};
        const stop = !allowed && chance.chance(0.3) ? { stop: true as const } : {};
        return {
          type: "permission-answered",
          questionId: effect.questionId,
          allowed,
          by,
          ...remember,
          ...forSession,
          ...stop,
        };
      }
      case "ask-questions": {
        const status = chance.pick(["declined", "dismissed", "not-shown"] as const);
        const answer = chance.chance(0.6) ? ({ status: "answered", answers: { "Which?": "a" } } as const) : { status };
        const by = answer.status === "not-shown" ? null : chance.pick([somebody, { user: "grace", surface: "page" }]);
        const stop = answer.status === "dismissed" && chance.chance(0.5) ? { stop: true as const } : {};
        return { type: "question-answered", questionId: effect.asked.id, answer, by, ...stop };
      }
      case "classify": {
        const verdict = chance.pick(["allow", "deny", "unsure"] as const);
        return { type: "classifier-answered", questionId: effect.questionId, answer: verdict, reason: "looks so" };
      }
      case "claim-plan": {
        if (chance.chance(0.1)) return { type: "plan-claim-failed", error: "disk full" };
        const slug = claims.length > 0 && chance.chance(0.25) ? chance.pick(claims) : `plan-${(ids += 1)}`;
        claims.push(slug);
        return { type: "plan-claimed", slug, file: `${planFolder}/${slug}.md`, origin: { branch: null, commit: null } };
      }
      case "read-plan":
        if (chance.chance(0.15)) disk = draft();
        return { type: "plan-read", callId: effect.callId, text: chance.chance(0.1) ? null : disk, at: 1 };
      case "write-plan":
        if (chance.chance(0.1)) return { type: "plan-written", callId: effect.callId, error: "disk full" };
        disk = effect.text;
        return { type: "plan-written", callId: effect.callId };
      case "request-review":
        return {
          type: "review-decided",
          requestId: chance.chance(0.05) ? "somebody-else" : effect.request.id,
          verdict: verdictOn(effect.request),
          by: somebody,
          at: 2,
        };
      case "submit-plan": {
        const requestId = chance.chance(0.3) ? "somebody-else" : effect.request.id;
        return { type: "lead-answered", requestId, verdict: verdictOn(effect.request), by: somebody, at: 2 };
      }
      case "compact-context":
        if (chance.chance(0.3)) return { type: "compaction-failed", error: "overloaded" };
        return { type: "context-compacted", summary: "so far; the user approved everything", plan: disk };
      case "close-questions":
      case "withdraw-question":
      case "reoffer-review":
      case "close-review":
      case "start-linked-session":
      case "save-rule":
      case "stop":
      case "notify":
      case "refuse":
        return null;
    }
  };

  /** A hook puts another input in place of the call's, which then touches something else. */
  const rewritten = ({ occasion }: Extract<Effect, { type: "run-hooks" }>, session: Session): { call?: Call } => {
    if (!("callId" in occasion) || chance.chance(0.7)) return {};
    const before = session.turn.open.find(({ call }) => call.id === occasion.callId)?.call;
    const { hook: _, ...other } = randomCall(chance, occasion.callId, session.plan.file);
    return before === undefined ? {} : { call: { ...other, tool: before.tool } };
  };

  const verdictOn = (request: ReviewRequest): Verdict => {
    const kind = chance.pick([
      "approve",
      "approve",
      "approve",
      "revise",
      "revise",
      "save",
      "abandon",
      "dismiss",
    ] as const);
    const plan = chance.pick([undefined, undefined, "# Edited", " "]);
    const edited = plan === undefined ? {} : { plan };
    if (kind === "revise") return { kind, feedback: chance.pick(["no", ""]), ...edited };
    if (kind !== "approve") return { kind };
    const mode = chance.pick([undefined, "default", "acceptEdits", "auto", "bypassPermissions"] as const);
    return {
      kind,
      hash: chance.chance(0.85) ? request.hash : "0".repeat(64),
      ...(mode === undefined ? {} : { mode }),
      ...edited,
      ...(chance.chance(0.1) ? { fresh: true } : {}),
    };
  };

  return {
    take: (effects) => void pending.push(...effects),
    next(session) {
      const next = planned.shift();
      if (next !== undefined) return next;
      if (chance.chance(0.01)) return { type: "session-allowed", rules: [chance.pick(rulePool)], by: somebody };
      if (chance.chance(0.02)) {
        planned.push({ type: "session-resumed", plan: session.plan.text });
        return { type: "rules-changed", rules: { allow: [], ask: [], deny: [...rulePool] } };
      }
      const roll = chance.next();
      if (roll < 0.65 && pending.length > 0) {
        const index = chance.chance(0.7)
          ? pending.length - 1 - chance.int(Math.min(4, pending.length))
          : chance.int(pending.length);
        const [effect] = pending.splice(index, 1);
        const event = answer(effect!, session);
        if (event !== null) {
          answered.push(event);
          return event;
        }
      }
      if (roll < 0.72 && answered.length > 0) return chance.pick(answered.slice(-20));
      return interfere(chance, session, draft);
    },
  };
}

/** What a person, the settings, a crash or a stranger does in between. */
function interfere(chance: Chance, session: Session, draft: () => string): Event {
  const kind = chance.int(28);
  if (kind < 7) return { type: "user-said", text: "go on" };
  if (kind < 10) return { type: "mode-chosen", mode: chance.chance(0.5) ? "plan" : chance.pick(modes) };
  if (kind < 11) return { type: "mode-cycled" };
  if (kind < 12) return { type: "plan-left" };
  if (kind < 13) return { type: "turn-cancelled" };
  if (kind < 14) return { type: "settings-changed", settings: randomSettings(chance), autoOptedIn: chance.chance(0.7) };
  if (kind < 15) return { type: "auto-gate-changed", open: chance.chance(0.5) };
  if (kind < 16) return { type: "rules-changed", rules: randomRules(chance) };
  if (kind < 17) return { type: "parent-mode-changed", mode: chance.pick(modes) };
  if (kind < 18) return { type: "session-resumed", plan: session.plan.text };
  if (kind < 19 && chance.chance(0.5)) return { type: "compaction-requested", why: chance.pick(["asked", "near"]) };
  if (kind < 19) return { type: "context-compacted", summary: "so far; the user approved everything", plan: null };
  if (kind < 20) return { type: "plan-saved", text: draft(), by: chance.pick(["model", "person"]), at: 3 };
  if (kind < 21 && chance.chance(0.4)) {
    const comment = { id: "c", kind: "question", from: 1, to: 1, quote: "Plan", text: "Why?" } as const;
    return { type: "plan-commented", file: session.plan.file ?? "/elsewhere.md", comments: [comment], resolved: [] };
  }
  if (kind < 21) return chance.chance(0.3) ? { type: "context-cleared" } : { type: "todos-written", todos: [] };
  if (kind < 22) return garbage(chance);
  if (kind < 23) return { type: "session-resumed", plan: session.plan.text };
  if (kind < 24) return { type: "rules-changed", rules: randomRules(chance) };
  if (kind >= 26) return goesBack(chance, session);
  const open = session.turn.open.length === 0 ? "c1" : chance.pick(session.turn.open).call.id;
  return { type: "tool-finished", callId: open, output: "early", isError: false };
}

function garbage(chance: Chance): Event {
  const values: readonly unknown[] = [
    null,
    42,
    [],
    {},
    { type: "constructor" },
    { type: "plan-approved" },
    { type: "mode-chosen", mode: "root" },
    { type: "model-replied", request: 1, content: [], calls: [null] },
    {
      type: "model-replied",
      request: 1,
      content: [],
      calls: [{ id: "x", tool: "y", access: { kind: "anything" }, subjects: [] }],
    },
    { type: "review-decided", requestId: "x", verdict: { kind: "approve" }, by: somebody, at: 0 },
    { type: "permission-answered", questionId: "q1", allowed: "yes" },
  ];
  return chance.pick(values) as Event;
}

function started(chance: Chance): Event {
  const actor = chance.pick([
    { kind: "main" } as const,
    { kind: "main" } as const,
    { kind: "main" } as const,
    { kind: "subagent", id: "a1", ownPlan: true, parent: "default" } as const,
    { kind: "subagent", id: "a2", ownPlan: false, parent: "plan" } as const,
    { kind: "teammate", name: "t", team: "default", planRequired: chance.chance(0.5) } as const,
    { kind: "teammate", name: "i", team: "default", planRequired: true, parent: chance.pick(modes) } as const,
  ]);
  const returnTo: WorkingMode = chance.pick(["default", "acceptEdits", "bypassPermissions"]);
  return {
    type: "session-started",
    id: "s",
    at: 0,
    actor,
    roots: { project: "/repo", home: "/home/ada" },
    mode: actor.kind === "subagent" ? "plan" : chance.pick(modes),
    returnTo,
    bypassAvailable: chance.chance(0.6) || returnTo === "bypassPermissions",
    reviewable: chance.chance(0.9),
    rules: randomRules(chance),
    runners: ["Bash", "Agent"],
    settings: randomSettings(chance),
    auto: { optedIn: chance.chance(0.7), gateOpen: chance.chance(0.7) },
    ...(actor.kind === "subagent" ? { plan: { slug: "p-agent-a1", file: `${planFolder}/p-agent-a1.md` } } : {}),
  };
}

function hooksAnswer(chance: Chance): HooksAnswer {
  const said = {
    reason: "hook",
    context: chance.chance(0.2) ? ["known"] : [],
    told: chance.chance(0.2) ? ["told"] : [],
  };
  const stop = chance.chance(0.05) ? { stop: "enough" } : {};
  return { answer: chance.pick(["allow", "deny", "ask", "none", "none"]), ...said, ...stop };
}

function randomRules(chance: Chance): { allow: string[]; ask: string[]; deny: string[] } {
  if (chance.chance(0.3)) return { allow: [...rulePool], ask: [], deny: [] };
  return {
    allow: chance.some(rulePool),
    ask: chance.some(rulePool),
    deny: chance.chance(0.5) ? [] : chance.some(rulePool),
  };
}

function randomSettings(chance: Chance): PlanSettings {
  return {
    planNetwork: chance.pick(["ask", "readers", "off"]),
    modelMayEnterPlan: chance.pick(["never", "ask", "allow"]),
    useAutoModeDuringPlan: chance.chance(0.5),
    cycleModes: chance.chance(0.2) ? ["default", "plan"] : null,
    planTemplate: chance.chance(0.1) ? "# Plan A" : null,
    maxPlanningTokens: chance.chance(0.3) ? 100 : null,
    planScope: chance.pick(["off", "warn", "ask"]),
    ...(chance.chance(0.4) ? { hooks: chance.some(hookNames) } : { hooks: [] }),
  };
}
