/** `groundplan completion-words plans|sessions`: what a shell offers, one a line: an id that is enough, a tab, what it is about. */
import { configHome, projectRoot, sessionsFolder } from "../../agent/host/config-home.ts";
import { shortened, shortIds } from "../../agent/library/find-plan.ts";
import { openLibrary } from "../../agent/library/library.ts";
import { findSessions, summarize } from "../../agent/store/session-list.ts";
import { answer, type Command } from "../command.ts";
import { visibleLine } from "../complaint.ts";

/** What somebody would choose from; older ones are found by `plans` and `sessions`. */
const most = 30;

/** bash carries out what stands in a list of words: an id that is more than letters is not offered. */
const plain = /^[\w-]+\t/;

export const completionWords: Command = async ([kind], streams) => {
  const home = configHome();
  const project = await projectRoot(process.cwd());
  const lines =
    kind === "plans" ? await planLines(home, project) : kind === "sessions" ? await sessionLines(home, project) : [];
  const offered = lines.filter((line) => plain.test(line));
  return offered.length === 0 ? 0 : answer(streams, offered.join("\n"));
};

async function planLines(home: string, project: string): Promise<readonly string[]> {
  const library = await openLibrary({ configHome: home, project, tell: () => undefined });
  const short = shortIds(library.list({ all: true }));
  return library
    .list()
    .slice(0, most)
    .map(({ id, title, status }) => `${short.get(id) ?? id}\t${status}  ${brief(title)}`);
}

async function sessionLines(home: string, project: string): Promise<readonly string[]> {
  const all = await findSessions(sessionsFolder(home, project));
  const ids = all.map(({ id }) => id);
  const lines: string[] = [];
  for (const session of all.slice(0, most)) {
    const { id, words } = await summarize(session);
    const others = ids.filter((other) => other !== id);
    lines.push(`${shortened(id, others)}\t${brief(words)}`);
  }
  return lines;
}

function brief(text: string): string {
  return visibleLine(text).slice(0, 60);
}
