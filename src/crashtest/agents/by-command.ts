/** An agent that no row knows, by its command lines: it finds the model by the usual variables, its tools are found by what they are called. */
import { providers } from "../../agent/models/providers.ts";
import type { AgentRow, Stage } from "./row.ts";

const none = "its settings are not known here; a row would say";

export const byCommand: AgentRow = {
  name: "command",
  title: "a command",
  programs: [],
  wires: ["anthropic", "chat", "responses", "google"],
  tried: [],
  cannot: { rules: none, planted: none, bypass: none, resumedFrom: none, approval: none },
  own: [],
  guard: null,
  prepare: () => undefined,
  start: (stage) => ({
    args: [stage.prompt],
    environment: { ...addresses(stage), GROUNDPLAN_CRASHTEST_MODE: stage.mode, GROUNDPLAN_CRASHTEST_URL: stage.url },
  }),
};

/** The variables that lead every provider's programs to the scripted model. */
export function addresses({ url }: Pick<Stage, "url">): Record<string, string> {
  return Object.fromEntries(
    providers.flatMap(({ keyVariable, addressVariable, name }) => [
      [keyVariable, worthlessKey],
      [addressVariable, name === "openai" ? `${url}/v1` : url],
    ]),
  );
}

export const worthlessKey = "loopback-key-of-no-worth";
