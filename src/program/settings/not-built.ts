/** Settings that are read and checked, and that nothing acts on yet: said at the start and by `doctor`, never passed over. */
import type { Settings } from "../../core/settings/settings.ts";

export interface NotBuilt {
  readonly name: "mcpServers";
  /** What there is of it, in words. */
  readonly what: string;
}

export function notBuilt(settings: Pick<Settings, "mcpServers">, mcpConfig: string | null): readonly NotBuilt[] {
  const servers = Object.keys(settings.mcpServers);
  const named = [...servers, ...(mcpConfig === null ? [] : [`--mcp-config ${mcpConfig}`])];
  return named.length === 0 ? [] : [{ name: "mcpServers", what: named.join(", ") }];
}

/** One line, null where there is nothing to say. */
export function notBuiltText(found: readonly NotBuilt[]): string | null {
  if (found.length === 0) return null;
  const parts = found.map(({ what }) => `MCP servers (${what})`);
  return `NOT RUN: ${parts.join(" and ")} are configured, and this version does not run them yet. What they guard is not guarded.`;
}
