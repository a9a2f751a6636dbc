/** `groundplan acp --setup`: which model keys are found, which model would be used, and where an editor takes keys from. */
import { chooseModel, formatModelName } from "../../../agent/models/name.ts";
import { keyOf, providers } from "../../../agent/models/providers.ts";
import { answer, type Streams } from "../../command.ts";

export function setup(streams: Streams): number {
  const { env } = process;
  const rows = providers.map((row) => `  ${row.keyVariable.padEnd(20)} ${keyOf(row, env) === "" ? "not set" : "set"}`);
  const choice = chooseModel(null, env);
  const model = "code" in choice ? "none" : formatModelName(choice.name);
  const how =
    model === "scout"
      ? "Without a key scout plans offline. Set a key where the editor starts this program (its `env`), then try again."
      : "Settings and --model choose another one.";
  return answer(streams, ["Model keys in this environment:", ...rows, `Model: ${model}`, how].join("\n"));
}

/** Null where a key is there. */
export function missingKey(environment: NodeJS.ProcessEnv): string | null {
  if (providers.some((row) => keyOf(row, environment) !== "")) return null;
  const names = providers.map(({ keyVariable }) => keyVariable).join(", ");
  return `No key is set in the environment (${names}); without one scout plans offline.`;
}
