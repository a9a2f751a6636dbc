/** The root entry: the core and a session on it; nothing of faces, providers or protocols is loaded. */
export { createSession, type SessionOptions } from "./agent/loop/session.ts";
export type { Happening, Log, SessionHandle } from "./agent/ports/handle.ts";
export type { World } from "./agent/loop/world.ts";
export type { Classified, Host } from "./agent/ports/host.ts";
export { createToolBench, type BenchOptions, type ToolBench } from "./agent/loop/tool-bench.ts";
export { createPlans, type Plans, type PlansOptions } from "./agent/store/plans.ts";
export { messagesOf, type ContextStyle } from "./agent/loop/context.ts";
export { publicEvents, type EventFacts } from "./agent/loop/public-events.ts";
export type { PublicEvent } from "./agent/ports/event-shapes.ts";
export {
  type Claim,
  type Clock,
  type CommandResult,
  type Files,
  type JudgedCommand,
  type PermissionAnswer,
  type PermissionAsk,
  type Person,
  type ReviewAnswer,
  type Search,
  type Shell,
  type ToolOutput,
  type QuestionReply,
  type Web,
} from "./agent/ports/ports.ts";
export type { OpenQuestions, QuestionAnswer, UserQuestion } from "./core/questions.ts";
export { defineTool, type Tool } from "./agent/tools/tool.ts";
export type {
  Message,
  Model,
  ModelDelta,
  ModelError,
  ModelRequest,
  NamedModel,
  ToolDescription,
  Usage,
} from "./agent/ports/model.ts";
export type { Access, Call, Place, Subject } from "./core/decide/access.ts";
export { placeOf } from "./core/decide/access.ts";
export { append, chain, items, type Chain } from "./core/chain.ts";
export { commandList, openedText, runCommand, type CommandOutcome } from "./core/commands.ts";
export { decide } from "./core/decide/decide.ts";
export type { Decision, Denial, DenialCode, Question } from "./core/decide/decision.ts";
export type { Effect, Refusal, Step } from "./core/effect.ts";
export type { Event, SessionStarted } from "./core/event.ts";
export { summaryOf, staleFiles, type PlanRecord, type PlanStatus } from "./core/plan/ledger.ts";
export {
  decodeLine,
  decodeLog,
  encodeEntry,
  logVersion,
  type LogEntry,
  type LogProblem,
} from "./core/wire/log-format.ts";
export { nextMode, type Mode, type ModeState, type Permissions, type WorkingMode } from "./core/mode.ts";
export { noticeText, type Notice } from "./core/reminders/notice.ts";
export type { Outcome } from "./core/outcome.ts";
export { hashText } from "./core/plan/hash.ts";
export { planFileName, planFileProblem, plansDirectory } from "./core/plan/location.ts";
export { filesNamedIn, headingsOf, titleOf } from "./core/plan/outline.ts";
export { reduce, replay } from "./core/reduce.ts";
export type { Reminder, Todo } from "./core/reminders/reminder.ts";
export type { ReviewRequest } from "./core/plan/review.ts";
export { placeComments } from "./core/plan/anchors.ts";
export type { Answerer, Choice, Comment, Verdict } from "./core/verdict.ts";
export {
  exitOutput,
  isIdle,
  pendingReview,
  permissionContext,
  planFlags,
  statusLabel,
  type ExitOutput,
} from "./core/selectors.ts";
export { freshSession, type PlanSettings, type Session } from "./core/session.ts";
export type { Actor, Situation } from "./core/decide/situation.ts";
export type { Entry } from "./core/transcript.ts";
export { loadPrompts, type Prompts } from "./prompts/index.ts";
