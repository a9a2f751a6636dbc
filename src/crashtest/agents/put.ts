/** A settings file of an agent, with the folders above it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

export function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
