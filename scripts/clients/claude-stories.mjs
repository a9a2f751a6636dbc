// Claude Code in a real terminal with our review: answered in the page, in the terminal, by nobody, and with each part of the guard broken.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { planFileOf } from "../../src/crashtest/agents/claude-probes.ts";
import { inTurns } from "../../src/crashtest/agents/own-probe.ts";
import { openTerminal } from "../../src/crashtest/inside/terminal.ts";
import { pause } from "../../src/crashtest/inside/pause.ts";
import { freshResults } from "../../src/crashtest/inside/wire.ts";
import { visitPage } from "./page.mjs";
import { installed, killStarted, onStage, openedPages, pageOffice, until, waitingPage } from "./stage.mjs";

const plan = "# Plan\n\n1. Change note.txt.\n";
const edited = `${plan}2. And say so, “exactly”.\n`;
const comment = { id: "c1", kind: "change", from: 3, to: 3, quote: "Change note.txt.", text: "Not <b>this</b> file." };

/** It writes its plan, presents it, and writes to the project as if that were approved. */
const exit = inTurns(
  (asked) => ({ tool: "Write", input: { file_path: planFileOf(asked) ?? "/nowhere/plan.md", content: plan } }),
  () => ({ tool: "ExitPlanMode", input: { plan } }),
  made,
  removed,
);

export const stories = [
  {
    name: "approved in the page with an edit: file and model get the edited text, the mode is set",
    async tell({ page, model, place, until }) {
      const answered = await (await page()).decide({ kind: "approve", mode: "acceptEdits", plan: edited });
      await until("the model goes on", () => model.turns.length >= 4);
      return {
        answered: answered === 200,
        file: planTexts(place).includes(edited),
        model: resultAt(model, 2).includes(edited),
        "a write after it is let by": existsSync(join(place.project, "made.txt")),
      };
    },
    changes: true,
  },
  {
    name: "sent back with comments: the next request has them word for word",
    async tell({ page, model, until }) {
      const verdict = { kind: "revise", feedback: "Use tabs, “please”.", comments: [comment] };
      const answered = await (await page()).decide(verdict);
      await until("the model goes on", () => model.turns.length >= 3);
      const result = resultAt(model, 2);
      return {
        answered: answered === 200,
        feedback: result.includes("Use tabs, “please”."),
        comment: result.includes("Not <b>this</b> file."),
        quote: result.includes("> Change note.txt."),
      };
    },
  },
  {
    name: "approved in the terminal first: the page closes and says so",
    async tell({ page, terminal, model, until }) {
      const open = await page();
      await answeredBy(terminal, "Enter");
      await until("the model goes on", () => model.turns.length >= 3);
      return { page: await until("the page is closed", () => isOver(open)) };
    },
    changes: true,
  },
  {
    name: "turned down in the terminal first: the page closes with the person's next words, nothing is written",
    async tell({ page, terminal, until }) {
      const open = await page();
      await answeredBy(terminal, "Escape");
      await pause(2000);
      const stays = await open.state().then(Boolean, () => false);
      await terminal.say("Go on planning.", Date.now() + 20_000);
      return { "the page outlives the hook": stays, page: await until("the page is closed", () => isOver(open)) };
    },
  },
  { name: "the page is opened and left", waits: true, tell: async ({ page }) => ({ page: (await page()) !== null }) },
  {
    name: "no browser",
    waits: true,
    environment: { BROWSER: "/nowhere/browser" },
    tell: async ({ place }) => ({ "nothing was opened": openedPages(place).length === 0 }),
  },
  {
    name: "the hook is killed while it waits",
    waits: true,
    async tell({ page, until }) {
      await page();
      const killed = await until("the hook is there", () => killStarted("PermissionRequest"));
      return { killed };
    },
  },
  {
    name: "the page process is killed: its successor asks again",
    async tell({ page, place, model, until }) {
      const before = await page();
      process.kill(pageOffice(place).pid, "SIGKILL");
      const again = await until("another page is there", async () => {
        const link = openedPages(place).at(-1) ?? waitingPage(place);
        const found = link === null ? null : await visitPage(link).catch(() => null);
        return found !== null && (await found.state().catch(() => null))?.request ? found : null;
      });
      await again.decide({ kind: "revise", feedback: "After all." });
      await until("the model goes on", () => model.turns.length >= 3);
      return { before: before !== null, told: resultAt(model, 2).includes("After all.") };
    },
  },
  {
    name: "the hook is past its time",
    waits: true,
    prepare: (place) => editSettings(place, (entry) => ({ ...entry, timeout: 2 }), "PermissionRequest"),
    tell: async ({ page }) => ({ page: (await page()) !== null }),
  },
  {
    name: "strict: no dialog and no key answers while the page asks; approved there with an edit, the mode is set",
    environment: { GROUNDPLAN_REVIEW: "browser-only" },
    async tell({ page, model, place, terminal, until }) {
      const open = await page();
      for (const key of ["Enter", "Enter", "1"]) await terminal.key(key);
      await pause(1500);
      const asks = (await open.state()).request !== null && model.turns.length === 2;
      const hidden = !isDialog(await terminal.screen());
      await open.decide({ kind: "approve", mode: "acceptEdits", plan: edited });
      await until("the model goes on", () => model.turns.length >= 4);
      const [file, told] = [planTexts(place).includes(edited), resultAt(model, 2).includes(edited)];
      return { asks, "no dialog": hidden, file, told, "the mode": existsSync(join(place.project, "made.txt")) };
    },
    changes: true,
  },
  {
    name: "strict: sent back, its own dialog never opens",
    environment: { GROUNDPLAN_REVIEW: "browser-only" },
    async tell({ page, model, until }) {
      await (await page()).decide({ kind: "revise", feedback: "Use tabs, “please”." });
      await until("the model goes on", () => model.turns.length >= 3);
      return { feedback: resultAt(model, 2).includes("Use tabs, “please”.") };
    },
  },
  {
    name: "strict: the hook is killed with its launcher while it waits, the dialog that opens is answered with no",
    environment: { GROUNDPLAN_REVIEW: "browser-only" },
    async tell({ page, model, until }) {
      await page();
      await until("the hook is there", () => killStarted("PreToolUse"));
      await until("the model goes on", () => model.turns.length >= 3);
      return { refused: resultAt(model, 2).startsWith("The plan is not approved") };
    },
  },
  {
    name: "the program is missing: nothing goes while planning, the plan least of all",
    prepare: ({ home }) => rmSync(join(home, ".groundplan/bin/guard")),
    async tell({ model, place, terminal, until }) {
      await until("the model ends", () => model.turns.length >= 5);
      const isRefused = [1, 2, 3, 4].every((at) => resultAt(model, at).includes("Groundplan guards plan mode here"));
      const isPlanning = /plan mode on/.test(await terminal.screen());
      return { "each is refused": isRefused, "it still plans": isPlanning, "no page": openedPages(place).length === 0 };
    },
  },
  {
    name: "the program is missing: a write while planning, bypass available",
    prepare: ({ home }) => rmSync(join(home, ".groundplan/bin/guard")),
    bypass: true,
    turn: inTurns(made, removed),
    async tell({ model, until }) {
      await until("the model goes on", () => model.turns.length >= 3);
      return { "both are refused": [1, 2].every((at) => /Groundplan|groundplan/.test(resultAt(model, at))) };
    },
  },
  {
    name: "the program is missing: work goes on",
    prepare: ({ home }) => rmSync(join(home, ".groundplan/bin/guard")),
    work: true,
    turn: inTurns(made),
    async tell({ model, until, place }) {
      await until("the model goes on", () => model.turns.length >= 2);
      return { "the file is there": existsSync(join(place.project, "made.txt")) };
    },
    changes: true,
  },
  {
    name: "the judging program is killed: refused, bypass available",
    prepare: (place) => judgedBy(place, 'process.kill(process.pid, "SIGKILL");'),
    bypass: true,
    turn: inTurns(made, removed),
    async tell({ model, until }) {
      await until("the model goes on", () => model.turns.length >= 3);
      return { "both are refused": [1, 2].every((at) => /hook error/.test(resultAt(model, at))) };
    },
  },
  {
    name: "the judging program hangs past the client's time: refused, bypass available",
    prepare: (place) => judgedBy(place, 'if (process.argv.includes("PreToolUse")) setInterval(() => {}, 1e6);'),
    bypass: true,
    turn: inTurns(made),
    async tell({ model, until }) {
      await until("the model goes on", () => model.turns.length >= 2, 50_000);
      return { "it is refused": /hook error/.test(resultAt(model, 1)) };
    },
  },
];

/** What does not hold. */
export function told(story, around) {
  const { bypass = false, work = false, turn = exit } = story;
  const wish = {
    mode: work ? "work" : "plan",
    circumstances: { special: ["terminal"], ...(bypass ? { bypass } : {}) },
    environment: story.environment,
    turn: (at, asked) => turn(asked, at),
    guard: async (guarded) => {
      await installed(guarded);
      story.prepare?.(guarded.stage);
    },
  };
  return onStage(around, wish, async (place, model) => {
    const terminal = await openTerminal(place, model.row.start(place));
    if (typeof terminal === "string") return [terminal];
    try {
      await until("it is ready", async () => /plan mode on|bypass permissions on/.test(await terminal.screen()));
      await terminal.say(place.prompt, Date.now() + 20_000);
      return await lived(story, { place, model, terminal });
    } catch (error) {
      return [String(error), await terminal.screen()];
    } finally {
      await terminal.close();
    }
  });
}

async function lived(story, { place, model, terminal }) {
  const page = () => until("the page is opened", () => openedPages(place)[0] && visitPage(openedPages(place)[0]));
  if (story.waits) await until("it asks", async () => isDialog(await terminal.screen()));
  const facts = await story.tell({ page, model, place, terminal, until });
  if (story.waits) await pause(3000);
  const wrong = Object.entries(facts).flatMap(([name, holds]) => (holds ? [] : [`not so: ${name}`]));
  const changes = model.changes();
  if (story.changes !== true && changes.length > 0) wrong.push(`changed: ${changes.join(", ")}`);
  if (story.waits && model.turns.length !== 2) wrong.push(`the plan was answered: ${resultAt(model, 2).slice(0, 200)}`);
  if (story.waits && !isDialog(await terminal.screen())) wrong.push("its own dialog is gone");
  return wrong;
}

/** The page asks no longer, and says where it was answered. */
async function isOver(page) {
  const state = await page.state().catch(() => null);
  return state !== null && state.request === null && state.answered?.by?.surface === "Claude Code";
}

/** A dialog takes no key in its first moments: the person presses again while it is there. */
async function answeredBy(terminal, key) {
  await until("it asks", async () => isDialog(await terminal.screen()));
  await terminal.press(key, isDialog, Date.now() + 25_000);
}

function isDialog(screen) {
  return /would you like to proceed|keep planning/i.test(screen);
}

function planTexts({ home }) {
  const folder = join(home, ".claude/plans");
  return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8")) : [];
}

function editSettings({ home }, change, event) {
  const file = join(home, ".claude/settings.json");
  const settings = JSON.parse(readFileSync(file, "utf8"));
  for (const group of settings.hooks[event]) group.hooks = group.hooks.map(change);
  writeFileSync(file, JSON.stringify(settings));
}

/** The launcher starts this instead of the hook's program. */
function judgedBy({ home, root }, text) {
  const file = join(root, "judge.cjs");
  writeFileSync(file, text);
  const launcher = join(home, ".groundplan/bin/guard");
  writeFileSync(launcher, readFileSync(launcher, "utf8").replace(/^hook=.*$/m, `hook='${file}'`));
}

function resultAt({ turns }, at) {
  return turns[at] === undefined ? "" : freshResults(turns[at]).join("\n");
}

function made({ stage }) {
  return { tool: "Write", input: { file_path: join(stage.project, "made.txt"), content: "made" } };
}

function removed() {
  return { tool: "Bash", input: { command: "rm note.txt", description: "probe" } };
}
