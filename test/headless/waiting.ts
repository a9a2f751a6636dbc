/** A session of the real program whose plan waits for an answer. */
import { createHash } from "node:crypto";
import type { LoopbackRequest, ScriptedTurn } from "../../src/testing/loopback.ts";
import { planFileIn, stageWith, type Stage } from "./program.ts";

const json = ["--output-format", "json"];
const plan = "# Add b\n\n1. Create `b.ts`\n";
export const hash = createHash("sha256").update(plan).digest("hex");

type Turn = ScriptedTurn | ((request: LoopbackRequest) => ScriptedTurn);

interface Waiting extends Stage {
  readonly sessionId: string;
  /** What a run of this session comes to, and what the model heard in it. */
  readonly goOn: (args: readonly string[], stdin?: string) => Promise<WentOn>;
}

interface WentOn {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly heard: string;
}

/** A plan waits; the turns are what the model then says. */
export async function waiting(...turns: readonly Turn[]): Promise<Waiting> {
  const stage = await stageWith((request, number) => {
    if (number === 1)
      return {
        calls: [
          { tool: "Write", input: { file_path: planFileIn(JSON.stringify(request.body)), content: plan } },
          { tool: "ExitPlanMode", input: {} },
        ],
      };
    const turn = turns[Math.min(number - 1, turns.length) - 1] ?? { text: "Fine." };
    return typeof turn === "function" ? turn(request) : turn;
  });
  const { sessionId } = JSON.parse((await stage.run(["-p", "add b", "--permission-mode", "plan", ...json])).stdout);
  const goOn: Waiting["goOn"] = async (args, stdin = "") => {
    const before = stage.server.requests.length;
    const ran = await stage.run(["-p", ...args], { stdin });
    return { ...ran, heard: JSON.stringify(stage.server.requests.slice(before).map(({ body }) => body)) };
  };
  return { ...stage, sessionId, goOn };
}
