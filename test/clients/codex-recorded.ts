/** Payloads and transcripts that the real Codex wrote (0.166.0), heard by its row. */
import { readFileSync } from "node:fs";
import { dirname, basename, join } from "node:path";
import type { HookInput, Occasion } from "../../src/clients/client.ts";
import { codex } from "../../src/clients/codex.ts";

export interface Recorded {
  readonly event: string;
  readonly payload: Record<string, unknown>;
  readonly files: Readonly<Record<string, readonly object[]>>;
}

export function recorded(name: string): Recorded {
  return JSON.parse(readFileSync(join(import.meta.dirname, "payloads/codex", `${name}.json`), "utf8")) as Recorded;
}

export function lines(entries: readonly object[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
}

/** Texts by path, read as the hook reads them. */
export function inputOf({
  event,
  payload,
  texts,
}: {
  event: string;
  payload: unknown;
  texts: Map<string, string>;
}): HookInput {
  return {
    event,
    payload,
    environment: {},
    readText: (path) => texts.get(path) ?? null,
    readTail: (path, bytes) => {
      const text = texts.get(path);
      if (text === undefined || text.length <= bytes) return text ?? null;
      const tail = text.slice(-bytes);
      return tail.slice(tail.indexOf("\n") + 1);
    },
    listNames: (directory) =>
      [...texts.keys()].filter((path) => dirname(path) === directory).map((path) => basename(path)),
    ancestors: () => [],
  };
}

export function textsOf({ files }: Recorded): Map<string, string> {
  return new Map(Object.entries(files).map(([path, entries]) => [path, lines(entries)]));
}

export function hear(name: string, more: Record<string, unknown> = {}): Occasion {
  const found = recorded(name);
  return codex.hear(inputOf({ event: found.event, payload: { ...found.payload, ...more }, texts: textsOf(found) }));
}
