/** With a cage nobody is asked about a harmless command: a sample of the corpus, run by the program while it plans. */
import { expect, test } from "vitest";
import { rowsOf } from "../shell-rows.ts";
import { needs } from "../support/needs.ts";
import { setStage } from "./program.ts";

const sample = 160;
const perTurn = 20;

test(
  "B1.4 B1.10 in the cage no reading command of the corpus is refused or asked about",
  needs("bubblewrap"),
  async () => {
    const reads = (["shell-classes", "shell-own", "shell-dev"] as const)
      .flatMap(rowsOf)
      .filter(({ label }) => label === "read");
    const every = Math.floor(reads.length / sample);
    const commands = reads.filter((_, at) => at % every === 0).map(({ cmd }) => cmd);
    const stage = await setStage({
      script: (_, turn) => {
        const now = commands.slice((turn - 1) * perTurn, turn * perTurn);
        if (now.length === 0) return { text: "Done." };
        return { calls: now.map((command) => ({ tool: "Bash", input: { command, timeout: 5_000 } })) };
      },
    });
    const settings = JSON.stringify({ sandbox: "required" });
    const { stdout } = await stage.run([
      "-p",
      "look",
      "--permission-mode",
      "plan",
      "--output-format",
      "json",
      "--settings",
      settings,
    ]);
    await stage.close();
    expect(commands.length).toBeGreaterThanOrEqual(sample);
    expect(JSON.parse(stdout)).toMatchObject({ result: "Done.", denials: [] });
  },
);
