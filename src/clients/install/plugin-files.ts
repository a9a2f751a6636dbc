/** Our plugin in the formats of Claude Code and Codex, made of the same entries: what lies in the folder `plugin/`. */
import { entriesOf, groupOf } from "./entries.ts";
import { anyLauncher } from "./parts.ts";

const name = "groundplan";
const description =
  "Plan mode that holds: writes are refused while the agent plans, and plans are reviewed in the browser.";

/** Codex looks for a manifest of its own first: its payloads are others, and so are its entries. Path below `plugin/` and text; kept equal by a test. */
export function pluginFiles(version: string): Readonly<Record<string, string>> {
  const manifest = { name, version, description, author: { name: "Groundplan" }, license: "MIT" };
  const marketplace = {
    name,
    description,
    owner: { name: "Groundplan" },
    plugins: [{ name, source: "./", description, version }],
  };
  return {
    ".claude-plugin/plugin.json": jsonText(manifest),
    ".claude-plugin/marketplace.json": jsonText(marketplace),
    ".codex-plugin/plugin.json": jsonText({ ...manifest, hooks: "./hooks/codex.json" }),
    "hooks/codex.json": jsonText({ hooks: hooksOf("codex") }),
    "hooks/hooks.json": jsonText({ description, hooks: hooksOf("claude") }),
  };
}

function hooksOf(agent: "claude" | "codex"): object {
  const hooks: Record<string, object[]> = {};
  for (const entry of entriesOf(agent, { launcher: anyLauncher, file: "the plugins of this agent" }))
    (hooks[entry.event] ??= []).push(groupOf(entry));
  return hooks;
}

function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
