/** What the person typed in a project before, for the input's history: one JSON string a line, only theirs to read. */
import { appendFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { makePrivateFolder, sessionsFolder } from "../agent/host/config-home.ts";
import { parseJson } from "../core/wire/shape.ts";
import { readRegularText } from "../agent/host/files/read-regular.ts";

export function openHistory({ home, root }: { readonly home: string; readonly root: string }) {
  const folder = join(home, "history");
  const file = join(folder, `${basename(sessionsFolder(home, root))}.jsonl`);
  /** Oldest first; unreadable lines are left out. */
  const read = async (): Promise<readonly string[]> => {
    const lines = (await readRegularText(file).catch(() => "")).split("\n");
    const kept = lines.flatMap(parsed).slice(-most);
    if (lines.length > most * 4)
      await writeFile(file, kept.map(lineOf).join(""), { mode: 0o600 }).catch(() => undefined);
    return kept;
  };
  const add = (text: string): void => {
    if (text.length > longest) return;
    const keep = async (): Promise<void> => {
      await makePrivateFolder(folder);
      await appendFile(file, lineOf(text), { mode: 0o600 });
    };
    keep().catch(() => undefined);
  };
  return { read, add };
}

const most = 100;
const longest = 10_000;

function lineOf(text: string): string {
  return `${JSON.stringify(text)}\n`;
}

function parsed(line: string): readonly string[] {
  const value = parseJson(line);
  return typeof value === "string" ? [value] : [];
}
