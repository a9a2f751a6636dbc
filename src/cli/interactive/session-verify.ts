/** `/verify`: the plan that the session carries out is checked, and what was found is the model's next prompt (B16.3). */
import { join } from "node:path";
import type { SessionHandle } from "../../agent/ports/handle.ts";
import { configHome, sessionsFolder } from "../../agent/host/config-home.ts";
import { approvedHash } from "../../core/plan/ledger.ts";
import { isPlanning } from "../../core/mode.ts";
import { isRefusing } from "../../core/proof/finding.ts";
import { isIdle } from "../../core/selectors.ts";
import type { Session } from "../../core/session.ts";
import type { Prompts } from "../../prompts/index.ts";

export interface SessionVerifyOptions {
  readonly handle: () => SessionHandle;
  readonly prompts: Prompts;
  readonly tell: (line: string) => void;
  /** Ends with the session. */
  readonly signal: AbortSignal;
}

/** What to say of it. Everything that it needs is loaded when it is asked for. */
export async function verifyHere({ handle, prompts, tell, signal }: SessionVerifyOptions): Promise<string> {
  const { state } = handle();
  const { approved } = state.plan;
  const record = state.plans.findLast(({ file }) => file === approved?.file);
  if (approved === null || record === undefined || isPlanning(state.permissions)) return noPlan(state);
  if (!isIdle(state)) return "The model is at work: ask again when it is done, or stop it first.";
  const [{ openLibrary }, { verifyPlan }, { findingsOf }, { planReport }, { renderFindings }] = await Promise.all([
    import("../../agent/library/library.ts"),
    import("../../agent/verify/verify-plan.ts"),
    import("../../agent/verify/findings.ts"),
    import("../commands/verify/plan-report.ts"),
    import("../../prompts/render/findings.ts"),
  ]);
  const { project } = state.roots;
  const library = await openLibrary({ configHome: configHome(), project, tell });
  const entry = library.list({ all: true }).find(({ id }) => id === record.id);
  if (entry === undefined) return "The plan is not in the library yet; `groundplan verify` checks it later.";
  const plan = { ...(await library.load(entry)), text: approved.text };
  const done = await verifyPlan(plan, {
    project,
    timeoutMs: 600_000,
    signal,
    environment: process.env,
    onStart: (command) => tell(`$ ${command}`),
    onEnd: () => undefined,
  });
  const findings = findingsOf(done, { isApproved: true });
  const report = planReport(plan, { done, findings, screen: { paint: (_, text) => text } });
  if (done.interrupted) return report;
  await handle().send({
    type: "plan-verified",
    plan: record.id,
    hash: approved.hash,
    passed: done.passed,
    found: findings.filter(isRefusing).map(({ text }) => text),
    at: Date.now(),
  });
  if (!findings.some(isRefusing)) return report;
  if (!isIdle(handle().state))
    return `${report}\nThe model is at work meanwhile: /verify again gives it what was found.`;
  void handle().send({ type: "user-said", text: renderFindings(prompts, { file: approved.file, findings }) });
  return `${report}\nGiven to the model.`;
}

/** An approval that only a doubtful log tells of counts nowhere, and its person should hear why. */
async function noPlan({ id, plans, roots }: Session): Promise<string> {
  const none = "No approved plan is being carried out here; `groundplan verify <plan>` checks any other.";
  const told = plans.findLast((plan) => approvedHash(plan) !== null);
  if (told === undefined) return none;
  const [{ sealedPlan }, { openSealer }] = await Promise.all([
    import("../../agent/proof/sealed-log.ts"),
    import("../../agent/store/log-seal.ts"),
  ]);
  const home = configHome();
  const log = join(sessionsFolder(home, roots.project), `${id}.jsonl`);
  const sealed = await sealedPlan(log, told.id, await openSealer(home));
  if (!("problem" in sealed)) return none;
  const again = "Have the plan approved again (plan mode), then /verify.";
  return `The plan was not checked: this session's log is doubted, so no approval in it counts.\n${sealed.problem}\n${again}`;
}
