/** What the editor face needs of this program: sessions opened as the start and the editor wish, each with its review page. */
import { userInfo } from "node:os";
import { everyone } from "../../../agent/answers/persons.ts";
import { configHome, projectRoot, sessionsFolder } from "../../../agent/host/config-home.ts";
import { publicEvents } from "../../../agent/loop/public-events.ts";
import { knownModels } from "../../../agent/models/name.ts";
import { contextWindowOf, costUsd } from "../../../agent/models/providers.ts";
import { findSessions, projectFolders, summarize } from "../../../agent/store/session-list.ts";
import { errorText } from "../../../core/error-text.ts";
import { isInside } from "../../../core/decide/access.ts";
import type { EditorLink, EditorProgram, EditorWish, ListedSession, NotOpened } from "../../../faces/editor/link.ts";
import { openSession, type OpenedSession } from "../../../program/open-session.ts";
import { isUsageError } from "../../../program/usage-error.ts";
import { loadPrompts, type Prompts } from "../../../prompts/index.ts";
import { renderDenial } from "../../../prompts/render/denial.ts";
import { withAttachedText } from "../../../prompts/render/opening.ts";
import type { SessionArguments } from "../../args.ts";
import { sessionReview } from "../../interactive/session-review.ts";
import { version } from "../../version.ts";
import { missingKey } from "./setup.ts";

export function editorProgram(start: SessionArguments, complain: (line: string) => void): EditorProgram {
  const prompts = loadPrompts();
  return {
    version,
    words: {
      denial: (denial, facts) => renderDenial(prompts, denial, facts),
      attached: (prompt, attached) => withAttachedText(prompts, prompt, attached),
      eventsOf: (happening) => publicEvents(happening, prompts, { hasTaskTool: true }),
    },
    user: userInfo().username,
    missingKey: () => missingKey(process.env),
    contextWindow: contextWindowOf,
    open: (wish) => open(wish, start, prompts),
    sessions: listed,
    complain,
  };
}

async function open(wish: EditorWish, start: SessionArguments, prompts: Prompts): Promise<EditorLink | NotOpened> {
  const { directory, resume, tell } = wish;
  if (resume !== null && !(await isKnown(directory, resume)))
    return { problem: `There is no session ${resume} in this project.`, isUnknown: true };
  let live: OpenedSession | null = null;
  const ending = new AbortController();
  const review = sessionReview({
    environment: process.env,
    prompts,
    tell,
    current: () => live?.handle ?? null,
    costUsd: ({ usage }) => (live === null ? null : costUsd(live.model.name, usage.total)),
  });
  const addedDirectories = [...start.addedDirectories, ...wish.addedDirectories];
  const model = wish.model ?? start.model;
  const effort = wish.effort ?? start.effort;
  /** A session that goes on has its mode. */
  const mode = resume === null ? start.mode : null;
  const opened = await openSession({
    wish: { ...start, modeByModel: true, directory, addedDirectories, resume, model, effort, mode },
    person: everyone(wish.person, review.person),
    tell,
    prompts,
    listen: (happening) => {
      review.listen(happening);
      wish.listen(happening);
    },
    ...openTextOf(wish, () => live),
  });
  if (isUsageError(opened)) return { problem: opened.problem };
  live = opened;
  await review.goOn();
  return linkTo(opened, { tell, prompts, ending, review, effort: opened.model.effort ?? null });
}

interface Around {
  readonly tell: (line: string) => void;
  readonly prompts: Prompts;
  readonly ending: AbortController;
  readonly review: ReturnType<typeof sessionReview>;
  readonly effort: EditorLink["effort"];
}

function linkTo(opened: OpenedSession, { tell, prompts, ending, review, effort }: Around): EditorLink {
  let checking = new AbortController();
  return {
    get handle() {
      return opened.handle;
    },
    model: opened.model,
    modelName: opened.modelName,
    models: knownModels(opened.modelName, process.env),
    effort,
    directory: opened.directory,
    show: opened.show,
    undo: opened.undo,
    hooks: () => opened.hooks(),
    costOf: (usage) => costUsd(opened.model.name, usage),
    reviewLink: () =>
      review.link().catch((error: unknown) => {
        tell(`The review page cannot be had: ${errorText(error)}`);
        return null;
      }),
    verify: async () => {
      const signal = AbortSignal.any([ending.signal, checking.signal]);
      const { verifyHere } = await import("../../interactive/session-verify.ts");
      return verifyHere({ handle: () => opened.handle, prompts, tell, signal });
    },
    stopWaiting() {
      checking.abort();
      checking = new AbortController();
      opened.stopWaiting();
    },
    async close() {
      ending.abort();
      await review.close();
      await opened.close();
    },
  };
}

/** The editor is asked for files of the project alone, and for none of the plans. */
function openTextOf({ openText }: EditorWish, live: () => OpenedSession | null): Pick<EditorWish, "openText"> {
  if (openText === undefined) return {};
  return {
    openText: async (path, signal) => {
      const root = live()?.handle.state.roots.project;
      return root !== undefined && isInside(path, root) ? openText(path, signal) : null;
    },
  };
}

async function isKnown(directory: string, id: string): Promise<boolean> {
  const folder = sessionsFolder(configHome(), await projectRoot(directory));
  return (await findSessions(folder, id)).some((found) => found.id === id.toLowerCase());
}

async function listed(directory: string | null): Promise<readonly ListedSession[]> {
  const home = configHome();
  const folders =
    directory === null ? await projectFolders(home) : [sessionsFolder(home, await projectRoot(directory))];
  const found = (await Promise.all(folders.map((folder) => findSessions(folder)))).flat();
  const newest = found.toSorted((one, other) => other.changedAt - one.changedAt).slice(0, mostListed);
  const summaries = [];
  for (const session of newest) summaries.push(await summarize(session));
  return summaries.flatMap(({ id, words, changedAt, project }) =>
    project === null || words === "" ? [] : [{ id, directory: project, words, changedAt }],
  );
}

const mostListed = 100;
