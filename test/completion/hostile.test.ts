/** Names that a shell would carry out are not among what it is given to complete. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openStage, program } from "../headless/program.ts";
import { filesBelow } from "../support/walk.ts";
import { writeProgram } from "../support/write-program.ts";

test("bash runs nothing that stands in a session's or a file's name", async () => {
  const files = { "$(touch ran)x.md": "x", "`touch ran`.md": "x" };
  const stage = await openStage({ script: () => ({ text: "" }), files });
  const wish = ["-p", "add $(touch ran) `touch ran`", "--permission-mode", "plan", "--model", "scout"];
  const made = await stage.run([...wish, "--output-format", "json"]);
  const { sessionId } = JSON.parse(made.stdout) as { readonly sessionId: string };
  const sessions = join(stage.home, "sessions");
  const log = join(
    sessions,
    filesBelow(sessions).find((name) => name.endsWith(`${sessionId}.jsonl`))!,
  );
  for (const name of ["$(touch ran)", "`touch ran`", "a;touch ran", "a b"])
    writeFileSync(join(dirname(log), `${name}.jsonl`), "");
  const bin = join(dirname(stage.home), "bin");
  mkdirSync(bin);
  writeProgram(join(bin, "groundplan"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  const completed = (words: readonly string[]): string =>
    execFileSync(
      "bash",
      [
        "--norc",
        "-c",
        `eval "$(groundplan completion bash)"; COMP_WORDS=(groundplan "$@"); COMP_CWORD=$#; _groundplan groundplan; printf '%s\\n' "\${COMPREPLY[@]}"`,
        "bash",
        ...words,
      ],
      {
        cwd: stage.repository,
        encoding: "utf8",
        env: { PATH: `${bin}:${process.env["PATH"]}`, HOME: dirname(stage.home), GROUNDPLAN_HOME: stage.home },
      },
    );
  expect(completed(["--resume", ""])).toBe(`${sessionId.slice(0, 8)}\n`);
  expect(completed(["plans", "show", ""])).toContain(sessionId.slice(0, 8));
  /** Where bash does not quote names itself (3.2, as here outside of a prompt), they come quoted. */
  expect(completed(["plans", "export", "--output", "$("])).toBe("\\$\\(touch\\ ran\\)x.md\n");
  expect(completed(["plans", "export", "--output", "`"])).toBe("\\`touch\\ ran\\`.md\n");
  expect(existsSync(join(stage.repository, "ran"))).toBe(false);
});
