/** The program starts on a Node for which no compiled form of it was built, and keeps one for the next start. */
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import { realFolder } from "../support/folder.ts";
import { program, setStage } from "./program.ts";

test("what this Node compiles is kept in the home for this person alone, and replaced when it is broken", async () => {
  const copy = join(realFolder(), "bin");
  cpSync(dirname(program), copy, { recursive: true, filter: (path) => !path.includes(`.js.${process.version}`) });
  const kept = (): string[] =>
    readdirSync(join(stage.home, "compiled")).map((name) => join(stage.home, "compiled", name));
  const isKept = (): void => expect(kept().map((path) => statSync(path).size > 1_000_000)).toEqual([true]);
  const stage = await setStage({
    script: async () => {
      await vi.waitFor(isKept, { timeout: 15_000, interval: 50 });
      return { text: "Kept." };
    },
  });
  try {
    const run = () => stage.run(["-p", "wait"], { program: join(copy, "groundplan.js") });
    const first = await run();
    const [file] = kept();
    const written = statSync(file!);
    const second = await run();
    const untouched = statSync(file!).mtimeMs === written.mtimeMs;
    const whole = readFileSync(file!);
    writeFileSync(file!, whole.subarray(0, 1000));
    const third = await run();
    expect([first, second, third].map(({ code, stdout }) => `${code} ${stdout}`)).toEqual(Array(3).fill("0 Kept.\n"));
    expect({ mode: written.mode & 0o777, untouched }).toEqual({ mode: 0o600, untouched: true });
  } finally {
    await stage.close();
    rmSync(copy, { recursive: true, force: true });
  }
}, 50_000);
