/** The seam of a plan that waits: whatever a run of its session says, the model hears it, or the run says otherwise. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { planFileIn } from "../headless/program.ts";
import { createChance, type Chance } from "../invariants/random.ts";
import { setPlace, type Place, type Ran } from "./program.ts";

let place: Place;
beforeAll(async () => {
  place = await setPlace();
});
afterAll(() => place.close());

const seeds = Number(process.env["SEAM_SEEDS"] ?? 60);
const from = Number(process.env["SEAM_FROM"] ?? 1);
const heads = ["", "", "", "/plan ", "/plan ", "/mode ", "/compact ", "/nonsense "];
const alone = ["/plan", "/plan off", "/mode plan", "/mode acceptEdits", "/cost", "/help", "/todos", "/clear"];
const modes = [null, null, "plan", "default", "acceptEdits", "auto"] as const;

interface Story {
  readonly prompt: string;
  readonly isDriven: boolean;
  readonly args: readonly string[];
  readonly isApproved: boolean;
  readonly answer: "text" | "plan";
}

function someStory(chance: Chance, { words, id, hash }: Record<"words" | "id" | "hash", string>): Story {
  const prompt = chance.chance(0.7) ? `${chance.pick(heads)}${words}` : chance.pick(alone);
  const mode = chance.pick(modes);
  const approve = chance.chance(0.4) ? chance.pick([hash, hash, "0".repeat(64)]) : null;
  const args = [
    ...(chance.chance(0.5) ? ["--resume", id] : ["--continue"]),
    ...(mode === null ? [] : ["--permission-mode", mode]),
    ...(approve === null ? [] : ["--approve", approve]),
  ];
  const isDriven = chance.chance(0.3);
  return { prompt, isDriven, args, isApproved: approve === hash, answer: chance.pick(["text", "plan"] as const) };
}

/** What one story comes to, and whether somebody who wrote this prompt can know what became of it. */
async function tell(seed: number) {
  const words = `WORDS-${seed}-END`;
  const heard: string[] = [];
  let answer: Story["answer"] = "plan";
  place.settle({ user: {}, project: {}, option: {}, trust: false });
  place.script(({ body }) => {
    const text = JSON.stringify(body["messages"]);
    heard.push(text);
    if (answer === "text" || text.includes("Plan mode is off")) return { text: "Done." };
    const content = `# Plan ${seed}\n\n1. Step ${heard.length}\n`;
    const write = { tool: "Write", input: { file_path: planFileIn(text), content } };
    return { calls: [write, { tool: "ExitPlanMode", input: {} }] };
  });
  const json = ["--output-format", "stream-json"];
  const first = await place.run(["-p", "MAIN-TASK", "--permission-mode", "plan", ...json]);
  const { hash } = first.result["plan"] as { readonly hash: string };
  const id = first.result.sessionId;
  const story = someStory(createChance(seed), { words, id, hash });
  ({ answer } = story);
  heard.length = 0;
  const before = place.logs(id)[0]!.length;
  const { isDriven, prompt, args } = story;
  const ran: Ran | Error = await (
    isDriven
      ? place.run(["-p", ...args, ...json, "--input-format", "stream-json"], (event, stdin) => {
          if (event["type"] !== "session.resumed") return;
          stdin.write({ type: "user", text: prompt });
          stdin.end();
        })
      : place.run(["-p", prompt, ...args, ...json])
  ).catch((error: unknown) => error as Error);
  const isRefused = ran instanceof Error;
  const told = isRefused ? ran.message : `${ran.stderr}${ran.code === 0 ? "" : String(ran.result["result"])}`;
  const events = place.logs(id)[0]!.slice(before);
  const isHeard = heard.some((text) => text.includes(words));
  const isNamed = told.includes(prompt.split(" ")[0]!) || told.includes(words);
  return {
    story: `${seed}: ${JSON.stringify(story)}`,
    isLost: prompt.includes(words) && !isHeard && !isRefused && !isNamed,
    isSilent: !isRefused && ran.code === 0 && ran.result["result"] === "" && ran.stderr === "",
    isTouched: isRefused && events.length > 0,
    wrongApproval: events.some((event) => event.type === "review-decided" && event.verdict.kind === "approve")
      ? !story.isApproved || prompt.startsWith("/") || args.includes("plan")
      : story.isApproved && !isRefused,
  };
}

test("R7.11 B2.1 B4.1 a session whose plan waits, resumed with words, commands, modes and --approve: nothing said is lost, nothing approved by the way", async () => {
  const wrong: unknown[] = [];
  for (let seed = from; seed < from + seeds; seed += 1) {
    const { story, ...is } = await tell(seed);
    if (Object.values(is).includes(true)) wrong.push({ story, ...is });
  }
  expect(wrong).toEqual([]);
});
