import { describe, expect, test } from "vitest";
import { offersOf, rungsTakenAway, whyNoOffer } from "./find.ts";
import { explainFailure, refusedByCage } from "./rung.ts";
import { handedOn, readReport, writableMounts } from "./self-test.ts";

const machine = {
  platform: "linux",
  processor: "x64",
  path: "/nowhere",
  visible: [],
  closed: [],
  scratch: () => "/scratch",
  without: [] as string[],
};

const result = (
  lines: readonly string[],
  mounts = "1 0 8:1 / / ro,relatime - ext4 /dev/sda rw\n",
  listing = "lr-x------ 1 a a 64 Nov 1 10:00 3 -> /proc/12/fd\n",
) => ({
  exitCode: 0,
  signal: null,
  stdout: `descriptors\n${listing}attempts\n${lines.join("\n")}\nmounts\n${mounts}end\n`,
  stderr: "",
  truncated: false,
  timedOut: false,
  aborted: false,
  durationMs: 1,
});

const read = (of: Parameters<typeof readReport>[0], isAlone = true) =>
  readReport(of, { isAlone, tried: ["bpf"], pid: 1000 });

describe("the rung", () => {
  test("B1.11 is looked for from the best to the least, and what is missing says so", async () => {
    expect(offersOf(machine).map(({ name }) => name)).toEqual(["bubblewrap", "landlock-perl", "landlock-python"]);
    expect(await offersOf(machine)[0]!.open()).toMatchObject({ kind: "none", reason: "bubblewrap is not installed" });
    expect(offersOf({ ...machine, platform: "darwin" }).map(({ name }) => name)).toEqual(["sandbox-exec"]);
  });

  test("B1.11 is none, in words, where there is nothing to build on", () => {
    for (const other of [{ platform: "win32" }, { processor: "riscv64" }]) {
      expect(offersOf({ ...machine, ...other })).toEqual([]);
      expect(whyNoOffer({ ...machine, ...other })).toMatchObject({ kind: "none", reason: /there is no/ });
    }
  });

  test("B1.11 can be taken away by the environment, and never given", () => {
    const without = rungsTakenAway({ GROUNDPLAN_WITHOUT_RUNGS: "bubblewrap, landlock-perl,unheard" });
    expect(offersOf({ ...machine, without }).map(({ name }) => name)).toEqual(["landlock-python"]);
    expect(offersOf({ ...machine, without: rungsTakenAway({}) })).toHaveLength(3);
  });

  test.each([
    [{ appArmor: "1", clone: "", most: "9" }, "AppArmor"],
    [{ appArmor: "", clone: "0", most: "9" }, "unprivileged_userns_clone"],
    [{ appArmor: "", clone: "", most: "0" }, "max_user_namespaces"],
    [{ appArmor: "", clone: "", most: "9" }, "container"],
  ])("B1.4 with %j says what to do: %s", (kernel, word) => {
    const report = { passed: false, failures: ["the cage did not start: bwrap: setting up uid map"], durationMs: 1 };
    const { kind, reason, advice } = explainFailure("bubblewrap", report, kernel);
    expect({ kind, forbids: reason.includes("forbids user namespaces"), told: advice.includes(word) }).toEqual({
      kind: "none",
      forbids: true,
      told: true,
    });
  });
});

describe("the self-test's report", () => {
  const attempts =
    "create append empty rename link chmod touch remount settings connect unix kill environ memory hidden bpf"
      .split(" ")
      .map((name) => `${name} failed`);
  const good = [...attempts, "datagram failed", "scratch worked", "git worked", "guarded failed"];

  test("B1.4 is clean when all that must fail failed", () => {
    expect(read(result(good))).toEqual([]);
  });

  test.each(attempts)("B1.4 fails when instead of '%s' it worked, or was not tried", (line) => {
    expect(read(result(good.filter((other) => other !== line)))).toHaveLength(1);
    expect(read(result(good.map((other) => (other === line ? line.replace("failed", "worked") : other))))).toHaveLength(
      1,
    );
  });

  test("B1.4 fails when scratch or git do not work, the project is writable, or a mount is", () => {
    expect(read(result(good.filter((line) => !line.startsWith("scratch"))))).toHaveLength(1);
    expect(read(result([...good, "guarded worked"]))).toHaveLength(1);
    expect(read(result(good, "1 0 8:1 / / rw,relatime - ext4 /dev/sda rw\n"))).toHaveLength(1);
    expect(read({ ...result(good), stdout: "", stderr: "bwrap: no permission\n" })).toEqual([
      "the cage did not start: bwrap: no permission",
    ]);
  });

  test("B1.11 without namespaces the mounts of the host say nothing, the attempts do", () => {
    const mounts = "1 0 8:1 / / rw,relatime - ext4 /dev/sda rw\n";
    expect(read(result([...good, "guarded worked"], mounts), false)).toEqual([]);
    expect(read(result([...good.slice(1), "create worked"], mounts), false)).toHaveLength(1);
  });

  test("B1.11 fails when the cage has a descriptor of ours", () => {
    const lines = ["1 -> pipe:[1]", "3 -> /proc/1/fd", "9 -> /dev/null", "21 -> socket:[7]", "22 -> /home/a/db"];
    expect(handedOn(lines.map((line) => `lrwx------ 1 a a 64 Nov 1 10:00 ${line}\n`).join(""))).toEqual([
      "socket:[7]",
      "/home/a/db",
    ]);
    expect(read(result(good, undefined, "l 1 a a 64 Nov 1 10:00 21 -> socket:[7]\n"))).toHaveLength(1);
  });

  test("counts the mount in force on a point", () => {
    const mounts = "1 0 0:1 / /a rw - x x rw\n2 1 0:2 / /a ro - x x rw\n3 0 0:3 / /tmp rw - x x rw\n";
    expect(writableMounts(mounts)).toEqual([]);
  });
});

describe("a refusal by the cage", () => {
  test.each([
    ["touch: cannot touch 'x': Read-only file system", 1, true],
    ["Error: EROFS: read-only file system, open 'x'", 1, true],
    ["chmod: changing permissions: Operation not permitted", 1, true],
    ["sh: x: Permission denied", 126, true],
    ["touch: cannot touch 'x': Read-only file system", 0, false],
    ["grep: x: No such file or directory", 2, false],
  ])("B1.4 is seen in '%s' with exit code %i: %s", (stderr, exitCode, refused) => {
    expect(refusedByCage({ exitCode, stdout: "", stderr })).toBe(refused);
  });
});
