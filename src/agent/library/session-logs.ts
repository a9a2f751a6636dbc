/** The logs of every project's sessions, found without opening any. */
import { lstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { sessionsFolder } from "../host/config-home.ts";
import { namesIn } from "../host/files/entries.ts";

export interface SessionLog {
  /** The session's id; an agent's has its parent's before it. */
  readonly id: string;
  readonly path: string;
  /** `<project key>/<id>.jsonl`, or `<project key>/<parent>.agents/<agent>.jsonl` */
  readonly name: string;
  readonly size: number;
}

/** In one go: thousands of them are looked at in some milliseconds, and none is opened. */
export function listLogs(configHome: string): readonly SessionLog[] {
  const sessions = join(configHome, "sessions");
  return namesIn(sessions).flatMap((key) =>
    namesIn(`${sessions}/${key}`).flatMap((name) => {
      const path = `${sessions}/${key}/${name}`;
      if (name.endsWith(".jsonl")) return logAt(path, name.slice(0, -".jsonl".length), `${key}/${name}`);
      if (!name.endsWith(".agents")) return [];
      const parent = name.slice(0, -".agents".length);
      return namesIn(path)
        .filter((agent) => agent.endsWith(".jsonl"))
        .flatMap((agent) =>
          logAt(`${path}/${agent}`, `${parent}-agent-${agent.slice(0, -".jsonl".length)}`, `${key}/${name}/${agent}`),
        );
    }),
  );
}

/** Where the log of that session would lie. */
export function logPath(configHome: string, project: string, session: string): string {
  const folder = sessionsFolder(configHome, project);
  const [, parent, agent] = /^(.+?)-agent-(.+)$/.exec(session) ?? [];
  return parent === undefined ? join(folder, `${session}.jsonl`) : join(folder, `${parent}.agents`, `${agent}.jsonl`);
}

/** The log's name among all, by its path. */
export function markName(path: string): string {
  const folder = basename(dirname(path));
  const isAgents = folder.endsWith(".agents");
  return join(isAgents ? join(basename(dirname(dirname(path))), folder) : folder, basename(path));
}

function logAt(path: string, id: string, name: string): readonly SessionLog[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true ? [{ id, path, name, size: found.size }] : [];
}
