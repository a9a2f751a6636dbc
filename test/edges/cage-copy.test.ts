/** A project's checks on a copy-on-write work tree: they may write, nothing remains, and what they wrote is told. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createGuardedShell } from "../../src/agent/host/shell/guarded-shell.ts";
import { needs } from "../support/needs.ts";
import { differenceOf, pictureOf } from "./project.ts";
import { linuxRungs, only } from "./rungs.ts";
import { remove } from "../support/remove.ts";

for (const rung of linuxRungs) {
  describe(`a work tree that is a copy, in the cage by ${rung}`, needs(rung, "overlay"), () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "groundplan-copy-")));
    const project = join(folder, "project");
    mkdirSync(join(project, "src"), { recursive: true });
    writeFileSync(join(project, "old"), "old\n");
    writeFileSync(join(project, "src/kept"), "kept\n");
    writeFileSync(join(project, ".env"), "hush\n");
    writeFileSync(join(project, ".groundplan-overlay"), "of the project\n");
    chmodSync(join(project, "src/kept"), 0o644);
    const shell = createGuardedShell({
      projectRoot: project,
      directories: [],
      plansDirectory: join(folder, "plans"),
      settings: { sandbox: "required" },
      environment: { ...process.env, HOME: folder, ...only(rung) },
    });
    const run = (command: string, timeoutMs = 60_000) =>
      shell.run(command, {
        directory: project,
        confined: true,
        network: false,
        onCopy: true,
        hide: [join(project, ".env")],
        timeoutMs,
      });
    afterAll(() => {
      shell.close();
      remove(folder);
    });

    test("B1.16 a check writes, renames, removes and changes modes, sees it, and nothing remains", async () => {
      const before = pictureOf(folder);
      const result = await run(
        "mkdir -p coverage && echo 1 > coverage/a && rm old && echo more >> src/kept && chmod 600 src/kept && touch src/kept && " +
          "mv src/kept src/moved && cat src/moved && ls",
      );
      expect(result).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^kept\nmore\ncoverage\nsrc\n$/) });
      expect(result.discarded).toEqual({ files: ["coverage/a", "old", "src/kept", "src/moved"], more: 0 });
      expect(differenceOf(before, pictureOf(folder))).toEqual([]);
    });

    test("B1.16 outside of the tree nothing can be written, changed or reached, as without the copy", async () => {
      const before = pictureOf(folder);
      const { stdout } = await run(
        `echo x > ${folder}/out && echo wrote; chmod 777 ${folder} && echo changed; touch -d 2001-01-01 /etc/hosts && echo touched; ` +
          "mount -t tmpfs none /mnt && echo mounted; unshare -Ur true && echo nested; umount . && echo bare; " +
          "exec 3<>/dev/tcp/127.0.0.1/9 && echo connected; cat .env; mv .env shown && cat shown; cp .env c; cat c; true",
      );
      expect(stdout).toBe("");
      expect(differenceOf(before, pictureOf(folder))).toEqual([]);
    });

    test("B1.16 the devices of the host keep their modes, owners and times, whoever starts it", async () => {
      const { stdout } = await run(
        "chmod 666 /dev/null && echo changed; chown 0 /dev/zero && echo owned; touch -c -r /dev/full /dev/full && echo touched; echo > /dev/null && echo usable",
      );
      expect(stdout).toBe("usable\n");
    });

    test("B1.16 what it may write has a bound", async () => {
      const { stdout } = await run(
        "echo a > small && cat small; head -c 700000000 /dev/zero > big || echo full; rm big",
      );
      expect(stdout).toBe("a\nfull\n");
    });

    test("B1.16 it ends at its time limit, exit code and output are its own", async () => {
      expect(await run("sleep 100 & sleep 100", 3_000)).toMatchObject({ timedOut: true, exitCode: null });
      expect(await run("echo out; echo err >&2; exit 7")).toMatchObject({
        exitCode: 7,
        stdout: "out\n",
        stderr: "err\n",
      });
      expect(readdirSync(project).toSorted()).toEqual([".env", ".groundplan-overlay", "old", "src"]);
      expect(readFileSync(join(project, "old"), "utf8")).toBe("old\n");
    });
  });
}
