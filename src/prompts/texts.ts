/** Reads a prompt's text from beside this file; the bundle replaces this module by a literal. */
import { readFileSync } from "node:fs";

export function readText(name: string): string | undefined {
  try {
    return readFileSync(new URL(`./${name}.md`, import.meta.url), "utf8");
  } catch {
    return undefined;
  }
}
