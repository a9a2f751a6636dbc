/** The Node host: real files, search, guarded shell, logs and locks, and an agent on them. */
export { startAgent, type AgentParts, type Beginning, type NamedModel } from "./agent/agent.ts";
export { createClassifier, type ClassifierOptions } from "./agent/auto/classifier.ts";
export { configHome, makePrivateFolder, projectKey, projectRoot, sessionsFolder } from "./agent/host/config-home.ts";
export { createFiles } from "./agent/host/files.ts";
export { createGuardedShell, type GuardedShell, type GuardedShellOptions } from "./agent/host/guarded-shell.ts";
export { lockSession, type Lock, type Locking } from "./agent/host/lock.ts";
export type { Rung } from "./agent/host/rung.ts";
export { createSearch } from "./agent/host/search.ts";
export { shellPort } from "./agent/host/shell-port.ts";
export { createWeb } from "./agent/host/web.ts";
export { loadLog, NewerLogError, readLog } from "./agent/log-reader.ts";
export { openLog, type FileLog } from "./agent/log.ts";
export { readMemory } from "./agent/memory-files.ts";
export { answerDesk, firstOf, nobody, type AnswerDesk } from "./agent/persons.ts";
export { listSessions, type SessionSummary } from "./agent/session-list.ts";
export { watchWorkTree, type WorkTreeWatch } from "./agent/work-tree-watch.ts";
export { compareWorkTree, snapshotWorkTree } from "./agent/work-tree.ts";
