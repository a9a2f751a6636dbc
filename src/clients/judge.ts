/** Judges a call of another agent while it plans: our tools say what it would touch, the one `decide` judges, the cage holds what is not proved (B11.2). */
import { isExecutable } from "../agent/host/launch/find-program.ts";
import { prepareCall } from "../agent/loop/tool-bench.ts";
import type { LookContext } from "../agent/ports/host.ts";
import type { RawCall } from "../agent/ports/ports.ts";
import { judgePath, pathSubjects } from "../agent/tools/paths.ts";
import { readRule } from "../agent/tools/rule-names.ts";
import type { Access, Call, Subject } from "../core/decide/access.ts";
import { decide } from "../core/decide/decide.ts";
import type { Decision, Question } from "../core/decide/decision.ts";
import type { Situation } from "../core/decide/situation.ts";
import type { Prompts } from "../prompts/index.ts";
import { renderClientRefusal, type ClientRefusal } from "../prompts/render/client-refusal.ts";
import type { Client, ForeignCall, GuardAnswer, Occasion } from "./client.ts";
import { mayRunBare, trapIn } from "./guard/client-shell.ts";
import { layGround, type GuardGround } from "./guard/ground.ts";
import { commandLineOf, namesOnly, toolsNamed } from "./guard/our-tools.ts";
import { launcherPath } from "./install/launcher-path.ts";

export type ToolOccasion = Extract<Occasion, { kind: "tool" }>;

export interface JudgeRequest {
  readonly client: Pick<Client, "cage" | "cagesAll">;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly prompts: Prompts;
}

/** While it works: no opinion. A mode that cannot be told is plan mode. */
export async function judge(occasion: ToolOccasion, request: JudgeRequest): Promise<GuardAnswer> {
  if (occasion.planning === "work") return { kind: "no-opinion" };
  const { call, directory, planFile } = occasion;
  const { environment, prompts } = request;
  const runsIn = call.kind === "ours" ? call.directory : undefined;
  const ground = await layGround({ directory, runsIn, planFile, environment });
  const found =
    "problem" in ground
      ? refuse({ kind: "settings", problem: ground.problem })
      : await judged(call, { ...request, ground });
  if (found.kind !== "refusal") return found;
  const reason = renderClientRefusal(prompts, found.refusal);
  return {
    kind: "refuse",
    reason: occasion.planning === "plan" ? reason : prompts("clients/mode-unknown", { reason }),
  };
}

type Judged =
  | Extract<GuardAnswer, { kind: "pass" | "rewrite" }>
  | { readonly kind: "refusal"; readonly refusal: ClientRefusal };

interface Judging extends JudgeRequest {
  readonly ground: GuardGround;
}

async function judged(call: ForeignCall, judging: Judging): Promise<Judged> {
  const { situation, settings, look } = judging.ground;
  const { name } = call;
  switch (call.kind) {
    case "ours":
      return together(call, judging);
    case "harmless":
      return answerTo(decide(await reading(name, call.paths, look("bare")), situation), situation);
    case "external": {
      /** Whether a server calls a tool a reader stands in no payload: only the person's own word counts. */
      const namedReader = settings.permissions.readers.some(({ value }) => value === name);
      const hints = { trusted: settings.trustedMcpServers.includes(serverOf(name)), readOnlyHint: false };
      const access = { kind: "external", name, ...hints, destructiveHint: false, namedReader } as const;
      return answerTo(decide(callOf(name, access), situation), situation);
    }
    case "spawn": {
      const { agent, readOnly } = call;
      return answerTo(decide(callOf(name, { kind: "spawn", agent, readOnly }), situation), situation);
    }
    case "enter-plan":
      return answerTo(decide(callOf(name, { kind: "enter-plan" }), situation), situation);
    case "unknown":
      return refuse({ kind: "unknown-tool", name });
  }
}

/** All of what one call of theirs does, or none of it. */
async function together(call: Extract<ForeignCall, { kind: "ours" }>, judging: Judging): Promise<Judged> {
  const { calls, name, rewrite } = call;
  if (calls.length === 0) return refuse({ kind: "unknown-tool", name });
  const answers: Judged[] = [];
  for (const raw of calls) answers.push(await one(raw, { ...judging, rewrite: calls.length === 1 ? rewrite : null }));
  return answers.find(({ kind }) => kind === "refusal") ?? answers.find(({ kind }) => kind === "rewrite") ?? passed;
}

interface JudgingOne extends Judging {
  readonly rewrite: ((command: string) => unknown) | null;
}

async function one(raw: RawCall, judging: JudgingOne): Promise<Judged> {
  const { situation, look } = judging.ground;
  const context = look("bare");
  const line = commandLineOf(raw);
  if (line !== null) return command(line, raw, judging);
  const call = await prepareCall(raw, await toolsNamed(raw.tool), context);
  const reads = call.access?.kind === "read" && raw.tool !== namesOnly ? call.access.paths : [];
  const below = await belowSubjects(reads, context);
  return answerTo(decide({ ...call, subjects: [...call.subjects, ...below] }, situation), situation);
}

/** Bare where the client's shell cannot make anything else of it; else in the cage, if that answers every doubt. */
async function command(text: string, raw: RawCall, judging: JudgingOne): Promise<Judged> {
  const { ground, client, environment, rewrite } = judging;
  const { situation, look } = ground;
  const { directory, roots } = look("bare");
  const place = { environment, directory, roots };
  const trap = trapIn(place);
  if (trap !== null) return refuse({ kind: "trap", name: trap });
  const inside = await insideOf(text, ground);
  if (inside !== null) return again(raw, { text, inside }, judging);
  const isBare = client.cagesAll !== true && mayRunBare(text, place);
  const isCageable = client.cage && rewrite !== null;
  if (!isBare && isCageable && (await hasCage(judging))) return inCage(text, raw, judging);
  const bare = decide(await prepareCall(raw, await toolsNamed(raw.tool), look("bare")), situation);
  if (bare.kind === "deny" || (bare.kind === "allow" && isBare)) return answerTo(bare, situation);
  if (isBare && isCageable && (await hasCage(judging))) return inCage(text, raw, judging);
  const question = bare.kind === "ask" ? bare.question : doubtful(text, directory);
  return refuse({ kind: "asked", question, hold: isCageable ? "no-cage" : "no-rewrite" });
}

/** Whether a command rewritten for the cage would find one; what it finds is tested before anything runs. */
async function hasCage({ ground, environment }: Judging): Promise<boolean> {
  const { home, settings, look } = ground;
  const [root] = look("caged").roots;
  if (settings.sandbox === "off" || !isExecutable(launcherPath(home))) return false;
  const { hasFailedTests, offeredRung } = await import("./caged/offered-rung.ts");
  if (!hasFailedTests(home)) return offeredRung(environment, root) !== null;
  const { keptRung } = await import("./cage.ts");
  return keptRung(home, environment, { root, sandbox: settings.sandbox }) !== null;
}

async function inCage(text: string, raw: RawCall, { ground, rewrite }: JudgingOne): Promise<Judged> {
  const { situation, look, home } = ground;
  const context = look("caged");
  const { directory, roots } = context;
  const decision = decide(await prepareCall(raw, await toolsNamed(raw.tool), context), situation);
  if (decision.kind !== "allow" || rewrite === null) return answerTo(decision, situation);
  const { cagedCommand } = await import("./caged/caged-text.ts");
  const launcher = launcherPath(home);
  const caged = cagedCommand({ launcher, command: text, directory, project: roots[0] });
  if (caged !== null) return { kind: "rewrite", input: rewrite(caged) };
  return refuse({ kind: "asked", question: doubtful(text, directory), hold: "no-rewrite" });
}

/** What we rewrote already comes again with the client's next event: judged anew by what is inside. */
async function again(raw: RawCall, { text, inside }: Wrapped, judging: JudgingOne): Promise<Judged> {
  const input = { ...(raw.input as object), command: inside };
  const fresh = await command(inside, { ...raw, input }, judging);
  if (fresh.kind === "refusal" || judging.rewrite === null) return fresh;
  return { kind: "rewrite", input: judging.rewrite(text) };
}

interface Wrapped {
  readonly text: string;
  readonly inside: string;
}

/** The command in a text that we made for the cage, in this very place; null for every other text. */
async function insideOf(text: string, { home, look }: GuardGround): Promise<string | null> {
  const packed = /^\S.* run-caged ([\w-]+)$/.exec(text)?.[1];
  if (packed === undefined) return null;
  const { cagedCommand, unpackCaged } = await import("./caged/caged-text.ts");
  const { directory, roots } = look("caged");
  const command = unpackCaged(packed)?.command ?? "";
  const ours = { launcher: launcherPath(home), command, directory, project: roots[0] };
  return cagedCommand(ours) === text ? command : null;
}

function doubtful(text: string, directory: string): Question {
  const reason = "the shell of this agent may read it otherwise than it was proved";
  return { kind: "unproven", command: text, directory, reason, part: null };
}

async function reading(name: string, paths: readonly string[], context: LookContext): Promise<Call> {
  const judgedPaths = await Promise.all(paths.map((path) => judgePath(path, context)));
  const canonical = judgedPaths.map((path) => path.canonical);
  const subjects = [
    { rule: name },
    ...judgedPaths.flatMap((path) => pathSubjects([readRule], path)),
    ...(await belowSubjects(canonical, context)),
  ];
  return { ...callOf(name, { kind: "read", paths: canonical }), subjects };
}

/** Their searches show what ours would leave out: a folder stands for all that lies below it (B1.14). */
async function belowSubjects(paths: readonly string[], { files, refused }: LookContext): Promise<readonly Subject[]> {
  const found = await Promise.all(
    paths.map(async (path): Promise<readonly Subject[]> => {
      if ((await files.stat(path).catch(() => null))?.kind !== "directory") return [];
      const own = await refused.ownAt(path);
      const isBelow = !refused.isEmpty && (await refused.isBelow(path));
      return [
        ...(isBelow ? [{ rule: readRule, unknown: true }] : []),
        ...(own?.reach === "around" ? [{ rule: readRule, unknown: true, own: own.rule }] : []),
      ];
    }),
  );
  return found.flat();
}

function callOf(name: string, access: Access): Call {
  return { id: name, tool: name, input: {}, access, subjects: [{ rule: name }] };
}

/** `mcp__server__tool` */
function serverOf(name: string): string {
  return name.split("__")[1] ?? "";
}

const passed: Judged = { kind: "pass" };

/** Nobody can be asked by a hook: what would be asked is refused, with words. */
function answerTo(decision: Decision, { planFile }: Situation): Judged {
  switch (decision.kind) {
    case "allow":
      return passed;
    case "deny": {
      const { denial } = decision;
      const isWrite = denial.code === "plan-write" && planFile !== null;
      return refuse({ kind: "denied", denial: isWrite ? { ...denial, planFile } : denial });
    }
    case "ask":
    case "classify":
      return refuse({ kind: "asked", question: decision.question, hold: "no-cage" });
    case "enter":
    case "review":
    case "submit":
    case "leave":
      return refuse({ kind: "failed", problem: `${decision.kind} is not for a tool's call` });
  }
}

function refuse(refusal: ClientRefusal): Judged {
  return { kind: "refusal", refusal };
}
