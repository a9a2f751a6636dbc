/** Cline, headless. */
import { join } from "node:path";
import { worthlessKey } from "./by-command.ts";
import { put } from "./put.ts";
import type { AgentRow } from "./row.ts";

const provider = "openai-compatible";
const free = "headless it lets everything through without rules";

export const cline: AgentRow = {
  name: "cline",
  title: "Cline",
  programs: ["cline"],
  wires: ["chat"],
  tried: ["3.0.65"],
  cannot: {
    rules: free,
    planted: free,
    bypass: "it has no such flag",
    resumedFrom: "headless a session is gone on with by its id alone, which it does not tell",
    approval: "headless it shows its plan to nobody",
  },
  own: [".cline", ".clinerules"],
  guard: null,
  prepare: ({ home, url }) => {
    const settings = { provider, apiKey: worthlessKey, model: "probe", baseUrl: `${url}/v1` };
    const known = { settings, updatedAt: "2001-01-01T00:00:00.000Z", tokenSource: "manual" };
    const providers = { version: 1, lastUsedProvider: provider, modes: {}, providers: { [provider]: known } };
    put(join(home, ".cline/data/settings/providers.json"), JSON.stringify(providers));
  },
  start: ({ mode, prompt }) => ({
    args: [...(mode === "plan" ? ["--plan"] : []), "-P", provider, "-m", "probe", prompt],
    environment: {},
  }),
};
