import { execFileSync } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { realFolder } from "../../test/support/folder.ts";
import { needs } from "../../test/support/needs.ts";
import { writeProgram } from "../../test/support/write-program.ts";
import { keptTests } from "../agent/host/cage/kept-test.ts";
import { keptRung } from "./cage.ts";
import { cagedCommand, packCaged, unpackCaged } from "./caged/caged-text.ts";

const shells = ["bash", "sh", "dash", "zsh", "fish"].flatMap((name) => {
  const found = ["/bin", "/usr/bin", "/usr/local/bin"]
    .map((folder) => join(folder, name))
    .find((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
  return found === undefined ? [] : [found];
});

test("every shell reads the text the same, whatever stands in the launcher's path", () => {
  const home = join(realFolder(), 'it\'s \\ a $HOME `x` "b" !! ~ ü\n*');
  mkdirSync(home);
  const launcher = join(home, "guard");
  writeProgram(launcher, '#!/bin/sh\nprintf "%s|" "$#" "$@"\n');
  const caged = { command: "echo 'a' \"b\"\n\\ ü", directory: "/x y" };
  const text = cagedCommand({ launcher, ...caged })!;
  for (const shell of shells) {
    const said = execFileSync(shell, ["-c", text], { encoding: "utf8" });
    expect([shell, said]).toEqual([shell, `2|run-caged|${packCaged(caged)}|`]);
  }
});

test("no alias has a say, and nothing is looked up on the PATH", () => {
  const launcher = join(realFolder("-plain"), "guard");
  writeProgram(launcher, "#!/bin/sh\necho ours\n");
  const text = cagedCommand({ launcher, command: "true", directory: "/" })!;
  const before = `shopt -s expand_aliases\nguard() { echo function; }\nalias run-caged='echo alias' guard='echo alias'\nPATH=/nothing\n`;
  expect(execFileSync("/bin/bash", ["-c", `${before}${text}`], { encoding: "utf8" })).toBe("ours\n");
});

test("what is packed is unpacked, and a command that is too long is not packed", () => {
  const caged = { command: "printf '%s' \"ü\n\"", directory: "/a b" };
  expect(unpackCaged(packCaged(caged))).toEqual(caged);
  const elsewhere = { ...caged, project: "/other" };
  expect(unpackCaged(packCaged(elsewhere))).toEqual(elsewhere);
  expect(packCaged({ ...caged, project: "/a b" })).toBe(packCaged(caged));
  expect(cagedCommand({ ...caged, launcher: "/g", command: "x".repeat(100_000) })).toBe(null);
});

test("a rung that is here is believed in until a test says otherwise", needs("landlock-perl"), async () => {
  const [home, root] = [realFolder(), realFolder()];
  const environment = { PATH: process.env["PATH"], HOME: root, GROUNDPLAN_WITHOUT_RUNGS: "bubblewrap,landlock-python" };
  const rung = (sandbox: "auto" | "off" = "auto") => keptRung(home, environment, { root, sandbox });
  expect([rung(), rung("off")]).toEqual(["landlock-perl", null]);
  const tests = keptTests({ home, root, environment });
  await tests.keep({ kind: "none", reason: "it does not hold", advice: "" });
  expect(rung()).toBe(null);
  const selfTest = { passed: true, failures: [], durationMs: 1 };
  await tests.keep({ kind: "caged", name: "landlock-perl", program: "", selfTest, passedOver: [] });
  expect([rung(), rung("off")]).toEqual(["landlock-perl", null]);
  const none = { ...environment, GROUNDPLAN_WITHOUT_RUNGS: "bubblewrap,landlock-perl,landlock-python" };
  expect(keptRung(home, none, { root, sandbox: "auto" })).toBe(null);
});
