/** What a killed run leaves in the temporary folder goes with the next one; what lives, or is not ours, stays. */
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { identify } from "../../src/agent/host/launch/process-identity.ts";
import { realFolder } from "../support/folder.ts";
import { needs } from "../support/needs.ts";
import { setStage } from "./program.ts";
import { until } from "../support/until.ts";

test(
  "a folder for commands that kill -9 left is swept by the next run; a living one's, a link and a stranger's folder stay",
  needs("bubblewrap"),
  async () => {
    const temporary = realFolder("-tmp");
    const elsewhere = realFolder("-elsewhere");
    const dead = JSON.stringify({ ...(await identify()), pid: 4_194_305 });
    writeFileSync(join(elsewhere, "holder"), dead);
    const stage = await setStage({
      script: (_, turn) => {
        if (turn > 2) return { text: "Done." };
        return { calls: [{ tool: "Bash", input: { command: turn === 1 ? "sleep 300" : "cat a.ts" } }] };
      },
    });
    try {
      const environment = { TMPDIR: temporary };
      const child = stage.start(["-p", "wait", "--permission-mode", "plan"], { environment });
      const ended = new Promise((resolve) => child.on("close", resolve));
      const left = await until(
        "its folder is there",
        () => readdirSync(temporary).find((one) => existsSync(join(temporary, one, "holder"))) ?? null,
      );
      expect(left).toMatch(/^groundplan-scratch-/);
      const stay = ["living", "unsaid", "link"].map((name) => `groundplan-scratch-${name}`);
      for (const name of stay.slice(0, 2)) mkdirSync(join(temporary, name), { mode: 0o700 });
      writeFileSync(join(temporary, stay[0]!, "holder"), JSON.stringify(await identify()));
      symlinkSync(elsewhere, join(temporary, stay[2]!));
      child.kill("SIGKILL");
      await ended;
      expect(readdirSync(temporary)).toContain(left);
      const { code } = await stage.run(["-p", "look", "--permission-mode", "plan"], { environment });
      expect(code).toBe(0);
      expect(
        readdirSync(temporary)
          .filter((name) => name.startsWith("groundplan-scratch-"))
          .toSorted(),
      ).toEqual(stay.toSorted());
      expect(readdirSync(elsewhere)).toEqual(["holder"]);
    } finally {
      await stage.close();
    }
  },
);
