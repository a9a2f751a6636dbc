// Claude Code in a real terminal with our review: answered in the page, in the terminal, by nobody, and with each part of the guard broken. node scripts/clients/claude-stories.mjs [--only text] [--verbose]
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { clientProgram } from "./cache.mjs";
import { driver, exit, plan, startOf } from "./claude.mjs";
import { answeredBy, editSettings, isDialog, judgedBy, killHooks, linkOf, planTexts, until } from "./claude-stage.mjs";
import { loadLoopback, startModel } from "./model.mjs";
import { visitPage } from "./page.mjs";
import { changesOf, endReviews, makePlace, openedPages, treeOf } from "./place.mjs";
import { openTerminal, pause } from "./terminal.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const edited = `${plan}2. And say so, “exactly”.\n`;
const comment = { id: "c1", kind: "change", from: 3, to: 3, quote: "Change note.txt.", text: "Not <b>this</b> file." };

const stories = [
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
      await terminal.type("Go on planning.");
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
    async tell({ page, place, until }) {
      await page();
      const killed = await until("the hook is there", () => killHooks(place));
      return { killed };
    },
  },
  {
    name: "the page process is killed: its successor asks again",
    async tell({ page, place, model, until }) {
      const before = await page();
      endReviews(place);
      const again = await until("another page is there", async () => {
        const link = openedPages(place).at(-1) ?? linkOf(place);
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
    async tell({ page, model, place, until }) {
      await page();
      await until("the hook is there", () => killHooks(place, "PreToolUse"));
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
    turn: (run, at) => [made(run), removed()].map((call) => ({ calls: [call] }))[at] ?? null,
    async tell({ model, until }) {
      await until("the model goes on", () => model.turns.length >= 3);
      return { "both are refused": [1, 2].every((at) => /Groundplan|groundplan/.test(resultAt(model, at))) };
    },
  },
  {
    name: "the program is missing: work goes on",
    prepare: ({ home }) => rmSync(join(home, ".groundplan/bin/guard")),
    work: true,
    turn: (run, at) => [made(run)].map((call) => ({ calls: [call] }))[at] ?? null,
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
    turn: (run, at) => [made(run), removed()].map((call) => ({ calls: [call] }))[at] ?? null,
    async tell({ model, until }) {
      await until("the model goes on", () => model.turns.length >= 3);
      return { "both are refused": [1, 2].every((at) => /hook error/.test(resultAt(model, at))) };
    },
  },
  {
    name: "the judging program hangs past the client's time: refused, bypass available",
    prepare: (place) => judgedBy(place, 'if (process.argv.includes("PreToolUse")) setInterval(() => {}, 1e6);'),
    bypass: true,
    turn: (run, at) => [made(run)].map((call) => ({ calls: [call] }))[at] ?? null,
    async tell({ model, until }) {
      await until("the model goes on", () => model.turns.length >= 2, 50_000);
      return { "it is refused": /hook error/.test(resultAt(model, 1)) };
    },
  },
];

const { values } = parseArgs({ options: { only: { type: "string" }, verbose: { type: "boolean", default: false } } });
const startLoopback = await loadLoopback();
const found = await clientProgram(driver);
if ("problem" in found) process.stdout.write(`Claude Code: SKIPPED, ${found.problem}\n`);
else process.exitCode = (await tellAll(stories.filter(({ name }) => name.includes(values.only ?? "")))) ? 0 : 1;

async function tellAll(all) {
  let holds = true;
  for (const story of all) {
    const attempt = () => told(story).catch((error) => [String(error)]);
    const first = await attempt();
    const last = first.length === 0 ? first : await attempt();
    holds &&= last.length === 0;
    process.stdout.write(
      `${last.length === 0 ? "holds " : "FAILS "} ${story.name}${last.map((each) => `\n         ${each}`).join("")}\n`,
    );
  }
  return holds;
}

/** What does not hold. */
async function told(story) {
  const place = makePlace();
  const environment = { PATH: process.env["PATH"], LANG: "C.UTF-8", BROWSER: place.browser, ...story.environment };
  const { bypass = false, turn = exit } = story;
  const run = {
    ...place,
    program: found.file,
    planning: story.work !== true,
    surface: "terminal",
    allow: false,
    bypass,
    options: {},
    environment,
  };
  const model = await startModel(startLoopback, {
    isTurn: driver.isTurn,
    turn: (at, request) => turn(run, at, request),
  });
  Object.assign(run, { url: model.url, finished: model.finished, prompt: "Please do the probe.", limitMs: 40_000 });
  let terminal = null;
  try {
    install(run);
    story.prepare?.(place);
    const before = treeOf(place, driver.own);
    const start = startOf(run);
    terminal = await openTerminal(run, start.args, start.environment);
    await until("it is ready", async () => /plan mode on|bypass permissions on/.test(await terminal.screen()));
    await terminal.type(run.prompt);
    const page = () => until("the page is opened", () => openedPages(place)[0] && visitPage(openedPages(place)[0]));
    if (story.waits) await until("it asks", async () => isDialog(await terminal.screen()));
    const facts = await story.tell({ page, model, place, terminal, until });
    if (story.waits) await pause(4000);
    const wrong = Object.entries(facts).flatMap(([name, holds]) => (holds ? [] : [`not so: ${name}`]));
    const changes = changesOf(before, treeOf(place, driver.own), place);
    if (story.changes !== true && changes.length > 0) wrong.push(`changed: ${changes.join(", ")}`);
    if (story.waits && model.turns.length !== 2)
      wrong.push(`the plan was answered: ${resultAt(model, 2).slice(0, 200)}`);
    if (story.waits && !isDialog(await terminal.screen())) wrong.push("its own dialog is gone");
    return values.verbose && wrong.length > 0 ? [...wrong, await terminal.screen(), ...results(model)] : wrong;
  } catch (error) {
    const screen = values.verbose && terminal !== null ? [await terminal.screen(), ...results(model)] : [];
    return [String(error), ...screen];
  } finally {
    await terminal?.close();
    await model.close();
    endReviews(place);
    place.remove();
  }
}

function install({ project, home, environment }) {
  const program = join(root, "dist/bin/groundplan.js");
  const env = { ...environment, HOME: home };
  const { status, stderr } = spawnSync(process.execPath, [program, "install", "claude", "--yes"], {
    cwd: project,
    env,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`install: ${status}: ${stderr}`);
}

/** The page asks no longer, and says where it was answered. */
async function isOver(page) {
  const state = await page.state().catch(() => null);
  return state !== null && state.request === null && state.answered?.by?.surface === "Claude Code";
}

function results(model) {
  return model.turns.flatMap((request) => driver.resultsOf(request)).map((text) => `< ${text.slice(0, 300)}`);
}

function resultAt({ turns }, at) {
  return turns[at] === undefined ? "" : driver.resultsOf(turns[at]).join("\n");
}

function made({ project }) {
  return { tool: "Write", input: { file_path: join(project, "made.txt"), content: "made" } };
}

function removed() {
  return { tool: "Bash", input: { command: "rm note.txt", description: "probe" } };
}
