/** Descriptions of the tools that begin and end planning or start agents, as the settings want them. */
import type { Prompts } from "./index.ts";

export interface DescriptionSettings {
  readonly planEagerness: "eager" | "reserved";
  /** The person's own agents. */
  readonly agents: readonly { readonly name: string; readonly description: string }[];
}

export type DescribedTool = "EnterPlanMode" | "ExitPlanMode" | "Agent";

/** Never depends on the mode (R5.4). */
export function toolDescription(prompts: Prompts, tool: DescribedTool, settings: DescriptionSettings): string {
  switch (tool) {
    case "EnterPlanMode":
      return prompts(`tools/enter-plan-mode-${settings.planEagerness}`);
    case "ExitPlanMode":
      return prompts("tools/exit-plan-mode");
    case "Agent": {
      const others = settings.agents.map(({ name, description }) => `\n- ${name}: ${description}`).join("");
      return prompts("tools/agent", { others });
    }
  }
}
