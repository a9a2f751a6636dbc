// The review of a plan of the real Codex, on our own page.
import { openCodex } from "../../src/crashtest/agents/codex.ts";
import { visitPage } from "./page.mjs";
import { onStage, openedPages, pageOffice, until } from "./stage.mjs";

const planned = (text) => ({ text: `<proposed_plan>\n# Plan\n\n${text}\n</proposed_plan>` });
const writing = { tool: "exec_command", input: { cmd: "touch made.txt" } };
const feedback = "Use tabs, “please”: <b>all</b> of them.";

/** Each: what the model says turn by turn, what the person does, and what must have come of it. */
export const stories = [
  {
    name: "sent back, then approved",
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
  {
    name: "approved, then implemented",
    turns: [planned("One."), { calls: [writing] }],
    async person({ page, planning, working }) {
      const turn = planning();
      const approved = await (await page()).decide({ kind: "approve" });
      await turn;
      await working("Implement the plan.");
      return [["the page takes the answer", approved === 200]];
    },
    changes: ["project/made.txt is new"],
  },
  {
    name: "answered in Codex first",
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
    changes: ["project/made.txt is new"],
  },
  {
    name: "the page's process is killed",
    turns: [planned("One."), { calls: [writing] }],
    async person({ page, planning, interrupt, office, model }) {
      const turn = planning();
      await (await page()).asked();
      const { pid } = office();
      process.kill(pid, "SIGKILL");
      await until("another office", () => office().pid !== pid);
      await interrupt();
      await turn;
      return [["nothing was approved", model.turns.length === 1]];
    },
    changes: [],
  },
  {
    name: "no browser, and Codex is ended",
    browser: "/nowhere/browser",
    turns: [planned("One."), { calls: [writing] }],
    async person({ planning, rpc, office, model }) {
      const turn = planning().catch(() => null);
      await until("another office", () => office() !== null);
      await rpc.end();
      await turn;
      return [["nothing was approved", model.turns.length === 1]];
    },
    changes: [],
  },
];

/** What does not hold. */
export function told({ turns, browser, person, changes: expected }, around) {
  const environment = { GROUNDPLAN_REVIEW: "browser", ...(browser === undefined ? {} : { BROWSER: browser }) };
  const wish = { circumstances: { special: ["direct"] }, environment, turn: (at) => turns[at] ?? null };
  return onStage(around, wish, async (place, { turns: asked, changes }) => {
    const wrong = await talked(person, place, { turns: asked });
    const changed = changes().join(", ");
    return changed === expected.join(", ") ? wrong : [...wrong, `changed: ${changed || "nothing"}`];
  });
}

async function talked(person, place, model) {
  const rpc = await openCodex(place);
  try {
    const cwd = place.project;
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
      office: () => pageOffice(place),
      planning: () => said(place.prompt, "plan"),
      working: (text) => said(text, "default"),
      interrupt: () => rpc.ask("turn/interrupt", { threadId: thread.id, turnId: current }),
      page: () => until("the page is opened", () => openedPages(place)[0] && visitPage(openedPages(place)[0])),
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
