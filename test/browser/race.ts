/** One random story of several surfaces, a changing file, mode changes and crashes around the same plan, over real HTTP. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answerStore, type AnswerStore } from "../../src/agent/answers/kept-answers.ts";
import { keptReview } from "../../src/agent/answers/kept-review.ts";
import { answerDesk } from "../../src/agent/answers/persons.ts";
import type { Person } from "../../src/agent/ports/ports.ts";
import { items } from "../../src/core/chain.ts";
import type { Event } from "../../src/core/event.ts";
import { hashText } from "../../src/core/plan/hash.ts";
import type { ReviewRequest } from "../../src/core/plan/review.ts";
import type { Verdict } from "../../src/core/verdict.ts";
import { isIdle } from "../../src/core/selectors.ts";
import type { Session } from "../../src/core/session.ts";
import type { ReviewState } from "../../src/faces/browser/desks/wire.ts";
import { loadPrompts } from "../../src/prompts/index.ts";
import { memoryFiles, scriptedModel, type MemoryFiles, type ScriptedStep } from "../../src/testing/index.ts";
import { planFileIn } from "../scenarios/plan-writer.ts";
import { createChance, type Chance } from "../invariants/random.ts";
import { linkOf, setStage, visit, type Page, type Stage } from "./stage.ts";
import { remove } from "../support/remove.ts";

/** What somebody clicked, and what they had before their eyes. */
export interface Click {
  /** Stands in the notes or the feedback. */
  readonly mark: string;
  readonly surface: "browser" | "terminal" | "kept";
  readonly requestId: string;
  readonly kind: Verdict["kind"];
  /** What would be approved: the text on the screen, or the person's own edit of it. */
  readonly hash: string;
  /** Whether the surface was told that it counts; null where it heard nothing. */
  accepted: boolean | null;
}

export interface Story {
  readonly clicks: readonly Click[];
  readonly log: readonly Event[];
  readonly session: Session;
  /** What the model was given as approved. */
  readonly approvedTexts: readonly string[];
  readonly actions: readonly string[];
}

export async function playStory(seed: number): Promise<Story> {
  const chance = createChance(seed);
  const home = mkdtempSync(join(tmpdir(), "groundplan-race-"));
  const files = memoryFiles({ "/repo/README.md": "# Repo\n" });
  const clicks: Click[] = [];
  const actions: string[] = [];
  const approvedTexts: string[] = [];
  const waiting: Promise<void>[] = [];
  let texts = 0;
  let marks = 0;
  const nextMark = (): string => `mark-${(marks += 1)}.`;

  const step: ScriptedStep = ({ messages }) => {
    const last = JSON.stringify(messages.at(-1));
    const approved = /## Approved Plan[^:]*:\\n(# Plan [^"\\]*)/.exec(last)?.[1];
    if (approved !== undefined) {
      approvedTexts.push(approved);
      return "Carried out.";
    }
    const all = JSON.stringify(messages);
    if (!all.includes("/plans/")) return "There is no plan file.";
    const file = /Denied|is not a plan|not in plan mode/i.test(last) ? null : planFileIn({ messages });
    if (file === null) return "I wait.";
    return {
      calls: [
        { tool: "Write", input: { file_path: file, content: `# Plan ${(texts += 1)}` } },
        { tool: "ExitPlanMode" },
      ],
    };
  };
  const begin = (past?: readonly Event[]): Promise<Played> => beginPlay({ home, files, step, past });

  let play = await begin();
  const pages: Page[] = [await visit(await linkOf(play.stage.review)), await visit(await linkOf(play.stage.review))];
  const seen: (ReviewState | null)[] = [null, null];
  const history: ReviewState[] = [];

  const post = (tab: number): void => {
    const now = seen[tab];
    if (now === null || now === undefined || now.request === null) return;
    const mark = nextMark();
    const requestId = now.request.id;
    /** Sometimes a page that mixes things up: this request, an older text. */
    const state = chance.chance(0.25) ? chance.pick(history) : now;
    const kind = chance.pick(["approve", "approve", "revise", "save", "abandon"] as const);
    const edited = kind === "approve" && chance.chance(0.3) ? `# Plan ${mark}edited by a person` : undefined;
    const click: Click = {
      mark,
      surface: "browser",
      requestId,
      kind,
      hash: edited === undefined ? state.hash : hashText(edited),
      accepted: null,
    };
    clicks.push(click);
    const body = {
      requestId,
      hash: state.hash,
      kind,
      ...(edited === undefined ? {} : { plan: edited }),
      ...(kind === "approve" ? { notes: mark } : kind === "revise" ? { feedback: mark } : {}),
    };
    actions.push(`tab ${tab} ${kind} ${requestId} ${mark}`);
    waiting.push(
      pages[tab]!.post("verdict", body, `tab-${tab}`).then(
        ({ status }) => void (click.accepted = status === 200),
        () => undefined,
      ),
    );
  };
  const terminal = (): void => {
    const request = play.asked.at(-1);
    if (request === undefined) return;
    const mark = nextMark();
    const kind = chance.pick(["approve", "revise", "dismiss"] as const);
    clicks.push({ mark, surface: "terminal", requestId: request.id, kind, hash: request.hash, accepted: null });
    const verdict: Verdict =
      kind === "approve"
        ? { kind, hash: request.hash, notes: mark }
        : kind === "revise"
          ? { kind, feedback: mark }
          : { kind };
    actions.push(`terminal ${kind} ${request.id} ${mark}`);
    void play.desk.decide(request.id, verdict);
  };
  /** Another process keeps an answer to what a tab has shown. */
  const keep = async (tab: number): Promise<void> => {
    const state = seen[tab];
    if (state === null || state === undefined || state.request === null) return;
    const mark = nextMark();
    const { id: requestId } = state.request;
    const { hash } = state;
    clicks.push({ mark, surface: "kept", requestId, kind: "approve", hash, accepted: null });
    actions.push(`kept approve ${requestId} ${mark}`);
    const verdict: Verdict = { kind: "approve", hash, notes: mark };
    await play.store.keep({ requestId, file: "", hash, verdict, by: { user: "ada", surface: "kept" }, at: marks });
  };
  const look = (tab: number): Promise<void> => {
    const looked = pages[tab]!.state().then(
      (state) => {
        seen[tab] = state;
        history.push(state);
      },
      () => undefined,
    );
    waiting.push(looked);
    return looked;
  };
  const disk = (): void => {
    const { file } = play.stage.harness.session.state.plan;
    if (file === null) return;
    actions.push(`disk ${texts + 1}`);
    files.contents.set(file, `# Plan ${(texts += 1)}`);
  };
  const mode = (): void => {
    const wanted = chance.pick(["default", "plan", "plan"] as const);
    actions.push(`mode ${wanted}`);
    void play.stage.harness.session.send({ type: "mode-chosen", mode: wanted });
  };
  const crash = async (): Promise<void> => {
    if (chance.chance(0.6)) await look(0);
    actions.push("crash and resume");
    play.stage.harness.session.close();
    await play.stage.review.close();
    if (chance.chance(0.6)) await keep(0);
    if (chance.chance(0.2)) disk();
    play = await begin([...play.stage.harness.log]);
    await play.stage.review.goOn();
  };

  /** Both tabs have read; then several things happen within a millisecond. */
  const clash = async (): Promise<void> => {
    await Promise.all([look(0), look(1)]);
    const things = [() => post(0), () => post(1), terminal, disk, mode].filter(() => chance.chance(0.45));
    for (const thing of things) {
      thing();
      if (chance.chance(0.2)) await pause(chance);
    }
  };

  for (let count = 0; count < 14; count += 1) {
    const { session } = play.stage.harness;
    if (isIdle(session.state) && chance.chance(0.8)) {
      if (session.state.permissions.mode.current !== "plan") await session.send({ type: "mode-chosen", mode: "plan" });
      await session.send({ type: "user-said", text: "plan it" });
    }
    if (chance.chance(0.7)) await pause(chance);
    const roll = chance.next();
    if (roll < 0.2) void look(chance.int(2));
    else if (roll < 0.5) await clash();
    else if (roll < 0.6) post(chance.int(2));
    else if (roll < 0.7) terminal();
    else if (roll < 0.8) disk();
    else if (roll < 0.87) mode();
    else if (roll < 0.93) await keep(chance.int(2));
    else await crash();
  }
  await Promise.all(waiting);
  await settle(play);
  const { harness } = play.stage;
  const told: Story = { clicks, log: [...harness.log], session: harness.session.state, approvedTexts, actions };
  await play.stage.close();
  remove(home);
  return told;
}

/** What counted, as the model was told it: the marks of approvals and of feedback, with the text that was approved. */
export function effective({ transcript }: Session): readonly Effective[] {
  return items(transcript).flatMap((entry): Effective[] => {
    if (entry.kind !== "result") return [];
    const { outcome } = entry;
    if (outcome.kind === "approved") return [{ mark: outcome.notes ?? "", text: outcome.plan }];
    return outcome.kind === "revise" ? [{ mark: outcome.feedback, text: null }] : [];
  });
}

interface Effective {
  readonly mark: string;
  readonly text: string | null;
}

interface Played {
  readonly stage: Stage;
  readonly store: AnswerStore;
  readonly desk: ReturnType<typeof answerDesk>;
  readonly asked: readonly ReviewRequest[];
}

interface PlayParts {
  readonly home: string;
  readonly files: MemoryFiles;
  readonly step: ScriptedStep;
  readonly past: readonly Event[] | undefined;
}

async function beginPlay({ home, files, step, past }: PlayParts): Promise<Played> {
  const asked: ReviewRequest[] = [];
  const desk = answerDesk({ user: "ada", surface: "terminal" });
  const terminal: Person = {
    ...desk,
    review: (request, signal) => {
      asked.push(request);
      return desk.review(request, signal);
    },
  };
  const kept = keptReview({ home, prompts: loadPrompts(), tell: () => undefined });
  const model = scriptedModel(...Array.from({ length: 60 }, () => step));
  const resumed = past === undefined ? {} : { past };
  const others = [kept.before(terminal)];
  const stage = await setStage({ model, mode: "plan", others, home, files, listen: kept.listen, ...resumed });
  return { stage, desk, asked, store: answerStore(home, "session", () => undefined) };
}

function pause(chance: Chance): Promise<void> {
  const wait = chance.pick([0, 0, 1, 3]);
  return new Promise((resolve) => (wait === 0 ? setImmediate(resolve) : setTimeout(resolve, wait)));
}

/** Until nothing moves but a plan that waits for a person. */
async function settle({ stage }: Played): Promise<void> {
  for (let quiet = 0, before = -1; quiet < 3;) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    const { length } = stage.harness.log;
    quiet = length === before ? quiet + 1 : 0;
    before = length;
  }
}
