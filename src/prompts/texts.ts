/** Reads a file of prompts from beside this file; the bundle replaces this module by a literal. */
import { readFileSync } from "node:fs";

export function readText(file: string): string | undefined {
  try {
    return readFileSync(new URL(`./${file}.md`, import.meta.url), "utf8");
  } catch {
    return undefined;
  }
}
