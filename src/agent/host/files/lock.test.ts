/** One holder at a time, among real processes; what the dead leave is taken over by one alone. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, buildSync } from "esbuild";
import { describe, expect, test } from "vitest";
import { realFolder } from "../../../../test/support/folder.ts";
import { lockSession, LockTimeoutError, whileLocked, type Locking } from "./lock.ts";
import { identify } from "../launch/process-identity.ts";

const fresh = async () => join(realFolder("-lock"), "session.lock");
const alone = (path: string) => expect(readdirSync(join(path, ".."))).toEqual([]);

function held(locking: Locking) {
  if (locking.kind !== "held") throw new Error(`refused by ${locking.pid}`);
  return locking.lock;
}

/** The lock as a file that plain node can run. */
function bundled(folder: string): string {
  const outfile = join(folder, "lock.mjs");
  const entry = fileURLToPath(new URL("lock.ts", import.meta.url));
  buildSync({ entryPoints: [entry], outfile, bundle: true, format: "esm", platform: "node", target: "node20" });
  return outfile;
}

function start(script: string) {
  const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
  let output = "";
  const ended = new Promise<string>((resolve) => child.on("close", () => resolve(output)));
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      child.emit("said");
    });
  }
  const said = async (text: string): Promise<string> => {
    while (!output.endsWith(text)) await Promise.race([once(child, "said"), ended]);
    return output;
  };
  return { child, said, ended };
}

function run(script: string): Promise<string> {
  return start(script).ended;
}

describe("the lock of a session", () => {
  test("a second taker is refused and told the first one's pid", async () => {
    const path = await fresh();
    const lock = held(await lockSession(path));
    expect(await lockSession(path)).toEqual({ kind: "refused", pid: process.pid });
    await lock.release();
    await held(await lockSession(path)).release();
    alone(path);
  });

  test("R14.7 its file is 0600", async () => {
    const path = await fresh();
    const lock = held(await lockSession(path));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await lock.release();
  });

  test("what a dead process left is taken over and cleared away", async () => {
    const path = await fresh();
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    await writeFile(path, JSON.stringify({ ...(await identify()), pid }));
    await writeFile(`${path}.0123456789ab.new`, "left behind");
    const longAgo = new Date(Date.now() - 120_000);
    await utimes(`${path}.0123456789ab.new`, longAgo, longAgo);
    await held(await lockSession(path)).release();
    alone(path);
  });

  test("a pid that is given out again to another process does not hold it", async () => {
    const path = await fresh();
    await writeFile(path, JSON.stringify({ ...(await identify()), started: "1" }));
    await held(await lockSession(path)).release();
    await writeFile(path, JSON.stringify(await identify()));
    expect(await lockSession(path)).toEqual({ kind: "refused", pid: process.pid });
  });

  test("a file that says nothing is taken over, unless it may be just being written", async () => {
    for (const text of ["", "{", "null", '{"pid":"x"}']) {
      const path = await fresh();
      await writeFile(path, text);
      const soon = new Date(Date.now() + 600_000);
      await utimes(path, soon, soon);
      expect(await lockSession(path)).toEqual({ kind: "refused", pid: null });
      const before = new Date(Date.now() - 5000);
      await utimes(path, before, before);
      await held(await lockSession(path)).release();
    }
  });

  test("a holder in another container counts while it gives signs of life", async () => {
    const path = await fresh();
    await writeFile(path, JSON.stringify({ pid: 7, place: "elsewhere", started: "1" }));
    expect(await lockSession(path)).toEqual({ kind: "refused", pid: 7 });
    const longAgo = new Date(Date.now() - 120_000);
    await utimes(path, longAgo, longAgo);
    await held(await lockSession(path)).release();
  });

  test("releasing leaves a lock alone that somebody else has by now", async () => {
    const path = await fresh();
    const lock = held(await lockSession(path));
    await writeFile(path, "another's");
    await lock.release();
    expect(await readFile(path, "utf8")).toBe("another's");
  });

  test("it goes when the process ends, and a killed process's is taken over", async () => {
    const path = await fresh();
    const library = JSON.stringify(bundled(join(path, "..")));
    const take = `const { lockSession } = await import(${library}); const got = await lockSession(${JSON.stringify(path)});`;
    expect(
      await run(
        `${take} console.log(got.kind, existsSync(${JSON.stringify(path)}));`.replace(
          "const {",
          'const { existsSync } = await import("node:fs"); const {',
        ),
      ),
    ).toBe("held true\n");
    expect(existsSync(path)).toBe(false);
    await run(`${take} process.kill(process.pid, "SIGKILL");`);
    expect(existsSync(path)).toBe(true);
    await held(await lockSession(path)).release();
  });

  test("of many processes that find a dead one's lock, takeover included, exactly one gets it", async () => {
    for (let round = 0; round < 2; round += 1) {
      const path = await fresh();
      const library = JSON.stringify(bundled(join(path, "..")));
      const { pid } = spawnSync(process.execPath, ["-e", ""]);
      const dead = JSON.stringify({ ...(await identify()), pid });
      await writeFile(path, dead);
      if (round === 1) await writeFile(`${path}.takeover`, dead);
      const script = `const { lockSession } = await import(${library});
        process.stdout.write("ready ");
        process.stdin.once("data", async () => {
          console.log((await lockSession(${JSON.stringify(path)})).kind);
          process.stdin.resume();
        });`;
      const children = Array.from({ length: 6 }, () => start(script));
      await Promise.all(children.map(({ said }) => said("ready ")));
      for (const { child } of children) child.stdin.write("go\n");
      const outputs = await Promise.all(children.map(({ said }) => said("\n")));
      for (const { child } of children) child.stdin.end();
      await Promise.all(children.map(({ ended }) => ended));
      expect(outputs.filter((output) => output === "ready held\n")).toHaveLength(1);
      expect(outputs.filter((output) => output === "ready refused\n")).toHaveLength(5);
    }
  });
});

/** Where another holder lets go before each look at the file, and a next one is there after it. */
async function amongTheQuick(path: string): Promise<string> {
  const living = JSON.stringify(JSON.stringify(await identify()));
  const place = JSON.stringify(path);
  return `
    export const link = async (from, to) => {
      if (to === ${place}) await real.writeFile(to, ${living});
      return real.link(from, to);
    };
    export const open = async (from, ...more) => {
      if (from === ${place}) await real.unlink(from);
      return real.open(from, ...more);
    };
    export const rename = async (from, to) => {
      if (to === ${place}) console.log("replaced a living holder's file");
      return real.rename(from, to);
    };`;
}

/** Where somebody else tries to take it over in the very moment in which it is taken over. */
function amongTheGreedy(path: string): string {
  return `
    export const rename = async (from, to) => {
      if (to === ${JSON.stringify(path)}) await globalThis.meanwhile();
      return real.rename(from, to);
    };`;
}

/** The lock with some calls of the file system replaced. */
async function bundledWith(folder: string, calls: string): Promise<string> {
  const shim = join(folder, "shim.mjs");
  await writeFile(shim, `export * from "node:fs/promises"; import * as real from "node:fs/promises"; ${calls}`);
  const outfile = join(folder, "lock.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("lock.ts", import.meta.url))],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    plugins: [
      {
        name: "shim",
        setup: (building) =>
          building.onResolve({ filter: /^node:fs\/promises$/ }, ({ importer }) =>
            importer === shim ? null : { path: shim },
          ),
      },
    ],
  });
  return outfile;
}

describe("doing something while locked", () => {
  test("R12.4 where others take it and let it go at every look, nobody's file is replaced, and nobody comes in beside them", async () => {
    const path = await fresh();
    const library = JSON.stringify(await bundledWith(join(path, ".."), await amongTheQuick(path)));
    const script = `const { whileLocked } = await import(${library});
      const came = await whileLocked(${JSON.stringify(path)}, async () => "in", -1).catch((error) => error.name);
      console.log(came);`;
    expect(await run(script)).toBe("LockTimeoutError\n");
  });

  test("R12.4 while one takes over what a dead one left, another one that tries the same is refused", async () => {
    const path = await fresh();
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    await writeFile(path, JSON.stringify({ ...(await identify()), pid }));
    const library = JSON.stringify(await bundledWith(join(path, ".."), amongTheGreedy(path)));
    const script = `const { lockSession } = await import(${library});
      const take = async () => console.log((await lockSession(${JSON.stringify(path)})).kind);
      globalThis.meanwhile = async () => {
        globalThis.meanwhile = async () => undefined;
        await take();
      };
      await take();`;
    expect(await run(script)).toBe("refused\nheld\n");
  });

  test("four processes of fifty increments each make two hundred", async () => {
    const path = await fresh();
    const library = JSON.stringify(bundled(join(path, "..")));
    const counter = JSON.stringify(join(path, "../count"));
    const script = `const { whileLocked } = await import(${library});
      const { readFileSync, writeFileSync } = await import("node:fs");
      for (let i = 0; i < 50; i++) await whileLocked(${JSON.stringify(path)}, async () => {
        const before = Number(readFileSync(${counter}, "utf8"));
        await new Promise((resolve) => setTimeout(resolve, 0));
        writeFileSync(${counter}, String(before + 1));
      }, 300000);`;
    await writeFile(join(path, "../count"), "0");
    expect(await Promise.all([run(script), run(script), run(script), run(script)])).toEqual(["", "", "", ""]);
    expect(await readFile(join(path, "../count"), "utf8")).toBe("200");
  });

  test("patience ends with an error that names the holder, and the action's own error lets go", async () => {
    const path = await fresh();
    const lock = held(await lockSession(path));
    await expect(whileLocked(path, async () => 1, 30)).rejects.toThrow(LockTimeoutError);
    await expect(whileLocked(path, async () => 1, 30)).rejects.toThrow(`process ${process.pid}`);
    await lock.release();
    await expect(whileLocked(path, () => Promise.reject(new Error("mine")))).rejects.toThrow("mine");
    expect(await whileLocked(path, async () => 2)).toBe(2);
  });
});
