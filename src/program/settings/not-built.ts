/** Settings that are read and checked, and that nothing acts on yet: said at the start and by `doctor`, never passed over. */
import type { Settings } from "../../core/settings/settings.ts";

export interface NotBuilt {
  readonly name: "hooks" | "mcpServers";
  /** What there is of it, in words. */
  readonly what: string;
}

export function notBuilt(
  settings: Pick<Settings, "hooks" | "mcpServers">,
  mcpConfig: string | null,
): readonly NotBuilt[] {
  const hooks = Object.entries(settings.hooks).flatMap(([name, list]) => (list.length === 0 ? [] : [name]));
  const servers = Object.keys(settings.mcpServers);
  const named = [...servers, ...(mcpConfig === null ? [] : [`--mcp-config ${mcpConfig}`])];
  return [
    ...(hooks.length === 0 ? [] : [{ name: "hooks", what: hooks.join(", ") } as const]),
    ...(named.length === 0 ? [] : [{ name: "mcpServers", what: named.join(", ") } as const]),
  ];
}

/** One line, null where there is nothing to say. */
export function notBuiltText(found: readonly NotBuilt[]): string | null {
  if (found.length === 0) return null;
  const parts = found.map(({ name, what }) => (name === "hooks" ? `hooks (${what})` : `MCP servers (${what})`));
  return `NOT RUN: ${parts.join(" and ")} are configured, and this version does not run them yet. What they guard is not guarded.`;
}
