/** The table of other agents: how each is heard and answered, a row each. Where its entries go stands in `install/`. */
import { claude } from "./claude.ts";
import type { Client } from "./client.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";

export const clientTable: readonly Client[] = [claude, codex, opencode, gemini];

export function clientNamed(name: string): Client | null {
  return clientTable.find((client) => client.name === name) ?? null;
}
