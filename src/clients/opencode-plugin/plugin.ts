/** The plugin for opencode as it is installed: one file without dependencies that names our launcher. */
import { loadPrompts } from "../../prompts/index.ts";
import { pluginSource } from "./source.ts";

export function opencodePlugin({ launcher }: { readonly launcher: string }): string {
  const prompts = loadPrompts();
  const words = {
    tool: prompts("clients-opencode/tool"),
    toolPlan: prompts("clients-opencode/tool-plan"),
    notNow: prompts("clients-opencode/not-now"),
    refused: prompts("clients-opencode/refused"),
    broken: prompts("clients-opencode/broken", { problem: "{{problem}}" }),
  };
  return pluginSource()
    .replace('"@launcher@"', () => JSON.stringify(launcher))
    .replace('"@words@"', () => JSON.stringify(words, null, 2));
}
