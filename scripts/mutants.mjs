// Shows that the invariants bite: breaks the core in one place at a time and reports whether random sessions notice.
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const sessions = process.argv[2] ?? "20000";

/**
 * [file in src/core, or in src where it begins with its room; what stands there, what the mutant says instead, what it breaks, "never ends" where it only shows by that]. Two
 * files, and two texts around `|||`, where two walls stand behind each other.
 */
const mutants = [
  [
    "decide/decide.ts",
    "const gated = planning ? gate(access, situation) : allow;",
    "const gated = allow;",
    "drop the plan gate",
  ],
  [
    "decide/decide.ts",
    'if (access === null) return deny("no-access");',
    "if (access === null) return allow;",
    "run a tool that declares nothing",
  ],
  ["decide/decide.ts", 'if (rules.denied !== null) return deny("rule", rules.denied);', "", "forget deny rules"],
  [
    "decide/decide.ts",
    "const gated = planning ? gate(access, situation) : allow;",
    'const gated = planning && call.hook?.answer !== "allow" ? gate(access, situation) : allow;',
    "let a hook open the gate",
  ],
  [
    "decide/decide.ts",
    "const gated = planning ? gate(access, situation) : allow;",
    'const gated = planning && workingModeOf(situation.permissions) !== "bypassPermissions" ? gate(access, situation) : allow;',
    "let bypass open the gate",
  ],
  [
    "decide/decide.ts",
    "const gated = planning ? gate(access, situation) : allow;",
    "const gated = planning && !matchRules(situation.permissions.rules, call.subjects, situation.roots).allowed ? gate(access, situation) : allow;",
    "let an allow rule open the gate",
  ],
  [
    "decide/gate.ts",
    "access.path === situation.planFile ? allow",
    "access.path.startsWith(situation.planFile ?? access.path) ? allow",
    "compare the plan path by prefix",
  ],
  [
    "decide/gate.ts",
    "access.path === situation.planFile ? allow",
    "access.path.toLowerCase() === situation.planFile?.toLowerCase() ? allow",
    "compare the plan path without case",
  ],
  [
    "decide/gate.ts",
    'return deny("plan-command-writes", reason, part);',
    'return access.sandboxed ? allow : deny("plan-command-writes", reason, part);',
    "run writing commands in the cage",
  ],
  ["decide/gate.ts", "if (access.sandboxed) return allow;", "return allow;", "run unproven commands without a cage"],
  [
    "decide/gate.ts",
    'return access.readOnly ? allow : deny("plan-spawn", access.agent);',
    "return allow;",
    "start agents that may change files",
  ],
  [
    "decide/gate.ts",
    'return isTrustedReader(access) ? allow : deny("plan-external", access.name);',
    "return allow;",
    "run foreign tools",
  ],
  [
    "decide/gate.ts",
    'return access.method === "GET" ? fetched(access, situation) : deny("plan-network", access.method);',
    "return fetched(access, situation);",
    "send POST requests",
  ],
  [
    "decide/access.ts",
    "(trusted && readOnlyHint && !destructiveHint)",
    "(trusted && readOnlyHint)",
    "ignore the destructive hint",
  ],
  [
    "decide/access.ts",
    "(trusted && readOnlyHint && !destructiveHint)",
    "(readOnlyHint && !destructiveHint)",
    "believe an untrusted server",
  ],
  [
    "transitions/answers.ts; transitions/today.ts",
    "const decision = decide(call, situationOf(session));\n  const isSame ||| return isKind && JSON.stringify(",
    'const decision = { kind: "ask" as const, question };\n  const isSame ||| return true || JSON.stringify(',
    "do not judge an answer again when it arrives",
  ],
  [
    "transitions/open-calls.ts",
    'if (state.kind === "asking" || state.kind === "classifying") {',
    'if (false as boolean && "questionId" in state) {',
    "keep old questions open across a mode change",
  ],
  [
    "transitions/open-calls.ts",
    "if (isPlanning(session.permissions)) return step(session);",
    "return step(session);",
    "keep a review open outside of plan mode",
  ],
  [
    "transitions/open-calls.ts",
    "const rest = session.turn.open.filter((other) => other !== open);",
    "const rest = session.turn.open;",
    "settle a call twice",
    "never ends",
  ],
  [
    "transitions/calls.ts",
    "if (first !== undefined) return first.call.id === call.id;",
    "",
    "judge a turn with EnterPlanMode in the old mode",
  ],
  [
    "transitions/calls.ts",
    'if (session.turn.thinking !== event.request) return refuse(session, event.type, "stale-request");',
    "",
    "take a late model reply",
  ],
  [
    "transitions/calls.ts",
    'if (open?.state.kind !== "running") {',
    "if (open === undefined) {",
    "take a result for a call that does not run",
  ],
  [
    "transitions/speak.ts",
    'if (turn.thinking !== null || turn.open.length > 0 || turn.compaction?.state === "running") return step(session);',
    "",
    "speak while the model speaks",
  ],
  [
    "transitions/speak.ts",
    'if (isPlanning(permissions) && plan.claim === "pending") return step(session);',
    "",
    "speak before the plan file is known",
  ],
  ["transitions/review.ts", 'if (verdict.hash !== request.hash) return "other-hash";', "", "approve another hash"],
  [
    "transitions/review.ts",
    "if (event.text === null || hashText(event.text) !== request.hash) {",
    "if (event.text === null) {",
    "approve although the file changed",
  ],
  [
    "transitions/review.ts",
    'if (state.kind !== "reviewing") return refuse(session, event.type, "already-answered", state.given.by);',
    "",
    "answer a review twice",
  ],
  [
    "transitions/review.ts",
    "if (problem !== null) return refuse(session, event.type, problem);",
    "",
    "drop the refusal of a verdict that does not count",
  ],
  [
    "transitions/review.ts",
    'if ("request" in state && state.request.id === requestId) return state;',
    'if ("request" in state) return state;',
    "take the answer to another revision",
  ],
  [
    "transitions/answers.ts",
    "state.kind === kind && state.questionId === questionId;",
    "state.kind === kind;",
    "take the answer to another question",
  ],
  [
    "transitions/answers.ts",
    'if (open === undefined) return refuseLate(session, event.type, { id, unknown: "unknown-question" });',
    "if (open === undefined) return step(session);",
    "drop the refusal of a late answer to questions",
  ],
  [
    "transitions/answers.ts",
    'const running = setState(session, call.id, { kind: "running", answer });',
    "const running = session;",
    "take a second answer to questions",
  ],
  [
    "transitions/answers.ts",
    'state.kind === "questioning" && state.asked.id === id',
    'state.kind === "questioning"',
    "take the answer to other questions",
  ],
  [
    "reduce.ts",
    'if (effect.type === "close-questions") return [{ id: effect.id, by: effect.by }];',
    "",
    "forget who answered questions",
  ],
  [
    "step.ts",
    'return refuse(session, event, by === null ? unknown : "already-answered", by);',
    "return refuse(session, event, unknown);",
    "keep who answered from a late answer",
  ],
  [
    "reduce.ts",
    'if (event.type === "permission-answered") closed.push({ id: event.questionId, by: event.by });',
    "",
    "forget who answered a permission",
  ],
  [
    "transitions/review.ts",
    'case "dismiss":\n      return step(',
    'case "dismiss":\n      return leaveUnapproved(session, session) ?? step(',
    "leave plan mode by Esc",
  ],
  [
    "transitions/review.ts",
    "plan: { ...emptyPlan, previous: file, approved }",
    "plan: { ...recorded.plan, previous: file, approved }",
    "keep writing into an approved plan",
  ],
  [
    "transitions/submission.ts",
    "if (text === null || isBlank(text)) return step(settle(session, callId, noPlan(session.plan.file)));\n  const missing",
    "if (text === null) return step(settle(session, callId, noPlan(session.plan.file)));\n  const missing",
    "present an empty plan",
  ],
  [
    "transitions/mode.ts",
    'withNotices(retrying, { reminders: 0, turnsSinceReminder: 0, budget: "within" })',
    "retrying",
    "forget to remind on re-entry",
  ],
  [
    "transitions/turn.ts",
    "open.reduce((now, { call, state }) => settle(now, call.id, left(state)), session)",
    "withTurn(session, { open: [] })",
    "drop open calls on cancel",
  ],
  [
    "transitions/life.ts",
    'if (isRepeatable(call.access)) return step(setState(session, call.id, { kind: "waiting" }));',
    'if (isRepeatable(call.access)) return step(session, { type: "run-tool", call });',
    "run reads again without judging on resume",
  ],
  [
    "transitions/life.ts",
    'if (session.plans.some((record) => record.file === event.file)) return refuse(session, event.type, "plan-path");',
    "",
    "claim a plan's file twice",
  ],
  [
    "transitions/answers.ts",
    "if (!event.allowed) {",
    "if (!event.allowed && event.by !== null) {",
    "take a no without a person for a yes",
  ],
  [
    "transitions/team.ts",
    'if (request === null || request.id !== event.requestId) return refuse(session, event.type, "foreign-answer");',
    'if (request === null) return refuse(session, event.type, "foreign-answer");',
    "take a foreign lead's answer",
  ],
  [
    "transitions/team.ts",
    'if (verdict.kind === "approve" && text !== (verdict.plan ?? request.plan)) return',
    "if (text === null) return",
    "let a lead approve a plan that changed meanwhile",
  ],
  [
    "transitions/team.ts",
    'if (verdict.kind === "approve" && isHeld(session.actor)) return "mode-not-available";',
    "",
    "let a teammate out of a session that plans",
  ],
  [
    "reminders/reminders.ts",
    'return notices.told === "plan" && !isPlanning(permissions);',
    "return false && notices.told === null && isPlanning(permissions);",
    "never say that plan mode ended",
  ],
  [
    "reminders/reminders.ts",
    "if (notices.reminders > 0 && notices.turnsSinceReminder < turnsBetween) return [];",
    "if (notices.turnsSinceReminder < turnsBetween) return [];",
    "no reminder in the first request",
  ],
  [
    "decide/decide.ts",
    'if (!planning && isSettledFile(access, situation)) return deny("plan-approved", access.path);',
    "",
    "let the model write into an approved plan",
  ],
  [
    "transitions/hooks.ts",
    "if (isPlanning(permissions)) return true;",
    "",
    "let a hook answer a question of plan mode",
  ],
  [
    "transitions/hooks.ts",
    'const hook = { answer: answer.stop === undefined ? answer.answer : "deny", reason } as const;',
    'const hook = { answer: answer.answer === "deny" ? "none" : answer.answer, reason } as const;',
    "forget a hook's refusal",
  ],
  [
    "transitions/ask-hooks.ts",
    'return hook === undefined && access !== null && access.kind !== "invalid" && hasHooks(session, "PreToolUse");',
    "return false;",
    "never ask hooks about a call",
  ],
  [
    "transitions/today.ts",
    "if (isUnheard(session, call)) return false;",
    "",
    "let a person's yes go before a hook that came meanwhile",
  ],
  [
    "transitions/submission.ts",
    'if (!hasHooks(session, "plan.submitted")) return handIn(session, read, next);',
    "if (session.id !== null) return handIn(session, read, next);",
    "show a plan that hooks did not hear of",
  ],
  [
    "agent/hooks/answer.ts",
    'if (end.kind === "failed") return failure(event, end.why, name);',
    'if (end.kind === "failed") return silent;',
    "a hook's time out passes",
  ],
  [
    "agent/hooks/answer.ts",
    'return said ?? failure(event, "answered with something that is no answer", name);',
    "return said ?? silent;",
    "a hook's nonsense passes",
  ],
  [
    "agent/hooks/answer.ts",
    'const ranks = ["deny", "ask", "allow"] as const;',
    'const ranks = ["allow", "ask", "deny"] as const;',
    "a hook's yes goes before another's refusal",
  ],
  [
    "transitions/answers.ts",
    "return event.stop === true ? stopTurn(denied) : advance(denied);",
    "return advance(denied);",
    "let the model go on after a no that stops",
  ],
  [
    "transitions/answers.ts",
    "if (event.stop === true) return stopTurn(session, by);",
    "",
    "let the model go on after its questions were closed",
  ],
  [
    "transitions/answers.ts",
    "if (by === null || isPlanning(session.permissions) || !isRememberable(question)) return step(session);",
    "if (by === null || !isRememberable(question)) return step(session);",
    "remember an answer for the session in plan mode",
  ],
  [
    "decide/decide.ts",
    "const gated = planning ? gate(access, situation) : allow;",
    "const gated = planning && !matchRules({ ...situation.permissions.rules, allow: [] }, call.subjects, situation.roots).allowed ? gate(access, situation) : allow;",
    "let what is allowed for the session open plan mode",
  ],
  [
    "transitions/life.ts",
    "const { session: _, ...rules } = session.permissions.rules;",
    "const { ...rules } = session.permissions.rules;",
    "keep what was allowed for the session in the next one",
  ],
  [
    "transitions/answers.ts",
    "if (isPlanning(session.permissions)) return step(session);",
    "",
    "take what an agent was allowed for the session in plan mode",
  ],
  ["wire/call-shape.ts", "access: orNull(access),", "access: anything,", "take calls of any shape"],
];

const folder = await mkdtemp(join(tmpdir(), "groundplan-mutants-"));
const survived = [];
try {
  for (const [index, [file, from, to, name, ending]] of mutants.entries()) {
    const parts = await Promise.all(
      file.split("; ").map(async (part, at) => ({
        file: placeOf(part),
        text: await readFile(join(root, placeOf(part)), "utf8"),
        pattern: new RegExp(from.split(" ||| ")[at].split(/\s+/).map(escape).join("\\s+")),
        to: to.split(" ||| ")[at],
      })),
    );
    if (parts.some(({ text, pattern }) => !pattern.test(text))) {
      console.log(`?  ${name}: the text is no longer in ${file}`);
      survived.push(name);
      continue;
    }
    const outfile = join(folder, `${index}.mjs`);
    const mutate = {
      name: "mutate",
      setup(build) {
        for (const part of parts)
          build.onLoad({ filter: new RegExp(`${escape(part.file)}$`) }, () => ({
            contents: part.text.replace(part.pattern, () => part.to),
            loader: "ts",
          }));
      },
    };
    await build({
      absWorkingDir: root,
      entryPoints: ["test/invariants/run.ts"],
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      plugins: [mutate],
      logLevel: "error",
    });
    const hangs = ending === "never ends";
    const limit = { encoding: "utf8", timeout: hangs ? 20_000 : 1_200_000 };
    const { status, signal, stdout } = spawnSync(process.execPath, [outfile, sessions], limit);
    const caught = status === 1 || (hangs && signal !== null);
    console.log(
      `${caught ? "✓" : "✗"}  ${name}${caught ? `: ${String(stdout).split("\n")[0].slice(0, 110) || ending}` : " SURVIVED"}`,
    );
    if (!caught) survived.push(name);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(`${mutants.length - survived.length} of ${mutants.length} mutants caught`);
process.exitCode = survived.length === 0 ? 0 : 1;

function placeOf(part) {
  return part.startsWith("agent/") ? `src/${part}` : `src/core/${part}`;
}

function escape(part) {
  return part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
