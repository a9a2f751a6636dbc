// The review of a plan of the real Codex, on our own page: node scripts/clients/codex-stories.mjs [--only text]
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { clientProgram } from "./cache.mjs";
import { driver, started, trust } from "./codex.mjs";
import { loadLoopback, startModel } from "./model.mjs";
import { visitPage } from "./page.mjs";
import { changesOf, endReviews, makePlace, openedPages, treeOf } from "./place.mjs";

const groundplan = fileURLToPath(new URL("../../dist/bin/groundplan.js", import.meta.url));
const planned = (text) => ({ text: `<proposed_plan>\n# Plan\n\n${text}\n</proposed_plan>` });
const writing = { tool: "exec_command", input: { cmd: "touch made.txt" } };
const feedback = "Use tabs, “please”: <b>all</b> of them.";

/** Each: what the model says turn by turn, what the person does, and what must have come of it. */
const scenes = {
  "sent back, then approved": {
    turns: [planned("One."), planned("Two."), { calls: [writing] }],
    async person({ page, planning, model }) {
      const turn = planning();
      const review = await page();
      const sentBack = await review.decide({ kind: "revise", feedback });
      const approved = await review.decide({ kind: "approve" }, "# Plan\n\nTwo.\n");
      await turn;
      const [{ text: told }] = model.turns[1].body["input"].at(-1).content;
      return [
        ["the page takes both answers", sentBack === 200 && approved === 200],
        ["the feedback is in the next request, word for word", withoutEscapes(told).includes(feedback)],
        ["the turn ends with the approval", model.turns.length === 2],
      ];
    },
    changes: [],
  },
  "approved, then implemented": {
    turns: [planned("One."), { calls: [writing] }],
    async person({ page, planning, working }) {
      const turn = planning();
      const approved = await (await page()).decide({ kind: "approve" });
      await turn;
      await working("Implement the plan.");
      return [["the page takes the answer", approved === 200]];
    },
    changes: ["project/made.txt"],
  },
  "answered in Codex first": {
    turns: [planned("One."), { calls: [writing] }],
    async person({ page, planning, interrupt, working }) {
      const turn = planning();
      const review = await page();
      await review.asked();
      await interrupt();
      await turn;
      await working("Implement the plan.");
      return [["the page asks no more", await review.isOver()]];
    },
    changes: ["project/made.txt"],
  },
  "the page's process is killed": {
    turns: [planned("One."), { calls: [writing] }],
    async person({ page, planning, interrupt, office, model }) {
      const turn = planning();
      await (await page()).asked();
      const { pid } = office();
      process.kill(pid, "SIGKILL");
      await until(() => office().pid !== pid);
      await interrupt();
      await turn;
      return [["nothing was approved", model.turns.length === 1]];
    },
    changes: [],
  },
  "no browser, and Codex is ended": {
    browser: "/nowhere/browser",
    turns: [planned("One."), { calls: [writing] }],
    async person({ planning, rpc, office, model }) {
      const turn = planning().catch(() => null);
      await until(() => office() !== null);
      await rpc.end();
      await turn;
      return [["nothing was approved", model.turns.length === 1]];
    },
    changes: [],
  },
};

const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
const found = await clientProgram(driver);
if ("problem" in found) {
  process.stdout.write(`Codex: SKIPPED, ${found.problem}\n`);
  process.exit(0);
}
const startLoopback = await loadLoopback();
for (const [name, scene] of Object.entries(scenes).filter(([each]) => each.includes(values.only))) {
  const first = await tried(scene);
  const wrong = first.length === 0 ? first : await tried(scene);
  process.stdout.write(
    `${wrong.length === 0 ? "holds" : "FAILS"}  ${name}${wrong.map((line) => `\n       ${line}`).join("")}\n`,
  );
  if (wrong.length > 0) process.exitCode = 1;
}

/** What does not hold. */
function tried(scene) {
  return played(scene).catch((error) => [String(error)]);
}

async function played(scene) {
  const place = makePlace();
  const { turns } = scene;
  const model = await startModel(startLoopback, { isTurn: driver.isTurn, turn: (at) => turns[at] ?? null });
  const environment = {
    PATH: process.env["PATH"],
    LANG: "C.UTF-8",
    HOME: place.home,
    BROWSER: scene.browser ?? place.browser,
  };
  const client = {
    ...place,
    program: found.file,
    surface: "direct",
    allow: false,
    options: { review: "browser" },
    url: model.url,
    environment,
  };
  const record = join(place.home, ".groundplan/reviews/page.json");
  const office = () => (existsSync(record) ? JSON.parse(readFileSync(record, "utf8")) : null);
  try {
    spawnSync(process.execPath, [groundplan, "install", "codex", "--yes"], { cwd: place.project, env: environment });
    await trust(client);
    const before = treeOf(place, driver.own);
    const wrong = await talked(scene, { client, model, office });
    const changes = changesOf(before, treeOf(place, driver.own), place);
    const isSame = JSON.stringify(changes) === JSON.stringify(scene.changes);
    return isSame ? wrong : [...wrong, `changed: ${changes.join(", ") || "nothing"}`];
  } finally {
    endReviews(place);
    await model.close();
    place.remove();
  }
}

async function talked({ person }, { client, model, office }) {
  const rpc = await started(client);
  try {
    const cwd = client.project;
    const { thread } = await rpc.ask("thread/start", { cwd, approvalPolicy: "never", sandbox: "danger-full-access" });
    let current = null;
    const said = async (text, mode) => {
      const settings = { model: "gpt-5.5", reasoning_effort: null, developer_instructions: null };
      const input = [{ type: "text", text }];
      const collaborationMode = { mode, settings };
      const { turn } = await rpc.ask("turn/start", { threadId: thread.id, input, collaborationMode });
      current = turn.id;
      return rpc.until(({ method, params }) => method === "turn/completed" && params.turn.id === turn.id);
    };
    const claims = await person({
      rpc,
      model,
      office,
      planning: () => said("Please do the probe.", "plan"),
      working: (text) => said(text, "default"),
      interrupt: () => rpc.ask("turn/interrupt", { threadId: thread.id, turnId: current }),
      page: () => until(() => openedPages(client)[0] && visitPage(openedPages(client)[0])),
    });
    return claims.filter(([, holds]) => !holds).map(([claim]) => `not so: ${claim}`);
  } finally {
    await rpc.end();
  }
}

/** Codex puts what a hook says into an element of its own. */
function withoutEscapes(text) {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

async function until(look) {
  const last = Date.now() + 60_000;
  while (Date.now() < last) {
    const seen = await look();
    if (seen) return seen;
    await new Promise((resolve) => void setTimeout(resolve, 20));
  }
  throw new Error("it never came to be");
}
