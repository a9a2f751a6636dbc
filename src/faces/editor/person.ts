/** The person behind an editor: plans, permissions and questions as requests of the protocol; every answer goes to the session, which judges it. */
import {
  methods,
  type AgentContext,
  type ClientCapabilities,
  type PermissionOption,
  type PermissionOptionKind,
  type ToolCallUpdate,
} from "@agentclientprotocol/sdk";
import { readRegularText } from "../../agent/host/files/read-regular.ts";
import { permissionRequest } from "../../agent/answers/permission-request.ts";
import {
  enterPlanText,
  permissionChoices,
  permissionWords,
  type PermissionChoice,
} from "../../agent/answers/permission-words.ts";
import { untilAborted } from "../../agent/answers/ask-surface.ts";
import type { PermissionAnswer, PermissionAsk, Person, ReviewAnswer } from "../../agent/ports/ports.ts";
import type { ReviewRequest } from "../../core/plan/review.ts";
import { titleOf } from "../../core/plan/outline.ts";
import type { Session } from "../../core/session.ts";
import { choiceLabel, type Answerer, type Choice, type Verdict } from "../../core/verdict.ts";
import { makeVisible } from "../../core/wire/visible.ts";
import { askChoices, askForm, type AskEditor } from "./questions.ts";
import {
  asWritten,
  differenceOf,
  fenced,
  fitted,
  hiddenIn,
  locationsOf,
  textContent,
  toolCallOf,
  type CallLook,
} from "./tool-calls.ts";

export interface EditorPersonOptions {
  readonly client: AgentContext;
  readonly capabilities: ClientCapabilities;
  readonly sessionId: () => string;
  /** The editor knows the session: before, nothing can be asked. */
  readonly ready: Promise<null>;
  readonly by: Answerer;
  readonly look: () => CallLook;
  readonly session: () => Session;
  /** A link to the page on which the plan can be answered as well. */
  readonly reviewLink: () => Promise<string | null>;
  /** The plan stays open; the prompt's turn ends with these words. */
  readonly hold: (words: string) => void;
}

export interface EditorPerson extends Person {
  /** A plan that is shown can be answered otherwise from now on. */
  renew(requestId: string, choices: readonly Choice[]): void;
}

export function editorPerson(options: EditorPersonOptions): EditorPerson {
  const { client, capabilities, sessionId, ready, by } = options;
  const offers: Offers = new Map();
  const ask: AskEditor = async (toolCall, choices, signal) => {
    await ready;
    if (signal.aborted) return "cancelled";
    try {
      const { outcome } = await client.request(
        methods.client.session.requestPermission,
        { sessionId: sessionId(), toolCall, options: [...choices] },
        { cancellationSignal: signal, stopWaitingOnCancel: true },
      );
      const chosen = outcome.outcome === "selected" ? outcome.optionId : "cancelled";
      return choices.some(({ optionId }) => optionId === chosen) ? chosen : "cancelled";
    } catch {
      return signal.aborted ? "cancelled" : null;
    }
  };
  return {
    renew: (requestId, choices) => offers.get(requestId)?.(choices),
    async review(request, signal) {
      const asking = { ...options, ask, offers };
      const answer = await review(request, signal, asking);
      offers.delete(request.id);
      return answer;
    },
    permit: (asked, signal) => permit(asked, signal, { ...options, ask }),
    async answer(asked, signal) {
      await ready;
      const hasForm = capabilities.elicitation?.form !== undefined && capabilities.elicitation.form !== null;
      const callId = callOf(asked.id, options.session());
      const answer = hasForm
        ? await askForm(asked, { client, sessionId: sessionId(), callId, signal })
        : await askChoices(asked, { ask, callId, signal });
      return answer === null || signal.aborted ? null : { answer, by };
    },
  };
}

interface Asking extends EditorPersonOptions {
  readonly ask: AskEditor;
}

/** What tells a question that is shown its new choices. */
type Offers = Map<string, (choices: readonly Choice[]) => void>;

interface Reviewing extends Asking {
  readonly offers: Offers;
}

async function review(request: ReviewRequest, signal: AbortSignal, asking: Reviewing): Promise<ReviewAnswer> {
  const { by, hold, ready, reviewLink } = asking;
  await ready;
  const link = await reviewLink().catch(() => null);
  const { chosen, choices } = await chosenOf(request, planCall(request, link), { ...asking, signal });
  if (signal.aborted) return untilAborted(signal);
  const choice = choices.find((one) => optionId(one) === chosen);
  if (choice !== undefined && choice.kind !== "revise") return { verdict: verdictFor(choice, request), by };
  if (chosen === "cancelled") return { verdict: { kind: "dismiss" }, by };
  const page = link === null ? "" : ` It can be answered on the review page as well: ${link}`;
  hold(
    chosen === null
      ? `The plan waits for an answer, and this editor did not show the question.${page} Words in the next prompt send it back.`
      : `The plan is not approved. Write what should change as the next prompt: it goes to the model as your feedback.${page}`,
  );
  return untilAborted(signal);
}

interface Chosen {
  readonly chosen: string | null;
  readonly choices: readonly Choice[];
}

/** Asked again whenever the choices are others. */
async function chosenOf(
  request: ReviewRequest,
  shown: ToolCallUpdate,
  { ask, offers, signal }: Reviewing & { readonly signal: AbortSignal },
): Promise<Chosen> {
  let { choices } = request;
  for (;;) {
    const renewing = new AbortController();
    offers.set(request.id, (next) => {
      choices = next;
      renewing.abort();
    });
    const offered = choices;
    const options = offered.map((choice) => ({
      optionId: optionId(choice),
      name: choiceLabel(choice),
      kind: optionKind(choice),
    }));
    const chosen = await ask(shown, options, AbortSignal.any([signal, renewing.signal]));
    if (signal.aborted || !renewing.signal.aborted) return { chosen, choices: offered };
  }
}

function optionId(choice: Choice): string {
  return choice.kind === "approve" ? `approve-${choice.mode}` : choice.kind;
}

/** How an editor draws it; a choice that grants more than one edit is the wider one, and a plain no keeps planning. */
function optionKind(choice: Choice): PermissionOption["kind"] {
  if (choice.kind === "approve") return choice.mode === "default" ? "allow_once" : "allow_always";
  if (choice.kind === "approve-fresh") return "allow_once";
  return choice.kind === "revise" ? "reject_once" : "reject_always";
}

function verdictFor(choice: Exclude<Choice, { kind: "revise" }>, { hash }: ReviewRequest): Verdict {
  switch (choice.kind) {
    case "approve":
      return { kind: "approve", hash, mode: choice.mode };
    case "approve-fresh":
      return { kind: "approve", hash, mode: choice.mode, fresh: true };
    case "save":
    case "abandon":
      return { kind: choice.kind };
  }
}

/** The plan as content and as raw input: some editors draw the one, some the other. */
function planCall(request: ReviewRequest, link: string | null): ToolCallUpdate {
  const { plan, planFile, callId, agent, revision } = request;
  const title = titleOf(plan);
  const whose = agent === null ? "" : ` of ${fitted(agent, 60)}`;
  const notes = [
    ...(request.again === "changed" ? ["The plan file changed since it was shown: please look again."] : []),
    ...(request.again === "write-failed" ? ["Your edit could not be written: please look again."] : []),
    ...(request.stale.length === 0 ? [] : [`Changed since the plan was submitted: ${request.stale.join(", ")}`]),
    ...(request.changed.length === 0 ? [] : [`Changed while it was planned: ${request.changed.join(", ")}`]),
    ...(link === null ? [] : [`Review page, for comments and edits: ${link}`]),
  ];
  return {
    toolCallId: callId,
    kind: "switch_mode",
    status: "pending",
    title: fitted(
      `Approve this plan${whose}?${title === "" ? "" : ` ${title}`}${revision > 1 ? ` (revision ${revision})` : ""}`,
      300,
    ),
    content: [
      textContent(makeVisible(plan)),
      ...asWritten(plan),
      ...(notes.length === 0 ? [] : [textContent(makeVisible(notes.join("\n")))]),
    ],
    locations: [{ path: planFile }],
    rawInput: { plan, planFilePath: planFile },
  };
}

async function permit(asked: PermissionAsk, signal: AbortSignal, asking: Asking): Promise<PermissionAnswer> {
  const { ask, by, look, session } = asking;
  const request = await permissionRequest(asked, {
    mode: () => session().permissions.mode.current,
    standing: session,
    readText: (path) => readRegularText(path).catch(() => null),
  });
  if (signal.aborted) return untilAborted(signal);
  const choices = permissionChoices(request, fitted);
  const options = choices.map(({ does, label, short }) => ({
    optionId: does,
    /** There is no field for words behind a no. */
    name: does === "reason" ? (short ?? label) : label,
    kind: optionKinds[does],
  }));
  const chosen = await ask(askedCall(request, look()), options, signal);
  if (signal.aborted) return untilAborted(signal);
  if (chosen === null) return null;
  if (chosen === "remember") return { allowed: true, by, remember: request.offers.always };
  if (chosen === "session") return { allowed: true, by, forSession: request.offers.session };
  return chosen === "stop" ? { allowed: false, by, stop: true } : { allowed: chosen === "allow", by };
}

const optionKinds = {
  allow: "allow_once",
  session: "allow_always",
  remember: "allow_always",
  reason: "reject_once",
  deny: "reject_once",
  stop: "reject_once",
} as const satisfies Readonly<Record<PermissionChoice["does"], PermissionOptionKind>>;

function askedCall(request: Awaited<ReturnType<typeof permissionRequest>>, look: CallLook): ToolCallUpdate {
  const { call, question, id } = request.ask;
  const { title, warnings, notes } = permissionWords(request, fitted);
  const shown = toolCallOf(call, look);
  const command = call.access?.kind === "command" ? call.access.command : null;
  const enter = question.kind === "enter-plan" ? [enterPlanText] : [];
  const words = [...warnings, ...notes, ...enter].map(makeVisible).join("\n\n");
  const differences = differenceOf(call);
  return {
    ...(shown ?? { rawInput: call.input }),
    toolCallId: request.ask.agent === undefined ? call.id : id,
    status: "pending",
    title: fitted(command === null ? title : `${title} ${command}`, 300),
    /** All of what is approved, however long. */
    content: [
      ...(command === null ? [] : [textContent(fenced(command, Infinity))]),
      ...(words === "" ? [] : [textContent(words)]),
      ...hiddenIn(differences),
      ...differences,
    ],
    locations: locationsOf(call),
  };
}

/** Of questions of an agent there is no call that the editor knows. */
function callOf(questionId: string, { turn }: Session): string {
  const open = turn.open.find(({ state }) => state.kind === "questioning" && state.asked.id === questionId);
  return open?.call.id ?? questionId;
}
