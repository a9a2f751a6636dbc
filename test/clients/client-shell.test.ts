/** The client's own shell is not ours: what in its environment makes a proved line do something else, and which lines shells read differently. */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mayRunBare, trapIn } from "../../src/clients/guard/client-shell.ts";
import { realFolder } from "../support/folder.ts";
import { writeProgram } from "../support/write-program.ts";
import { judgePlace } from "./judging.ts";

function shellIn(environment: Record<string, string> = {}, directory = "/work/project") {
  return { environment: { PATH: "/usr/bin:/bin", HOME: "/home/u", ...environment }, directory, roots: [directory] };
}

describe("B11.2 a line that every shell reads alike", () => {
  test.each([
    "ls",
    "ls -la src",
    "  cat a.ts ",
    "grep -rn 'a b' src",
    'grep "x y" a.ts',
    "head -n 5 a=b",
    "du -sh ./x",
  ])("%s runs bare", (command) => {
    expect(mayRunBare(command, shellIn())).toBe(true);
  });

  test.each([
    "cat =ls",
    "grep -R a .",
    "grep -nR a .",
    "egrep '-iR' a .",
    "grep a --dereference-recursive .",
    "cat ^a",
    "cat ~/x",
    "cat a~b",
    "ls (#i)a",
    "ls *(e:x:)",
    "ls a*",
    "ls [a]",
    "ls {a,b}",
    "ls a#b",
    "ls # x",
    "ls; ls",
    "ls\nls",
    "ls\r",
    "ls\u00a0x",
    "ls a\\ b",
    "ls 'a\\'b'",
    "ls 'a''b'",
    'echo "a!b"',
    'echo "$x"',
    "echo `x`",
    "ls &",
    "ls < a",
    "ls é",
    "=ls",
    "./ls",
    "/bin/ls",
    "\\ls",
    "LS=1 ls",
    "printenv",
    "",
  ])("%j does not", (command) => {
    expect(mayRunBare(command, shellIn())).toBe(false);
  });
});

describe("B11.2 the environment of the client's shell", () => {
  test.each([
    { BASH_ENV: "/home/u/.bash_env" },
    { ENV: "/home/u/.shrc" },
    { ZDOTDIR: "/home/u/zsh" },
    { "BASH_FUNC_ls%%": "() { touch x; }" },
    { SHELLOPTS: "xtrace" },
    { GLOBIGNORE: "*" },
    { LD_DEBUG_OUTPUT: "/tmp/x" },
    { MALLOC_TRACE: "/tmp/x" },
    { GCONV_PATH: "/opt/gconv" },
    { DYLD_FRAMEWORK_PATH: "/opt" },
    { GREP_OPTIONS: "-f x" },
  ])("with %o no line runs bare, but the cage can hold it", (environment: Record<string, string>) => {
    expect(mayRunBare("ls", shellIn(environment))).toBe(false);
    expect(trapIn(shellIn(environment))).toBe(null);
  });

  test.each([
    [{ BASH_ENV: "/work/project/env.sh" }, "BASH_ENV"],
    [{ BASH_ENV: "env.sh" }, "BASH_ENV"],
    [{ ENV: "./env.sh" }, "ENV"],
    [{ ZDOTDIR: "/work/project" }, "ZDOTDIR"],
    [{ LD_PRELOAD: "/usr/lib/a.so /work/project/b.so" }, "LD_PRELOAD"],
    [{ LD_LIBRARY_PATH: "/opt/lib:lib" }, "LD_LIBRARY_PATH"],
    [{ DYLD_INSERT_LIBRARIES: "/work/project/x.dylib" }, "DYLD_INSERT_LIBRARIES"],
    [{ SHELLOPTS: "xtrace", PS4: "$(touch x)" }, "PS4"],
  ])("with %o nothing runs at all", (environment: Record<string, string>, name) => {
    expect(trapIn(shellIn(environment))).toBe(name);
  });

  test.each([{}, { LD_LIBRARY_PATH: "/opt/cuda/lib" }, { LD_PRELOAD: "/usr/lib/jemalloc.so" }, { BASH_ENV: "" }])(
    "with %o it does",
    (environment: Record<string, string>) => {
      expect(mayRunBare("ls", shellIn(environment))).toBe(true);
      expect(trapIn(shellIn(environment))).toBe(null);
    },
  );

  test("a reader of the project before the system's own is not that reader", () => {
    const folder = realFolder("-path");
    const project = join(folder, "project");
    mkdirSync(join(project, "bin"), { recursive: true });
    writeProgram(join(project, "bin/ls"), "#!/bin/sh\ntouch x\n");
    symlinkSync(join(project, "bin"), join(folder, "away"));
    const bare = (path: string, command = "ls"): boolean => mayRunBare(command, shellIn({ PATH: path }, project));
    expect(bare("/usr/bin:/bin")).toBe(true);
    expect(bare(`${project}/bin:/usr/bin:/bin`)).toBe(false);
    expect(bare(`bin:/usr/bin:/bin`)).toBe(false);
    expect(bare(`${folder}/away:/usr/bin:/bin`)).toBe(false);
    expect(bare(`/usr/bin:/bin:${project}/bin`)).toBe(true);
    expect(bare(`${project}/bin:/usr/bin:/bin`, "cat a")).toBe(true);
    expect(bare(`${project}/bin:/usr/bin:/bin`, "egrep a b")).toBe(true);
    writeProgram(join(project, "bin/grep"), "#!/bin/sh\ntouch x\n");
    expect(bare(`${project}/bin:/usr/bin:/bin`, "egrep a b")).toBe(false);
    expect(bare(`${project}/bin:/usr/bin:/bin`, "fgrep a b")).toBe(false);
  });

  test("the judge heeds both", async () => {
    const { shell, project } = judgePlace();
    expect(await shell("ls", { environment: { BASH_ENV: join(project, "x.sh") } })).toBe("refuse");
    expect(await shell("git status", { environment: { BASH_ENV: join(project, "x.sh") } })).toBe("refuse");
    expect(await shell("ls", { cage: false, environment: { "BASH_FUNC_ls%%": "() { :; }" } })).toBe("refuse");
  });
});
