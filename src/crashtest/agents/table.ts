/** The table of agents that the crash test knows, a row each. */
import { claude } from "./claude.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import { groundplan } from "./groundplan.ts";
import { kimi } from "./kimi.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { qwen } from "./qwen.ts";
import type { AgentRow } from "./row.ts";

export const agentTable: readonly AgentRow[] = [groundplan, claude, codex, gemini, opencode, qwen, kimi, cline, pi];

export function agentNamed(name: string): AgentRow | null {
  return agentTable.find((row) => row.name === name) ?? null;
}
