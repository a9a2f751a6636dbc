/** The program starts on a Node for which no compiled form of it was built, and keeps one for the next start. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { realFolder } from "../support/folder.ts";
import { remove } from "../support/remove.ts";
import { program, setStage } from "./program.ts";
import { until } from "../support/until.ts";

test("what this Node compiles is kept in the home, and made anew when it is cut, damaged or open to others", async () => {
  const copy = join(realFolder(), "bin");
  cpSync(dirname(program), copy, { recursive: true, filter: (path) => !path.includes(`.js.${process.version}`) });
  const kept = (): string => {
    const folder = join(stage.home, "compiled");
    return join(
      folder,
      readdirSync(folder).find((name) => !name.endsWith(".draft"))!,
    );
  };
  const isSound = (): boolean => {
    try {
      const bytes = readFileSync(kept());
      const isWhole = createHash("sha256").update(bytes.subarray(32)).digest().equals(bytes.subarray(0, 32));
      return isWhole && (statSync(kept()).mode & 0o777) === 0o600;
    } catch {
      return false;
    }
  };
  const stage = await setStage({
    script: async () => {
      await until("it is kept, whole and private", isSound);
      return { text: "Kept." };
    },
  });
  const run = async (): Promise<string> => {
    const { code, stdout } = await stage.run(["-p", "wait"], { program: join(copy, "groundplan.js") });
    return `${code} ${stdout}`;
  };
  try {
    const said = [await run()];
    const { mtimeMs } = statSync(kept());
    said.push(await run());
    expect(statSync(kept()).mtimeMs).toBe(mtimeMs);
    writeFileSync(kept(), readFileSync(kept()).subarray(0, 1000));
    said.push(await run());
    const flipped = readFileSync(kept());
    flipped[500_000]! ^= 0xff;
    writeFileSync(kept(), flipped);
    said.push(await run());
    chmodSync(kept(), 0o666);
    said.push(await run());
    expect(said).toEqual(Array(5).fill("0 Kept.\n"));
  } finally {
    await stage.close();
  }
});

test("a damaged form beside the program is not run, and a home inside of the project keeps none", async () => {
  const copy = join(realFolder(), "bin");
  cpSync(dirname(program), copy, { recursive: true });
  const built = join(
    copy,
    readdirSync(copy).find((name) => name.includes(`.js.${process.version}`))!,
  );
  const bytes = readFileSync(built);
  bytes[500_000]! ^= 0xff;
  writeFileSync(built, bytes);
  const stage = await setStage({ script: () => ({ text: "Hi.", delayMs: 2500 }) });
  try {
    const home = join(stage.repository, "home");
    const run = { program: join(copy, "groundplan.js"), environment: { GROUNDPLAN_HOME: home } };
    expect(await stage.run(["-p", "hi"], run)).toMatchObject({ code: 0, stdout: "Hi.\n" });
    expect(readdirSync(home)).not.toContain("compiled");
  } finally {
    await stage.close();
  }
});

test("a checkout is built where the folder for temporary files is another file system, and by several at once", async () => {
  const root = join(dirname(program), "../..");
  const checkout = realFolder();
  for (const part of ["src", "scripts", "package.json"]) {
    cpSync(join(root, part), join(checkout, part), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(checkout, "node_modules"));
  const elsewhere = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "groundplan-tmp-"));
  onTestFinished(() => remove(elsewhere));
  const bundle = (...more: string[]): Promise<unknown> =>
    promisify(execFile)(process.execPath, [join(checkout, "scripts/bundle.mjs"), ...more], {
      env: { ...process.env, TMPDIR: elsewhere },
    });
  await bundle();
  const built = readdirSync(join(checkout, "dist/bin")).toSorted();
  /** The program and the hook. */
  expect(built.filter((name) => name.includes(`.js.${process.version}`))).toHaveLength(2);
  await Promise.all(Array.from({ length: 4 }, () => bundle("--uncompiled")));
  expect(readdirSync(join(checkout, "dist/bin")).toSorted()).toEqual(built);
  expect(readdirSync(join(checkout, "dist")).toSorted()).toEqual(["bin", "page"]);
  const { stdout } = await promisify(execFile)(process.execPath, [join(checkout, "dist/bin/groundplan.js"), "-v"]);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+ \(built without git, Node v\d+\.\d+\.\d+\)\n$/);
});

test("a Node that is too old is told so, by the program and by what builds it", async () => {
  const old = join(realFolder(), "old.cjs");
  writeFileSync(old, 'Object.defineProperty(process, "version", { value: "v18.20.8" });');
  for (const file of [program, join(dirname(program), "../../scripts/bundle.mjs")]) {
    const ended = promisify(execFile)(process.execPath, ["--require", old, file, "-v"]);
    const stderr = "groundplan: This is Node.js v18.20.8; install 20.19 or later.\n";
    await expect(ended).rejects.toMatchObject({ code: 1, stdout: "", stderr });
  }
});
