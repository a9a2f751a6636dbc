/** One session behind the terminal face: composed, shown, and left again with what comes next. */
import { relative } from "node:path";
import { configHome, projectRoot, sessionsFolder } from "../../agent/host/config-home.ts";
import { createSearch } from "../../agent/host/search/search.ts";
import { knownModels } from "../../agent/models/name.ts";
import { costUsd } from "../../agent/models/providers.ts";
import { everyone } from "../../agent/answers/persons.ts";
import { listSessions } from "../../agent/store/session-list.ts";
import { hiddenGlobs } from "../../agent/tools/rule-names.ts";
import type { SessionLink, TerminalFace } from "../../faces/terminal/link.ts";
import type { SessionWords } from "../../faces/terminal/screen/entries.ts";
import { renderDenial } from "../../prompts/render/denial.ts";
import { loadPrompts } from "../../prompts/index.ts";
import type { SessionArguments } from "../args.ts";
import { openSession, type OpenedSession } from "../../program/open-session.ts";
import { sessionReview } from "./session-review.ts";
import { tipIsDue } from "./tips.ts";
import { openState } from "../../program/state-file.ts";
import { programName } from "../program-name.ts";
import { openHistory } from "../../program/prompt-history.ts";
import { isUsageError, type UsageError } from "../../program/usage-error.ts";

/** What the terminal's first frame does without: known when the session's parts are loaded. */
export interface LateProgram {
  words: SessionWords;
}

export interface SessionRun {
  readonly args: SessionArguments;
  readonly face: TerminalFace;
  readonly program: LateProgram;
  /** What to say on leaving, however that comes about. */
  readonly resumeHint: (hint: string) => void;
}

export interface SessionEnd {
  /** The session to go on with, null to end. */
  readonly next: SessionArguments | null;
  /** How to come back to this one when that cannot be had. */
  readonly former: SessionArguments;
  readonly exitCode: number;
}

export async function runSession({ args, face, program, resumeHint }: SessionRun): Promise<SessionEnd | UsageError> {
  const prompts = loadPrompts();
  program.words = { ...program.words, denial: (denial, facts) => renderDenial(prompts, denial, facts) };
  let live: OpenedSession | null = null;
  const ending = new AbortController();
  const review = sessionReview({
    environment: process.env,
    prompts,
    tell: (line) => face.tell(line),
    current: () => live?.handle ?? null,
    costUsd: ({ usage }) => (live === null ? null : costUsd(live.model.name, usage.total)),
  });
  const composed = await openSession({
    wish: args,
    person: everyone(face.person, review.person),
    environment: process.env,
    startedIn: process.cwd(),
    tell: (line) => face.tell(line),
    prompts,
    listen: (happening) => {
      review.listen(happening);
      face.listen(happening);
    },
    mayLead: true,
    onShutdown: () => face.leave("leave"),
    askTrust: (brings) => askTrust(face, brings),
  });
  if (isUsageError(composed)) return composed;
  try {
    live = composed;
    program.words = { ...program.words, call: composed.show };
    await review.goOn();
    const verify = async (): Promise<string> => {
      const { verifyHere } = await import("./session-verify.ts");
      const { signal } = ending;
      return verifyHere({ handle: () => composed.handle, prompts, tell: (line) => face.tell(line), signal });
    };
    face.attach({ ...(await linkTo(composed, args)), openReview: () => review.open(), verify });
    void showTip(face, args);
    hintAt(composed, resumeHint);
    if (args.prompt !== null) face.submit(args.prompt);
    const wish = await face.wish();
    hintAt(composed, resumeHint);
    const former = argumentsFor(composed.handle.state.id, args.model, args);
    const next = wish.kind === "switch" ? argumentsFor(wish.session, wish.model ?? args.model, args) : null;
    return { next, former, exitCode: wish.kind === "gone" ? 129 : 0 };
  } finally {
    ending.abort();
    await review.close();
    await composed.close();
  }
}

async function askTrust(face: TerminalFace, brings: readonly string[]): Promise<boolean> {
  face.tell(`This folder's settings want more than a project may have by itself:\n${brings.join("\n")}`);
  const options = [
    { value: "no", label: "No, go on without these settings", note: "" },
    { value: "yes", label: "Yes, I trust this folder", note: "" },
  ];
  return (await face.ask("Trust the settings of this folder?", options)) === "yes";
}

async function showTip(face: TerminalFace, { resume }: SessionArguments): Promise<void> {
  if (resume !== null) return;
  const home = configHome();
  const state = openState({ configHome: home, now: Date.now, warn: () => undefined });
  const isDue = await tipIsDue("shift-tab", state).catch(() => false);
  if (isDue) face.tip("shift+tab changes the mode: ask for each edit, accept edits, plan");
}

function hintAt(composed: OpenedSession, resumeHint: (hint: string) => void): void {
  resumeHint(`To go on: ${programName()} --resume ${composed.handle.state.id}`);
}

function argumentsFor(resume: string, model: string | null, args: SessionArguments): SessionArguments {
  return { ...args, resume, model, mode: null, prompt: null, fork: false, sessionId: null, approve: null };
}

async function linkTo(composed: OpenedSession, args: SessionArguments): Promise<SessionLink> {
  const { settings, directory, modelName } = composed;
  const home = configHome();
  const root = await projectRoot(directory);
  const folder = sessionsFolder(home, root);
  const history = openHistory({ home, root });
  return {
    current: () => composed.handle,
    settings,
    model: modelName,
    hooks: () => composed.hooks(),
    costOf: (usage) => costUsd(composed.model.name, usage),
    sandbox: sandboxWords(composed),
    undo: composed.undo,
    sessions: async () =>
      (await listSessions(folder)).map(({ id, words, changedAt, mode }) => ({ id, words, changedAt, mode })),
    models: async () => knownModels(modelName, process.env),
    files: fileList(composed, directory),
    history: history.read,
    remember: history.add,
    isResumed: args.resume !== null,
  };
}

async function sandboxWords({ shell }: OpenedSession): Promise<string> {
  const rung = await shell.rung();
  return rung.kind === "none" ? "no sandbox" : rung.name;
}

/** The files of the project, listed anew when some time has passed. */
function fileList(composed: OpenedSession, directory: string): SessionLink["files"] {
  const search = createSearch();
  let listed: { readonly at: number; readonly paths: Promise<readonly string[]> } | null = null;
  return () => {
    if (listed !== null && Date.now() - listed.at < 5_000) return listed.paths;
    const { permissions, roots } = composed.handle.state;
    const query = {
      pattern: "**/*",
      root: directory,
      limit: 20_000,
      hidden: hiddenGlobs(permissions.rules, roots),
    };
    const paths = search.glob(query, new AbortController().signal).then(
      (found) => found.paths.map((path) => relative(directory, path)),
      () => [],
    );
    listed = { at: Date.now(), paths };
    return paths;
  };
}
