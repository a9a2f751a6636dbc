// The stories of a real client with our review, each in a cage of its own: node scripts/run-ts.mjs scripts/clients/stories.mjs <claude|codex> <program> [part of a story's name]
import * as claude from "./claude-stories.mjs";
import * as codex from "./codex-stories.mjs";
import { inCage } from "./in-cage.mjs";

const [name, program, only = ""] = process.argv.slice(2);
const tellers = { claude, codex };

await inCage(name, program, {
  act: (at, around) => tellers[around.name].told(tellers[around.name].stories[at], around),
  lead: async (ask) => {
    const all = [...tellers[name].stories.entries()].filter(([, story]) => story.name.includes(only));
    const left = [...all];
    const wrong = new Map();
    const told = async (at) => wrong.set(at, [await ask(at)].flat());
    const lane = async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await told(next[0]);
    };
    // Three at a time: they wait most of their time. One that fails is told once more, alone.
    await Promise.all([lane(), lane(), lane()]);
    for (const [at] of all) if (wrong.get(at).length > 0) await told(at);
    for (const [at, story] of all) {
      const lines = wrong.get(at).map((line) => `\n       ${line.replaceAll("\n", "\n       ")}`);
      process.stdout.write(`${lines.length === 0 ? "holds" : "FAILS"}  ${story.name}${lines.join("")}\n`);
      if (lines.length > 0) process.exitCode = 1;
    }
  },
});
