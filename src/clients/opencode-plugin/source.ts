/** Reads the plugin's source from beside this file; the bundle replaces this module by a literal. */
import { readFileSync } from "node:fs";

export function pluginSource(): string {
  return readFileSync(new URL("./groundplan.js", import.meta.url), "utf8");
}
