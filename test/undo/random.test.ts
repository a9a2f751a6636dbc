/** Random work by tools, commands and a person, with returns in between: who did what is known by whole looks at the tree. */
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { shownPath } from "../../src/agent/undo/entries.ts";
import { createChance, type Chance } from "../invariants/random.ts";
import { realFolder } from "../support/folder.ts";
import { treeHashes } from "../headless/program.ts";
import { openUndoStage, placeOf, repositoryOf, treeOf, type Tree, type UndoStage } from "./stage.ts";

const seeds = Array.from({ length: Number(process.env["GROUNDPLAN_TEST_UNDO_RUNS"] ?? 12) }, (_, at) => at + 1);

test.each(seeds)(
  "B15.2 B15.3 after every return of sequence %i what others did not touch is as at the point, what they touched is untouched and listed, and .git is as it was",
  async (seed) => {
    expect(await runSequence(seed)).toEqual([]);
  },
);

const plain = ["a.txt", "b.sh", "deep/c.txt", "deep/er/d.txt", "deep/er/e.txt", "f g.txt", "-dash"];
const odd = ["new\nline.txt", "ü/grüße.md", 'quo"te', "back\\slash", "\xff\xfebytes", "deep", "a.txt/below", "git~1"];
const names = [
  ...plain,
  ...odd.map((name) => Buffer.from(name, name.startsWith("\xff") ? "latin1" : "utf8").toString("latin1")),
];

interface World {
  readonly chance: Chance;
  readonly stage: UndoStage;
  /** What the tree was at each point, and how many steps there were by then. */
  readonly points: Map<string, { readonly tree: Tree; readonly step: number }>;
  /** Paths that somebody else changed, with the step. */
  readonly theirs: { readonly path: string; readonly step: number }[];
  step: number;
  count: number;
}

async function runSequence(seed: number): Promise<readonly string[]> {
  const chance = createChance(seed);
  const folder = realFolder("undo");
  const root = join(folder, "work");
  mkdirSync(root);
  repositoryOf(root, { "a.txt": "a\n", "b.sh": "b\n", "deep/c.txt": "c\n", "deep/er/d.txt": "d\n" });
  const stage = await openUndoStage(root, join(folder, "sessions"));
  const world: World = { chance, stage, points: new Map(), theirs: [], step: 0, count: 0 };
  const git = treeHashes(join(root, ".git"));
  const broken: string[] = [];
  await prompt(world);
  for (let at = 0; at < 14; at += 1) {
    world.step += 1;
    const roll = chance.int(10);
    if (roll < 2) await prompt(world);
    else if (roll < 4) await work(world, "write");
    else if (roll < 7) await work(world, "command");
    else if (roll < 9) person(world);
    else broken.push(...(await goBack(world)).map((line) => `seed ${seed} step ${at}: ${line}`));
  }
  broken.push(...(await goBack(world)).map((line) => `seed ${seed} at the end: ${line}`));
  expect(stage.told).toEqual([]);
  expect(treeHashes(join(root, ".git"))).toEqual(git);
  return broken;
}

async function prompt({ stage, points, step }: World): Promise<void> {
  await stage.prompt(`prompt ${step}`);
  points.set(stage.handle.state.undo.points.at(-1)!.id, { tree: treeOf(stage.root), step });
}

/** A point is the tree right before the first change after it. */
function settlePoints({ stage, points, step }: World): void {
  const { undo } = stage.handle.state;
  for (const { id, works } of undo.points)
    if (points.has(id) && works >= undo.works.length) points.set(id, { tree: treeOf(stage.root), step: step - 0.5 });
}

async function work(world: World, how: "write" | "command"): Promise<void> {
  const { chance, stage } = world;
  settlePoints(world);
  if (how === "command") {
    await stage.command(() => {
      for (let left = 1 + chance.int(4); left > 0; left -= 1) change(world, chance.pick(names));
    });
  } else {
    const path = chance.pick(plain);
    await stage.write(path, () => put(world, path));
  }
  await stage.idle();
}

/** Somebody else: never what would look as if nothing had been. */
function person(world: World): void {
  const { chance, stage, theirs, step } = world;
  const before = treeOf(stage.root);
  const touched = new Set(theirs.map(({ path }) => path));
  const path = chance.pick(names);
  if (touched.has(path) || chance.chance(0.6)) put(world, path);
  else change(world, path);
  for (const changed of differing(before, treeOf(stage.root))) theirs.push({ path: changed, step });
}

function change(world: World, path: string): void {
  const { chance, stage } = world;
  const place = placeOf(stage.root, path);
  const roll = chance.int(6);
  const has = treeOf(stage.root).get(path);
  if (roll < 2 || has === undefined) return put(world, path);
  if (roll === 2) return rmSync(place);
  if (roll === 3 && has.startsWith("file")) return chmodSync(place, 0o755);
  if (roll === 4) {
    rmSync(place);
    return symlinkSync(`target ${(world.count += 1)}`, place);
  }
  const to = `moved ${(world.count += 1)}`;
  return renameSync(place, placeOf(stage.root, to));
}

/** Whatever is in the way goes. */
function put(world: World, path: string): void {
  const { stage } = world;
  const parts = path.split("/");
  for (let length = 1; length < parts.length; length += 1) {
    const above = parts.slice(0, length).join("/");
    if (treeOf(stage.root).has(above)) rmSync(placeOf(stage.root, above));
  }
  const place = placeOf(stage.root, path);
  if (!treeOf(stage.root).get(path)?.startsWith("file")) rmSync(place, { recursive: true, force: true });
  mkdirSync(placeOf(stage.root, path.includes("/") ? dirname(path) : ""), { recursive: true });
  writeFileSync(place, `content ${(world.count += 1)}\r\nof ${path}\n`, { mode: 0o644 });
}

async function goBack(world: World): Promise<readonly string[]> {
  const { chance, stage, points } = world;
  settlePoints(world);
  const [id, point] = chance.pick([...points]);
  const before = treeOf(stage.root);
  const result = await stage.back({ to: id });
  if (result.kind === "refused") return [`refused: ${result.reason}`];
  const after = treeOf(stage.root);
  const kept = new Set([...result.kept, ...result.failed.map(({ path }) => path)]);
  const theirs = new Set(world.theirs.flatMap(({ path, step }) => (step > point.step ? [path] : [])));
  const broken = [...new Set([...before.keys(), ...after.keys(), ...point.tree.keys()])].flatMap((path) =>
    broke(path, { before, after, there: point.tree, theirs, kept }),
  );
  if (chance.chance(0.5)) {
    const again = await stage.back({ to: stage.handle.state.undo.redo.at(-1)!, how: "redo" });
    if (again.kind === "refused") broken.push(`redo refused: ${again.reason}`);
    for (const path of differing(treeOf(stage.root), before))
      broken.push(`redo did not bring ${JSON.stringify(path)} again`);
  }
  return broken;
}

interface Look {
  readonly before: Tree;
  readonly after: Tree;
  readonly there: Tree;
  readonly theirs: ReadonlySet<string>;
  readonly kept: ReadonlySet<string>;
}

function broke(path: string, { before, after, there, theirs, kept }: Look): readonly string[] {
  const shown = JSON.stringify(path);
  const isUntouched = after.get(path) === before.get(path);
  if (theirs.has(path) && !isUntouched) return [`${shown} is somebody else's and was changed`];
  if (theirs.has(path)) return kept.has(shownPath(path)) ? [] : [`${shown} is somebody else's and is not listed`];
  if (after.get(path) === there.get(path)) return [];
  const isBlocked = [...theirs].some((other) => other.startsWith(`${path}/`) || path.startsWith(`${other}/`));
  if (isUntouched && isBlocked && kept.has(shownPath(path))) return [];
  return [
    `${shown} is ${after.get(path)} and was ${there.get(path)} at the point, ${before.get(path)} before; kept ${JSON.stringify([...kept])}, theirs ${JSON.stringify([...theirs])}`,
  ];
}

function differing(one: Tree, other: Tree): readonly string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((path) => one.get(path) !== other.get(path));
}
