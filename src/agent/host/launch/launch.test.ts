import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { launch } from "./launch.ts";
import { remove } from "../../../../test/support/remove.ts";
import { writeProgram } from "../../../../test/support/write-program.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "groundplan-launch-")));
afterAll(() => remove(folder));
writeProgram(join(folder, "tell"), '#!/bin/sh\necho "told $0"; env\n');

const start = (program: string, environment: Record<string, string>) =>
  launch({ program, args: [], directory: folder, environment, stdio: ["ignore", "pipe", "ignore"] });

async function saidBy(program: string, environment: Record<string, string>): Promise<string> {
  const child = start(program, environment);
  if (child instanceof Error) return child.message;
  let text = "";
  child.stdout!.on("data", (bytes: Buffer) => (text += bytes.toString("utf8")));
  await new Promise((resolve) => child.on("close", resolve));
  return text;
}

test("B1.12 a program is found on the given PATH alone, never in the folder where it would run", async () => {
  expect(await saidBy("tell", { PATH: `${folder}:/usr/bin:/bin` })).toContain(`told ${join(folder, "tell")}`);
  for (const path of ["/usr/bin:/bin", ".:/usr/bin:/bin", ""])
    expect(await saidBy("tell", { PATH: path })).toBe("there is no program tell");
  expect(await saidBy("./tell", { PATH: `${folder}:/bin` })).toBe("there is no program ./tell");
});

test("B1.12 it has the given environment alone, and no model's key", async () => {
  const text = await saidBy("tell", { PATH: `${folder}:/usr/bin:/bin`, A: "1", ANTHROPIC_API_KEY: "planted" });
  expect(text).toContain("A=1");
  expect(text).not.toContain("planted");
  expect(text).not.toContain("HOME=");
});

test("what the system refuses at once is an error, not an exception", () => {
  expect(start("tell", { PATH: folder, A: "\0" })).toBeInstanceOf(Error);
});
