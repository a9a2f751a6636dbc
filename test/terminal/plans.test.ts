/** What becomes of plans on a terminal: saved ones stay, long ones are told, and nobody approves by accident. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import type { ScriptedTurn } from "../../src/testing/loopback.ts";
import { finish } from "../headless/program.ts";
import type { Pty } from "./pty.ts";
import { keys, press, setTerminalStage, type TerminalStage, type TerminalStageOptions } from "./stage.ts";

async function begin(
  script: TerminalStageOptions["script"],
  args: readonly string[] = [],
): Promise<{ readonly stage: TerminalStage; readonly terminal: Pty }> {
  const stage = await setTerminalStage({ script, files: { "src/cart.js": "export const total = 1;\n" } });
  const terminal = await stage.open(args);
  await terminal.until("claude");
  return { stage, terminal };
}

const isAsked = (screen: string): boolean => screen.includes("Approve this plan?");
const isAnswered = (screen: string): boolean => !isAsked(screen);

/** The newest plan file that a request names. */
function newestPlan(body: string): string {
  return [...body.matchAll(/\/[^"\s]*?\/plans\/[\p{L}\p{N}-]+\.md/gu)].at(-1)![0];
}

function plansIn({ stage }: TerminalStage): Readonly<Record<string, string>> {
  const folder = join(stage.home, "plans");
  const names = readdirSync(folder).filter((name) => name.endsWith(".md"));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

const submit: ScriptedTurn = { calls: [{ tool: "ExitPlanMode", input: {} }] };

function write(file_path: string, content: string): ScriptedTurn {
  return { calls: [{ tool: "Write", input: { file_path, content } }] };
}

test("R8.4 a saved plan is never written again: the next one has its own file, and the library keeps both", async () => {
  let saved = "";
  const { stage, terminal } = await begin(({ turn, body }) => {
    if (turn === 1) return write((saved = newestPlan(body)), "# Plan A\n");
    if (turn === 2 || turn === 5) return submit;
    if (turn === 3) return write(saved, "# Plan B\n");
    if (turn === 4) {
      const [, right] = /is not the plan file, which is ([^ ]+\.md)\./.exec(body)!;
      return write(right!, "# Plan B\n");
    }
    return { text: "Fine." };
  });
  terminal.type(`/plan A${keys.enter}`);
  await terminal.until(isAsked);
  await press(terminal, "s", isAnswered);
  await terminal.until("Plan saved for later");
  terminal.type(`/plan B${keys.enter}`);
  await terminal.until(isAsked);
  const plans = plansIn(stage);
  expect(plans[basename(saved)]).toBe("# Plan A\n");
  expect(Object.values(plans).toSorted()).toEqual(["# Plan A\n", "# Plan B\n"]);
  const { stdout } = await stage.stage.run(["plans", "--json"]);
  const listed = JSON.parse(stdout) as readonly { readonly title: string; readonly status: string }[];
  expect(listed.map(({ title, status }) => `${title}: ${status}`).toSorted()).toEqual([
    "Plan A: saved",
    "Plan B: submitted",
  ]);
});

test("R4 R8.4 after re-entry /plan shows the approved plan that is being carried out", async () => {
  const { terminal } = await begin(({ turn, body }) => {
    if (turn === 1) return write(newestPlan(body), "# Round the totals\n");
    return turn === 2 ? submit : { text: "I begin." };
  });
  terminal.type(`/plan round${keys.enter}`);
  await terminal.until(isAsked);
  await press(terminal, "y", isAnswered);
  await terminal.until("I begin.");
  terminal.type(`/plan${keys.enter}`);
  await terminal.until("plan mode on");
  terminal.type(`/plan${keys.enter}`);
  await terminal.until(/Approved Plan, being carried out[\s\S]*Round the totals/);
});

test("B6.1 a plan of very many steps says how its todos stand", async () => {
  const steps = Array.from({ length: 221 }, (_, at) => `- [ ] Step ${at + 1}`).join("\n");
  const { terminal } = await begin(({ turn, body }) => {
    if (turn === 1) return write(newestPlan(body), `# Long\n\n${steps}\n`);
    return turn === 2 ? submit : { text: "I begin." };
  });
  terminal.type(`/plan long${keys.enter}`);
  await terminal.until(isAsked);
  await press(terminal, "y", isAnswered);
  await terminal.until("I begin.");
  expect(terminal.everything()).toContain("the plan has 221 steps · the last 172 share one todo");
});

test("B2.4 keys that come in one read are a line: they answer nothing, and nothing of them is lost", async () => {
  const { stage, terminal } = await begin(({ turn, body }) => {
    if (turn === 1) return write(newestPlan(body), "# Round the totals\n");
    return turn === 2 ? submit : { text: "I begin." };
  });
  terminal.type(`/plan round${keys.enter}`);
  await terminal.until(isAsked);
  await press(terminal, keys.down, (screen) => /❯ 2\. Approve, edit freely/.test(screen));
  terminal.type(`${keys.escape}/plan as before`);
  await terminal.until("You were writing");
  expect(terminal.screen()).toContain("Approve this plan?");
  terminal.type("a");
  await press(terminal, keys.up, /❯ 1\. Approve, ask before each edit/);
  terminal.type("s");
  await terminal.until("Plan saved for later");
  await terminal.until("plan as beforea");
  expect(stage.stage.server.requests).toHaveLength(2);
});

test("B2.4 a letter typed after a pause answers nothing while a line was being written", async () => {
  const held: { goOn?: () => void } = {};
  const waiting = new Promise<void>((resolve) => (held.goOn = resolve));
  const { stage, terminal } = await begin(async ({ turn, body }) => {
    if (turn === 1) return write(newestPlan(body), "# Round the totals\n");
    if (turn === 2) await waiting;
    return turn === 2 ? submit : { text: "I begin." };
  });
  terminal.type(`/plan round${keys.enter}`);
  await terminal.until("thinking");
  terminal.type("and then we c");
  await terminal.until("and then we c");
  held.goOn?.();
  await terminal.until(isAsked);
  await press(terminal, "a", (screen) => screen.includes("You were writing"));
  terminal.type(keys.enter);
  await anotherRead();
  terminal.type("n");
  await press(terminal, keys.down, (screen) => /❯ 2\. Approve, edit freely/.test(screen));
  expect(stage.stage.server.requests).toHaveLength(2);
  terminal.type("x");
  await terminal.until("Plan abandoned.");
  await terminal.until(/and then we ca+n/);
});

/** What is typed then comes in another read than what was typed before. */
function anotherRead(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 750));
}

test("R7.13 B2.6 an agent's approved plan leaves a line in the transcript", async () => {
  let steps = 0;
  const { terminal } = await begin(({ turn, body }) => {
    const isAgent = !body.includes('"name":"Agent"');
    if (!isAgent && turn === 1) {
      const input = { description: "round", prompt: "round totals", subagent_type: "general-purpose", mode: "plan" };
      return { calls: [{ tool: "Agent", input }] };
    }
    if (!isAgent) return { text: "All done." };
    steps += 1;
    if (steps === 1) return write(newestPlan(body), "# Round the totals\n");
    return steps === 2 ? submit : { text: "Rounded." };
  });
  terminal.type(`round them${keys.enter}`);
  await terminal.until("Approve the plan of agent");
  await press(terminal, "y", (screen) => !screen.includes("Approve the plan of agent"));
  await terminal.until("All done.");
  expect(terminal.everything()).toMatch(/Agent general-purpose: plan approved → default/);
});

const asks = (screen: string): boolean => screen.includes("Approve the plan of agent bo@default?");

test("R12.2 B2.6 a lead's answers to a teammate's plan leave a line each in the lead's transcript", async () => {
  const stage = await setTerminalStage({
    settings: { team: { role: "lead" } },
    script({ turn, body, planFile }) {
      if (turn === 1) return write(planFile(), "# Add b\n");
      if (turn === 4) return write(newestPlan(body), "# Add b, tested\n");
      return turn === 2 || turn === 5 ? submit : { text: "I wait." };
    },
  });
  const terminal = await stage.open();
  await terminal.until("claude");
  const teammate = stage.stage.start(["team", "start", "bo", "add b", "--plan-required"]);
  const ended = finish(teammate, "");
  await terminal.until(asks);
  await press(terminal, "n", (screen) => screen.includes("What should change?"));
  terminal.type(`test it${keys.enter}`);
  await terminal.until("plan of bo@default sent back · Add b");
  await terminal.until((screen) => asks(screen) && screen.includes("tested"));
  await press(terminal, "y", (screen) => !asks(screen));
  await terminal.until("plan of bo@default approved → default · Add b, tested");
  expect((await ended).code).toBe(0);
});

test("R7.4 fresh context names its mode, also at 40 columns", async () => {
  const stage = await setTerminalStage({
    script: ({ turn, body }) => (turn === 1 ? write(newestPlan(body), "# Round the totals\n") : submit),
  });
  const terminal = await stage.open(["--permission-mode", "acceptEdits"], { columns: 40, rows: 14 });
  await terminal.until("accept edits on");
  terminal.type(`/plan round${keys.enter}`);
  await terminal.until("fresh context (acceptEdits)");
});

test("B4.1 passing through the modes by Shift+Tab says nothing, however often", async () => {
  const { terminal } = await begin(() => ({ text: "Fine." }));
  for (let pass = 0; pass < 3; pass += 1) {
    terminal.type(keys.shiftTab);
    await terminal.until("accept edits on");
    terminal.type(keys.shiftTab);
    await terminal.until("plan mode on");
    terminal.type(keys.shiftTab);
    await terminal.until((screen) => !screen.includes("plan mode on"));
  }
  expect(terminal.everything()).not.toContain("nothing was approved");
});
