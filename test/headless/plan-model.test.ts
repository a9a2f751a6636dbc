/** Another model for planning, told apart by the requests that arrive. */
import { expect, test } from "vitest";
import { planFileIn, setStage } from "./program.ts";

test("B7.4 planModel speaks while planning, the session's model works, also after a resume", async () => {
  const stage = await setStage({
    script: (request, turn) => {
      const file_path = planFileIn(JSON.stringify(request.body));
      if (turn === 1) return { calls: [{ tool: "Write", input: { file_path, content: "# Plan" } }] };
      return turn === 2 ? { calls: [{ tool: "ExitPlanMode", input: {} }] } : { text: "Done." };
    },
  });
  try {
    const models = ["--model", "anthropic/worker", "--plan-model", "anthropic/thinker"];
    const planned = await stage.run(["-p", "plan", "--permission-mode", "plan", "--output-format", "json", ...models]);
    const { sessionId, plan } = JSON.parse(planned.stdout);
    await stage.run(["-p", "--resume", sessionId, "--approve", plan.hash, ...models]);
    const asked = stage.server.requests.map(({ body }) => (body as { model: string }).model);
    expect(asked).toEqual(["thinker", "thinker", "worker"]);
  } finally {
    await stage.close();
  }
});

test("B7.4 a model that cannot be had is said aloud, never replaced silently", async () => {
  const stage = await setStage({ script: () => ({ refusal: "unknown-model" }) });
  try {
    const run = await stage.run(["-p", "hi", "--model", "anthropic/nowhere"]);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain("nowhere");
    const keyless = await stage.run(["-p", "hi", "--model", "google/x"], { environment: { GEMINI_API_KEY: "" } });
    expect(keyless).toMatchObject({ code: 2, stdout: "" });
    expect(keyless.stderr).toContain("GEMINI_API_KEY");
  } finally {
    await stage.close();
  }
});
