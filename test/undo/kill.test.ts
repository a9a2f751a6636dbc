/** `groundplan undo` killed with -9 in the middle, at every kind of moment: the next start finishes it, and nothing is lost. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ScriptedTurn } from "../../src/testing/loopback.ts";
import { openStage, type Ran, type Stage } from "../headless/program.ts";
import { filesBelow } from "../support/walk.ts";
import { treeOf, type Tree } from "./stage.ts";

const files = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`src/${at % 3}/f${at}.txt`, `file ${at}\n`]));
const command = [
  "for f in src/*/*.txt; do echo changed >> $f; done",
  "rm src/0/f0.txt src/0/f3.txt",
  "chmod +x src/1/f1.txt",
  "mkdir -p new/deep && echo n > new/deep/n && echo m > new/m && ln -s new/m link",
  "rm src/2/f2.txt && mkdir src/2/f2.txt && echo inside > src/2/f2.txt/inside",
].join(" && ");

/** Ends its own process at the n-th change of a file after the journal is written; 0: only counts. */
const plant = `
const fs = require("node:fs");
const { syncBuiltinESMExports } = require("node:module");
const at = Number(process.env.KILL_AT);
let begun = false, count = 0;
for (const name of ["rename", "unlink", "symlink", "open", "mkdir", "rmdir"]) {
  const real = fs.promises[name];
  fs.promises[name] = async (...args) => {
    if (begun && (count += 1) === at) process.kill(process.pid, "SIGKILL");
    const result = await real(...args);
    if (name === "rename" && String(args[1]).endsWith("rewind.json")) begun = true;
    return result;
  };
}
syncBuiltinESMExports();
process.on("exit", () => fs.writeFileSync(process.env.KILL_COUNT, String(count)));
`;

interface Scene {
  readonly stage: Stage;
  readonly before: Tree;
  readonly after: Tree;
  undo(killAt: number): Promise<Ran>;
  /** How many changes of files an undo is that nobody disturbs. */
  count(): number;
}

async function setScene(): Promise<Scene> {
  const turns: ScriptedTurn[] = [{ calls: [{ tool: "Bash", input: { command } }] }];
  const stage = await openStage({ files, script: () => turns.shift() ?? { text: "Done." } });
  const before = treeOf(stage.repository);
  await stage.run(["-p", "change all", "--dangerously-skip-permissions", "--no-sandbox"]);
  const counted = join(stage.home, "..", "count");
  const planted = join(stage.home, "..", "plant.cjs");
  writeFileSync(planted, plant);
  return {
    stage,
    before,
    after: treeOf(stage.repository),
    undo: (killAt) => {
      const environment = { NODE_OPTIONS: `--require=${planted}`, KILL_AT: String(killAt), KILL_COUNT: counted };
      return stage.run(["undo", "--files"], { environment });
    },
    count: () => Number(readFileSync(counted, "utf8")),
  };
}

const rewindsIn = ({ stage }: Scene): number => {
  const sessions = join(stage.home, "sessions");
  const [project] = readdirSync(sessions);
  const log = readdirSync(join(sessions, project!)).find((name) => name.endsWith(".jsonl"))!;
  return readFileSync(join(sessions, project!, log), "utf8").split('"type":"session-rewound"').length - 1;
};

test.each([0, 1, 2, 3, 4])(
  "B15.4 killed at ten moments of a return (part %i of five), it is finished at the next start",
  async (part) => {
    const scene = await setScene();
    const { stage, before, after } = scene;
    expect(await scene.undo(0)).toMatchObject({ code: 0 });
    const all = scene.count();
    expect(all).toBeGreaterThan(50);
    expect(await stage.run(["redo"])).toMatchObject({ code: 0 });
    expect(treeOf(stage.repository)).toEqual(after);
    for (let moment = 0; moment < 10; moment += 1) {
      const killAt = 1 + Math.floor(((moment * 5 + part) * all) / 50);
      const rewinds = rewindsIn(scene);
      expect([killAt, await scene.undo(killAt)]).toMatchObject([killAt, { code: null }]);
      const next = await stage.run(["undo", "--list", "--json"]);
      expect([killAt, next]).toMatchObject([killAt, { code: 0 }]);
      expect([killAt, treeOf(stage.repository)]).toEqual([killAt, before]);
      expect(rewindsIn(scene)).toBe(rewinds + 1);
      expect(await stage.run(["redo"])).toMatchObject({ code: 0 });
      expect([killAt, treeOf(stage.repository)]).toEqual([killAt, after]);
    }
  },
);

test("B15.4 what was cut off is also finished by the start of another session in the project, and a file changed meanwhile is left alone", async () => {
  const scene = await setScene();
  const { stage } = scene;
  await scene.undo(30);
  writeFileSync(join(stage.repository, "src/1/f7.txt"), "mine\n");
  const ran = await stage.run(["-p", "hello"]);
  expect(ran.stderr).toContain("A rewind that was cut off is finished");
  const tree = new Map(treeOf(stage.repository));
  const then = new Map(scene.before);
  expect(readFileSync(join(stage.repository, "src/1/f7.txt"), "utf8")).toBe("mine\n");
  tree.delete("src/1/f7.txt");
  then.delete("src/1/f7.txt");
  expect(tree).toEqual(then);
});

test("B15.4 a rewind that was cut off and whose session was removed since holds nobody up", async () => {
  const scene = await setScene();
  const { stage } = scene;
  await scene.undo(30);
  const sessions = join(stage.home, "sessions");
  for (const name of filesBelow(sessions)) if (name.endsWith(".jsonl")) rmSync(join(sessions, name));
  expect((await stage.run(["-p", "hello"])).stderr).toContain("its session is gone since");
  const next = await stage.run(["-p", "hello again", "--continue"]);
  expect(next.stderr).not.toContain("rewind");
  expect(await stage.run(["undo"])).toMatchObject({ code: 0, stderr: "" });
});
