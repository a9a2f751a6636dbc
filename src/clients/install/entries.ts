/** The entries that go into each client's own file: the same text over releases, because clients ask for trust again when it changes. */
import { loadPrompts } from "../../prompts/index.ts";
import type { ClientName } from "../client.ts";
import { guardTest, quoted } from "./launcher.ts";

/** One handler in a client's list of an event, all in Claude Code's shape. */
export interface ClientEntry {
  readonly event: string;
  /** Null where the event has none. */
  readonly matcher: string | null;
  /** In the client's own unit. */
  readonly timeout: number;
  readonly command: string;
}

interface EntryRow {
  readonly event: string;
  /** Beside another one of the same event: this one may wait for a person. */
  readonly isForReview?: true;
  readonly matcher: string | null;
  readonly timeout: number;
}

/**
 * In seconds. A tool's call is judged by our own clock, and a client that reaches its limit goes on unguarded: where the
 * machine is so busy that we hardly start, it waits. A person may take days for a plan.
 */
const [quick, judged, patient] = [30, 600, 345_600];

const rows: Readonly<Record<Exclude<ClientName, "opencode">, readonly EntryRow[]>> = {
  claude: [
    { event: "PreToolUse", matcher: "*", timeout: judged },
    { event: "PreToolUse", isForReview: true, matcher: "ExitPlanMode", timeout: patient },
    { event: "PermissionRequest", matcher: "*", timeout: patient },
    { event: "PostToolUse", matcher: "ExitPlanMode", timeout: quick },
    { event: "UserPromptSubmit", matcher: null, timeout: quick },
    { event: "Stop", matcher: null, timeout: quick },
    { event: "SessionEnd", matcher: null, timeout: quick },
  ],
  codex: [
    { event: "PreToolUse", matcher: null, timeout: judged },
    { event: "PermissionRequest", matcher: null, timeout: quick },
    { event: "UserPromptSubmit", matcher: null, timeout: quick },
    { event: "Stop", matcher: null, timeout: patient },
  ],
  /** A plan is presented by a tool's call; ours answers other calls within seconds by itself. */
  gemini: [{ event: "BeforeTool", matcher: "*", timeout: patient * 1000 }],
};

/** `launcher`: a word of the shell, without single quotes. `file`: as the person knows it. */
export interface EntryPlace {
  readonly launcher: string;
  readonly file: string;
}

export function entriesOf(agent: Exclude<ClientName, "opencode">, place: EntryPlace): readonly ClientEntry[] {
  return rows[agent].map(({ event, isForReview, matcher, timeout }) => {
    return { event, matcher, timeout, command: entryCommand({ agent, event, isForReview }, place) };
  });
}

/** The events that ours must stand in, with the tools that they are for. */
export function eventsOfEntries(
  agent: Exclude<ClientName, "opencode">,
): readonly Pick<ClientEntry, "event" | "matcher">[] {
  return rows[agent];
}

/** The group of one handler, as it stands in the list of its event. */
export function groupOf({ matcher, timeout, command }: ClientEntry): object {
  const hooks = [{ type: "command", command, timeout }];
  return matcher === null ? { hooks } : { matcher, hooks };
}

/** Whatever home or release wrote it. */
export function isOurCommand(command: unknown, agent: ClientName): boolean {
  return typeof command === "string" && command.includes("/bin/guard") && command.includes(` hook ${agent} `);
}

interface Called {
  readonly agent: ClientName;
  readonly event: string;
  readonly isForReview?: true | undefined;
}

/**
 * For whatever shell the client starts, the person's own too: a text that sh, bash, zsh and fish read the same, which gives its
 * place to /bin/sh. Without the launcher it refuses where a refusal means one.
 */
export function entryCommand({ agent, event, isForReview }: Called, { launcher, file }: EntryPlace): string {
  const call = `hook ${agent} ${event}${isForReview === true ? " review" : ""}`;
  const start = `g=${launcher}; [ -s "$g" ] && exec sh "$g" ${call}; command -v groundplan >/dev/null && exec groundplan ${call}; `;
  const end = guarding.has(event)
    ? guardTest(agent, loadPrompts()("clients-entry/launcher-missing", { agent, file }))
    : "exit 0";
  return `exec /bin/sh -c ${quoted(start + end)}`;
}

/** The events whose exit code 2 stops a tool; elsewhere it would mean another thing, or none. */
const guarding: ReadonlySet<string> = new Set(["PreToolUse", "BeforeTool"]);
