/** The options that installed programs really have: from manual pages and completion files, read and not run. */
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { KnownCommand } from "./vocabulary.ts";

/** One entry for each program that has a manual page or a completion file. */
export function documentedCommands(names: readonly string[]): KnownCommand[] {
  return names
    .map((name) => ({ name, options: [...new Set([...manualOptions(name), ...completionOptions(name)])] }))
    .filter(({ options }) => options.length > 0);
}

const manuals = ["/usr/share/man/man1", "/usr/share/man/man8"];
const completions = ["/usr/share/bash-completion/completions", "/etc/bash_completion.d"];

function manualOptions(name: string): string[] {
  const files = manuals.flatMap((folder) => [
    `${folder}/${name}.${folder.at(-1)}.gz`,
    `${folder}/${name}.${folder.at(-1)}`,
  ]);
  const file = files.find((path) => existsSync(path));
  if (file === undefined) return [];
  const bytes = readFileSync(file);
  const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  return optionsOf(text);
}

function completionOptions(name: string): string[] {
  const file = completions.map((folder) => `${folder}/${name}`).find((path) => existsSync(path));
  return file === undefined ? [] : optionsOf(readFileSync(file, "utf8"));
}

/** `--name=` and `-n value` take one; the rest is taken as it stands. */
export function optionsOf(text: string): string[] {
  const plain = text
    .replaceAll(/\\f\w|\\f\(..|\\&|\\\|/g, "")
    .replaceAll("\\-", "-")
    .replaceAll("\\", "");
  const found = plain.matchAll(/(?<![\w-])(--?[a-zA-Z0-9][\w-]*)(\[?=\[?|[ ]?<[a-z]|[ ][A-Z]{3,}\b)?/g);
  return Array.from(found, ([, option = "", value = ""]) => (value === "" ? option : `${option}=`));
}
