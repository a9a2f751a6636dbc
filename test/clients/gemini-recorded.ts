/** Payloads and transcripts that the real Gemini CLI wrote (0.61.0), heard by its row. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { HookInput, Occasion } from "../../src/clients/client.ts";
import { gemini } from "../../src/clients/gemini.ts";
import { geminiPolicy } from "../../src/clients/gemini-policy.ts";

export interface Recorded {
  readonly event: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly payload: Readonly<Record<string, unknown>>;
}

const folder = join(import.meta.dirname, "payloads/gemini");

export function recorded(name: string): Recorded {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as Recorded;
}

/** The first lines of a transcript, before the nth call of its model was answered. */
export function transcript(name: string, calls = Infinity): string {
  let seen = 0;
  const lines = readFileSync(join(folder, `${name}-transcript.jsonl`), "utf8").split("\n");
  return lines.filter((line) => (line.includes('"toolCalls"') ? (seen += 1) <= calls : seen <= calls)).join("\n");
}

export const transcriptPath = "/home/person/.gemini/tmp/project/chats/session-1.jsonl";
export const plansDirectory = "/home/person/.gemini/tmp/project/session-1/plans";
export const policyPath = "/home/person/.gemini/policies/groundplan.toml";
export const policy = geminiPolicy({ launcher: "/home/person/.groundplan/bin/guard" });

/** As the client is started. */
export const planned = ["/usr/bin/node", "/usr/bin/gemini", "--approval-mode", "plan", "-p", "plan it"];
export const working = ["/usr/bin/node", "/usr/bin/gemini", "--approval-mode=yolo", "-p", "do it"];
export const sitting = ["node", "/usr/lib/node_modules/@google/gemini-cli/bundle/gemini.js"];

export interface Heard {
  readonly line?: readonly string[] | null;
  readonly texts?: Readonly<Record<string, string>>;
}

export function inputOf(
  { event, environment, payload }: Recorded,
  { line = planned, texts = {} }: Heard = {},
): HookInput {
  const read = (path: string): string | null => (Object.hasOwn(texts, path) ? texts[path]! : null);
  return {
    event,
    payload,
    environment: { HOME: "/home/person", ...environment },
    readText: read,
    readTail: read,
    listNames: () => [],
    ancestors: () => [["/bin/sh", "-c", "guard hook gemini BeforeTool"], ...(line === null ? [] : [line]), ["bash"]],
  };
}

export function hear(of: Recorded, how: Heard = {}): Occasion {
  return gemini.hear(inputOf(of, how));
}
