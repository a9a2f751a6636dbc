/** A plan that was approved and carried out in a repository, and another machine that has a clone of it alone. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Receipt } from "../../src/core/proof/receipt.ts";
import type { Ran, StageOptions } from "../headless/program.ts";
import { libraryStage, type LibraryStage } from "../library/stage.ts";

export const plan = [
  "# Change a and b",
  "",
  "- [ ] Change `a.ts`",
  "  Verify: `grep -q 'a = 2' a.ts`",
  "- [ ] Change `b.ts`",
  "  - verify: `test -s b.ts`",
  "- [ ] Tell people",
  "",
  "## Verification",
  "```sh",
  "$ test -f c.ts",
  "```",
  "",
].join("\n");

export const edit = (file_path: string, old_string: string, new_string: string) => ({
  calls: [
    { tool: "Read", input: { file_path } },
    { tool: "Edit", input: { file_path, old_string, new_string } },
  ],
});

export const work = [edit("a.ts", "= 1", "= 2"), edit("b.ts", "b", "bb")];

export interface ProofStage extends LibraryStage {
  readonly sessionId: string;
  git(...args: readonly string[]): string;
  commit(message: string): void;
  /** The receipt's text. */
  receipt(...args: readonly string[]): Promise<string>;
}

export interface CarriedOutOptions extends Partial<StageOptions> {
  /** The plan, if another one. */
  readonly text?: string;
  /** What the person changed before the plan was approved, and did not commit. */
  readonly dirty?: Readonly<Record<string, string>>;
}

export async function carriedOut(options: CarriedOutOptions = {}): Promise<ProofStage> {
  const files = { "a.ts": "export const a = 1;\n", "b.ts": "b\n", "c.ts": "c\n", ...options.files };
  const stage = await libraryStage({ ...options, files });
  onTestFinished(() => stage.close());
  const submitted = await stage.submit(options.text ?? plan);
  for (const [name, text] of Object.entries(options.dirty ?? {})) writeFileSync(join(stage.repository, name), text);
  await stage.approve(submitted, work);
  const git = gitIn(stage.repository);
  return {
    ...stage,
    sessionId: submitted.sessionId,
    git,
    commit: (message) => {
      git("add", "-A");
      git("commit", "-qm", message);
    },
    receipt: async (...args) => {
      const { code, stdout, stderr } = await stage.run(["receipt", ...args]);
      if (code !== 0) throw new Error(stderr);
      return stdout;
    },
  };
}

export function gitIn(directory: string): (...args: readonly string[]) => string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "commit.gpgsign=false"];
  return (...args) => execFileSync("git", [...identity, ...args], { cwd: directory, encoding: "utf8", stdio: "pipe" });
}

export interface Elsewhere {
  readonly directory: string;
  readonly git: (...args: readonly string[]) => string;
  /** Writes a file beside the clone, and gives its path. */
  keep(name: string, text: string): string;
  run(...args: readonly string[]): Promise<Ran>;
}

/** A clone with another home: it has the repository alone. */
export function elsewhere(stage: ProofStage, ...options: readonly string[]): Elsewhere {
  const folder = join(dirname(stage.home), `other-${options.length}`);
  mkdirSync(folder);
  const directory = join(folder, "clone");
  stage.git("clone", "-q", ...options, `file://${stage.repository}`, directory);
  const environment = { GROUNDPLAN_HOME: join(folder, "home"), HOME: folder };
  return {
    directory,
    git: gitIn(directory),
    keep: (name, text) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    },
    run: (...args) => stage.run(args, { directory, environment }),
  };
}

export function parsed(text: string): Receipt {
  return JSON.parse(text) as Receipt;
}
