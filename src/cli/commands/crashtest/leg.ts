/** `groundplan crashtest-leg`: one run of an agent, started by `crashtest` in its cage. */
import { serveLeg } from "../../../crashtest/inside/serve.ts";
import type { Command } from "../../command.ts";

export const crashtestLeg: Command = async (_, { stdin, stdout }) => {
  await serveLeg(stdin, stdout);
  return 0;
};
