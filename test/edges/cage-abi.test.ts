/** The cage by Landlock as older kernels would build it: it asks for less, the filter refuses more, the self-test holds. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { findCaller } from "../../src/agent/host/cage/find.ts";
import { landlockCage } from "../../src/agent/host/cage/landlock.ts";
import { isProcessor } from "../../src/agent/host/cage/seccomp.ts";
import { rawCalls } from "../../src/agent/host/cage/self-test-calls.ts";
import { selfTest } from "../../src/agent/host/cage/self-test.ts";
import { runCommand } from "../../src/agent/host/shell/run-command.ts";
import { needs } from "../support/needs.ts";
import { remove } from "../support/remove.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "groundplan-abi-")));
afterAll(() => remove(folder));
const path = "/usr/local/bin:/usr/bin:/bin";

describe("the cage by Landlock", needs("landlock-perl"), () => {
  test.each([1, 2, 3, 4, 5])("B1.11 with version %i passes its self-test", async (abi) => {
    const processor = isProcessor(process.arch) ? process.arch : "x64";
    const machine = { processor, visible: [folder], closed: () => [], scratch: () => folder };
    const cage = landlockCage({ ...machine, by: "perl", program: "/usr/bin/perl", abi });
    const report = await selfTest({
      runCaged: async (script, { visible, hide }) => {
        const confined = cage.confine({
          command: ["/bin/bash", "--noprofile", "--norc", "-c", ...script],
          directory: folder,
          network: "none",
          visible: [visible],
          hide: [hide],
          environment: (scratch) => ({ PATH: path, TMPDIR: scratch }),
        });
        if ("cannot" in confined) throw new Error(confined.cannot);
        return runCommand({ ...confined, directory: "/", timeoutMs: 300_000 });
      },
      isAlone: false,
      guarded: [folder],
      repository: null,
      node: process.execPath,
      raw: rawCalls({ program: findCaller(path)!, processor, isAlone: false, pid: process.pid }),
    });
    expect(report.failures.filter((failure) => !failure.startsWith("a descriptor of ours"))).toEqual([]);
  });

  test.each([5, 6])(
    "B1.11 with version %i what it started ends with it, whatever it does to its supervisor",
    async (abi) => {
      const processor = isProcessor(process.arch) ? process.arch : "x64";
      const machine = { processor, visible: [folder], closed: () => [], scratch: () => folder };
      const cage = landlockCage({ ...machine, by: "perl", program: "/usr/bin/perl", abi });
      const name = `${300 + process.pid}.${Math.floor(Math.random() * 1e9)}`;
      const attack = `(env -i setsid /bin/sleep ${name} &); for n in 0 -$PPID $PPID; do perl -e 'setpgrp(0, $ARGV[0]); kill 9, $ARGV[1]; kill 9, 0' $PPID $n; done; kill -9 $PPID`;
      const confined = cage.confine({
        command: ["/bin/bash", "--noprofile", "--norc", "-c", attack],
        directory: folder,
        network: "none",
        visible: [folder],
        hide: [],
        environment: (scratch) => ({ PATH: path, TMPDIR: scratch }),
      });
      if ("cannot" in confined) throw new Error(confined.cannot);
      await runCommand({ ...confined, directory: "/", timeoutMs: 300_000 });
      const left = pidsWith(name);
      left.forEach((pid) => process.kill(pid, "SIGKILL"));
      expect(left).toEqual([]);
    },
  );
});

function pidsWith(word: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => commandLine(pid).includes(word));
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
