import { describe, expect, test } from "vitest";
import { findCages } from "./find.ts";
import { explainFailure, refusedByCage } from "./rung.ts";
import { readReport, writableMounts } from "./self-test.ts";

const machine = { platform: "linux", processor: "x64", path: "/nowhere", visible: [], scratch: () => "/scratch" };

const result = (lines: readonly string[], mounts = "1 0 8:1 / / ro,relatime - ext4 /dev/sda rw\n") => ({
  exitCode: 0,
  signal: null,
  stdout: `${lines.join("\n")}\nmounts\n${mounts}end\n`,
  stderr: "",
  truncated: false,
  timedOut: false,
  aborted: false,
  durationMs: 1,
});

describe("the rung", () => {
  test("B1.4 is none, in words, where there is no sandbox", () => {
    expect(findCages(machine)).toMatchObject([{ kind: "none", reason: "bubblewrap is not installed" }]);
    expect(findCages({ ...machine, platform: "win32" })).toMatchObject([{ kind: "none" }]);
  });

  test("B1.4 is sandbox-exec on macOS", () => {
    expect(findCages({ ...machine, platform: "darwin" })).toMatchObject([{ name: "sandbox-exec" }]);
  });

  test.each([
    [{ appArmor: "1", clone: "", most: "9" }, "AppArmor"],
    [{ appArmor: "", clone: "0", most: "9" }, "unprivileged_userns_clone"],
    [{ appArmor: "", clone: "", most: "0" }, "max_user_namespaces"],
    [{ appArmor: "", clone: "", most: "9" }, "container"],
  ])("B1.4 with %j says what to do: %s", (kernel, word) => {
    const report = { passed: false, failures: ["the cage did not start: bwrap: setting up uid map"], durationMs: 1 };
    const { kind, reason, advice } = explainFailure(report, kernel);
    expect({ kind, forbids: reason.includes("forbids user namespaces"), told: advice.includes(word) }).toEqual({
      kind: "none",
      forbids: true,
      told: true,
    });
  });
});

describe("the self-test's report", () => {
  const attempts = "create append rename chmod touch remount settings connect unix kill"
    .split(" ")
    .map((name) => `${name} failed`);
  const good = [...attempts, "scratch worked", "git worked", "guarded failed"];

  test("B1.4 is clean when all that must fail failed", () => {
    expect(readReport(result(good))).toEqual([]);
  });

  test.each(attempts)("B1.4 fails when instead of '%s' it worked, or was not tried", (line) => {
    expect(readReport(result(good.filter((other) => other !== line)))).toHaveLength(1);
    expect(
      readReport(result(good.map((other) => (other === line ? line.replace("failed", "worked") : other)))),
    ).toHaveLength(1);
  });

  test("B1.4 fails when scratch or git do not work, the project is writable, or a mount is", () => {
    expect(readReport(result(good.filter((line) => !line.startsWith("scratch"))))).toHaveLength(1);
    expect(readReport(result([...good, "guarded worked"]))).toHaveLength(1);
    expect(readReport(result(good, "1 0 8:1 / / rw,relatime - ext4 /dev/sda rw\n"))).toHaveLength(1);
    expect(readReport({ ...result(good), stdout: "", stderr: "bwrap: no permission\n" })).toEqual([
      "the cage did not start: bwrap: no permission",
    ]);
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
