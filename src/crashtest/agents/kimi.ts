/** Kimi Code, headless; its model is named by variables. */
import { worthlessKey } from "./by-command.ts";
import type { AgentRow } from "./row.ts";

const notLooked = "where its rules lie was not looked at";

export const kimi: AgentRow = {
  name: "kimi",
  title: "Kimi Code",
  programs: ["kimi"],
  wires: ["chat"],
  tried: [],
  cannot: {
    rules: notLooked,
    planted: notLooked,
    bypass: "it has no such flag: a session is in that mode or it is not",
    approval: "headless it shows its plan to nobody",
  },
  own: [".kimi-code"],
  guard: null,
  prepare: () => undefined,
  start: ({ mode, resumes, prompt, url }) => ({
    args: [...(mode === "plan" ? ["--plan"] : []), ...(resumes ? ["--continue"] : []), "-p", prompt],
    environment: {
      KIMI_MODEL_NAME: "probe",
      KIMI_MODEL_API_KEY: worthlessKey,
      KIMI_MODEL_PROVIDER_TYPE: "openai",
      KIMI_MODEL_BASE_URL: `${url}/v1`,
      KIMI_CODE_NO_AUTO_UPDATE: "1",
    },
  }),
};
