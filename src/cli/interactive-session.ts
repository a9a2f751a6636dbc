/** One session behind the terminal face: composed, shown, and left again with what comes next. */
import { homedir } from "node:os";
import { relative } from "node:path";
import { configHome, projectRoot, sessionsFolder } from "../agent/host/config-home.ts";
import { createSearch } from "../agent/host/search.ts";
import { costUsd, defaultModels } from "../agent/models/catalog.ts";
import { listSessions } from "../agent/session-list.ts";
import { deniedGlobs } from "../core/rules.ts";
import type { FaceWish, SessionLink } from "../faces/terminal/link.ts";
import type { TerminalFace } from "../faces/terminal/face.ts";
import { renderDenial } from "../prompts/denial.ts";
import { loadPrompts } from "../prompts/index.ts";
import type { SessionArguments } from "./args.ts";
import { composeSession, type Composed } from "./compose.ts";
import type { LateProgram } from "./interactive.ts";
import { openHistory } from "./prompt-history.ts";
import { isUsageError, type UsageError } from "./usage-error.ts";

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
  readonly exitCode: number;
}

export async function runSession({ args, face, program, resumeHint }: SessionRun): Promise<SessionEnd | UsageError> {
  const prompts = loadPrompts();
  program.words = (denial, facts) => renderDenial(prompts, denial, facts);
  const composed = await composeSession({
    args,
    person: face.person,
    environment: process.env,
    startedIn: process.cwd(),
    tell: face.tell,
    prompts,
    listen: face.listen,
  });
  if (isUsageError(composed)) return composed;
  try {
    face.attach(await linkTo(composed, args));
    hintAt(composed, resumeHint);
    if (args.prompt !== null) face.submit(args.prompt);
    const wish = await face.wish();
    hintAt(composed, resumeHint);
    return { next: nextArguments(wish, args), exitCode: wish.kind === "gone" ? 129 : 0 };
  } finally {
    await composed.close();
  }
}

function hintAt(composed: Composed, resumeHint: (hint: string) => void): void {
  resumeHint(`Resume this session with: groundplan --resume ${composed.handle.state.id}`);
}

function nextArguments(wish: FaceWish, args: SessionArguments): SessionArguments | null {
  if (wish.kind !== "switch") return null;
  const { mode: _, prompt: __, ...rest } = args;
  return {
    ...rest,
    mode: null,
    prompt: null,
    fork: false,
    sessionId: null,
    approve: null,
    resume: wish.session,
    model: wish.model ?? args.model,
  };
}

async function linkTo(composed: Composed, args: SessionArguments): Promise<SessionLink> {
  const { settings, directory, modelName } = composed;
  const home = configHome({ environment: process.env, directory: homedir() });
  const root = await projectRoot(directory);
  const folder = sessionsFolder(home, root);
  const history = openHistory({ home, root });
  return {
    current: () => composed.handle,
    settings,
    model: modelName,
    costOf: (usage) => costUsd(composed.model.name, usage),
    sandbox: sandboxWords(composed),
    sessions: async () =>
      (await listSessions(folder)).map(({ id, words, changedAt, mode }) => ({ id, words, changedAt, mode })),
    models: async () => knownModels(modelName),
    files: fileList(composed, directory),
    history: history.read,
    remember: history.add,
    isResumed: args.resume !== null,
  };
}

async function sandboxWords({ shell }: Composed): Promise<string | null> {
  const rung = await shell.rung();
  return rung.kind === "none" ? "no sandbox" : null;
}

function knownModels(present: string): readonly string[] {
  const keys = { anthropic: "ANTHROPIC_API_KEY", openai: "OPENAI_API_KEY", google: "GEMINI_API_KEY" } as const;
  const names = (Object.keys(keys) as (keyof typeof keys)[]).flatMap((provider) =>
    process.env[keys[provider]] === undefined
      ? []
      : [`${provider}/${defaultModels[provider].main}`, `${provider}/${defaultModels[provider].small}`],
  );
  return [...new Set([present, ...names, "scout"])];
}

/** The files of the project, listed anew when some time has passed. */
function fileList(composed: Composed, directory: string): SessionLink["files"] {
  const search = createSearch();
  let listed: { readonly at: number; readonly paths: Promise<readonly string[]> } | null = null;
  return (signal) => {
    if (listed !== null && Date.now() - listed.at < 5_000) return listed.paths;
    const { permissions, roots } = composed.handle.state;
    const query = {
      pattern: "**/*",
      root: directory,
      limit: 20_000,
      hidden: deniedGlobs(permissions.rules, "Read", roots),
    };
    const paths = search.glob(query, signal).then(
      (found) => found.paths.map((path) => relative(directory, path)),
      () => [],
    );
    listed = { at: Date.now(), paths };
    return paths;
  };
}
