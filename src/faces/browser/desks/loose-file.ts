/** The desk of a Markdown file that no session knows: it waits for one decision, and a change on disk is a new revision (B2.1). */
import { dirname, join } from "node:path";
import { errorText } from "../../../core/error-text.ts";
import type { Revision } from "../../../core/plan/ledger.ts";
import { hashText, isBlank } from "../../../core/plan/hash.ts";
import { titleOf } from "../../../core/plan/outline.ts";
import type { Choice } from "../../../core/verdict.ts";
import type { Files } from "../../../agent/ports/ports.ts";
import { objectionTo } from "./answer-check.ts";
import { decidedBy, type Decided } from "./decided.ts";
import { answeredFor, type AnsweredFrom, createBell, type Taken, type WaitingDesk } from "./desk.ts";
import { pictureAt } from "./pictures.ts";
import { outlineOf, tildePath } from "./review-state.ts";
import type { OpenRequest, ReviewState, VerdictBody } from "./wire.ts";

export interface LooseOptions {
  /** Canonical. */
  readonly file: string;
  readonly files: Files;
  readonly user: string;
  /** The person's home folder, for `~`. */
  readonly home: string;
  readonly project: string;
  /** Approved in a session that is gone: its bytes never change (B5.1). */
  readonly isApproved?: boolean;
}

export async function looseDesk(options: LooseOptions): Promise<WaitingDesk | { readonly problem: string }> {
  const { file, files, user } = options;
  const bell = createBell();
  const revisions: Revision[] = [];
  let answered: AnsweredFrom | null = null;
  let deciding = false;
  let done: ((decided: Decided) => void) | null = null;
  const decided = new Promise<Decided>((resolve) => (done = resolve));

  const revise = (text: string): void =>
    void revisions.push({ number: revisions.length + 1, hash: hashText(text), text, at: Date.now(), by: "person" });
  /** What the file holds now; a text that was not the last one shown is another revision. */
  const look = async (): Promise<void> => {
    const text = await readPlan(files, file);
    if (typeof text !== "string" || revisions.at(-1)?.text === text || answered !== null) return;
    revise(text);
    bell.ring();
  };
  const first = await readPlan(files, file);
  if (typeof first !== "string") return first;
  await look();
  const timer = setInterval(() => void look().catch(() => undefined), pollMs).unref();

  const decide = async (body: VerdictBody, tab: string | null): Promise<Taken> => {
    await look();
    const shown = revisions.at(-1)!;
    const { plan } = body;
    const objection = objectionTo(requestFor(shown), body);
    if (objection !== null) return objection;
    if ((await readPlan(files, file)) !== shown.text) return "stale";
    if (options.isApproved === true && plan !== undefined && plan !== shown.text) return "closed";
    if (plan !== undefined) {
      try {
        await files.writeText(file, plan, { expectedHash: body.hash });
      } catch {
        return "write-failed";
      }
      revise(plan);
    }
    const by = { user, surface: "browser" };
    answered = { requestId: body.requestId, by, kind: body.kind, mode: null, at: Date.now(), tab };
    bell.ring();
    done?.(decidedBy(body, { file, session: null }));
    return null;
  };

  return {
    decided,
    version: bell.version,
    subscribe: bell.subscribe,
    async state(tab) {
      await look();
      return fileState(options, { version: bell.version(), revisions, answered: answeredFor(answered, tab) });
    },
    async decide(body, tab) {
      if (answered !== null || deciding) return "answered";
      deciding = true;
      return decide(body, tab).finally(() => (deciding = false));
    },
    picture(path) {
      const folder = dirname(file);
      const isOfProject = file.startsWith(join(options.project, "/"));
      return pictureAt(files, path, { root: isOfProject ? options.project : folder, folder });
    },
    comment: async () => (answered === null ? "stale" : "closed"),
    close() {
      clearInterval(timer);
      bell.end(answered === null ? "ended" : "decided");
    },
  };
}

function requestFor({ number: revision, hash }: Revision): OpenRequest {
  return { id: `file-${revision}`, hash, revision, choices, agent: null, again: revision > 1 ? "changed" : null };
}

function fileState(
  { file, home, project }: LooseOptions,
  { version, revisions, answered }: Pick<ReviewState, "version" | "revisions" | "answered">,
): ReviewState {
  const shown = revisions.at(-1)!;
  const { text, hash } = shown;
  return {
    version,
    plan: {
      id: file,
      title: titleOf(text),
      path: tildePath(file, home),
      status: answered === null ? "submitted" : answered.kind === "approve" ? "approved" : "rejected",
      project,
      branch: null,
      commit: null,
    },
    text,
    hash,
    request: answered === null ? requestFor(shown) : null,
    revisions,
    previous: revisions.at(-2)?.text ?? null,
    comments: [],
    reply: null,
    answers: [],
    decisions: [],
    files: [],
    changed: [],
    usage: null,
    session: null,
    ...outlineOf(text),
    answered,
  };
}

const pollMs = 400;
const largest = 2 * 1024 * 1024;
const choices: readonly Choice[] = [
  { kind: "approve", mode: "default", label: "each-edit" },
  { kind: "revise" },
  { kind: "abandon" },
];

async function readPlan(files: Files, file: string): Promise<string | { readonly problem: string }> {
  try {
    const stat = await files.stat(file);
    if (stat === null) return { problem: `There is no file ${file}.` };
    if (stat.kind !== "file") return { problem: `${file} is not a file.` };
    if (stat.size > largest) return { problem: `${file} is longer than 2 MB; no plan is that long.` };
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await files.readBytes(file));
    return isBlank(text) ? { problem: `${file} is empty: there is nothing to review.` } : text;
  } catch (error) {
    return {
      problem: `${file} cannot be read as UTF-8 text: ${errorText(error)}`,
    };
  }
}
