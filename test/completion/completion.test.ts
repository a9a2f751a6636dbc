/** The completions in the real shells, as one types: commands, options, values, plans and sessions. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "vitest";
import { openStage, program, type Stage } from "../headless/program.ts";
import { needs } from "../support/needs.ts";
import { writeProgram } from "../support/write-program.ts";
import { openPty, type Pty } from "../terminal/pty.ts";

/** How each is started bare, with the completion loaded as `groundplan completion --help` says. */
const shells = {
  bash: {
    command: ["bash", "--noprofile", "--norc", "-i"],
    begin: `bind 'set page-completions off'; bind 'set show-all-if-ambiguous on'; eval "$(groundplan completion bash)"`,
  },
  zsh: {
    command: ["zsh", "-f", "-i"],
    begin: `autoload -U compinit; compinit -u -d "$HOME/zcompdump"; setopt auto_list no_list_ambiguous; LISTMAX=1000; eval "$(groundplan completion zsh)"`,
  },
  fish: {
    command: ["fish", "--no-config", "-i"],
    begin: "set -g fish_greeting; groundplan completion fish | source",
  },
} as const;

/** What is typed before the tabulator, and what is to be seen after it. */
const rows: readonly (readonly [typed: string, seen: readonly RegExp[]])[] = [
  ["groundplan pla", [/groundplan plans/]],
  ["groundplan ", [/\bcheck\b/, /\bdoctor\b/, /\buninstall\b/, /\bcompletion\b/]],
  ["groundplan --perm", [/--permission-mode/]],
  ["groundplan --permission-mode ", [/acceptEdits/, /bypassPermissions/]],
  ["groundplan --output-format=", [/stream-json/]],
  ["groundplan plans sh", [/groundplan plans show/]],
  ["groundplan plans list --status ", [/abandoned/, /executing/]],
  ["groundplan install ", [/opencode/, /gemini/]],
  ["groundplan crashtest --wi", [/groundplan crashtest --wire/]],
  ["groundplan team approve --mode ", [/acceptEdits/]],
  ["groundplan help unin", [/groundplan help uninstall/]],
  ["groundplan completion f", [/groundplan completion fish/]],
  ["groundplan scout --cwd sr", [/--cwd src\//]],
  ["groundplan plans export --output READ", [/--output README\.md/]],
];

/** Words of a task: nothing is put in their place. */
const tasks = ["groundplan fix the pla", "groundplan -- --perm"];

for (const name of ["bash", "zsh", "fish"] as const)
  test(`${name} completes what one types`, name === "bash" ? needs("script") : needs("script", name), async () => {
    const files = { "README.md": "# Shop\n", "src/orders.js": "export const orders = [];\n" };
    const stage = await openStage({ script: () => ({ text: "" }), files });
    const wish = ["-p", "add a total to each order", "--permission-mode", "plan", "--model", "scout"];
    const made = await stage.run([...wish, "--output-format", "json"]);
    const id = (JSON.parse(made.stdout) as { readonly sessionId: string }).sessionId.slice(0, 8);
    const pty = await openShell(name, stage);
    try {
      for (const [typed, seen] of rows) for (const sight of seen) await typedThere(pty, `${typed}\t`, sight);
      for (const typed of ["groundplan plans show ", "groundplan --resume ", "groundplan undo "])
        await typedThere(pty, `${typed}\t`, new RegExp(`${typed}${id}`));
      for (const typed of tasks) await typedThere(pty, `${typed}\t-end`, new RegExp(`${typed}-end`));
    } finally {
      await pty.close();
    }
  });

async function openShell(name: keyof typeof shells, { home, repository }: Stage): Promise<Pty> {
  const folder = dirname(home);
  const { command, begin } = shells[name];
  mkdirSync(join(folder, "bin"));
  writeProgram(join(folder, "bin/groundplan"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  const path = `${join(folder, "bin")}:${process.env["PATH"]}`;
  const environment = { PATH: path, HOME: folder, GROUNDPLAN_HOME: home, PS1: "> ", TERM: "xterm" };
  const pty = await openPty({ command, directory: repository, folder, columns: 120, rows: 40, environment });
  writeFileSync(join(folder, "begin"), `${begin}\n`);
  pty.type(`. ${join(folder, "begin")}; echo re''ady\r`);
  await pty.until(/^ready/m);
  return pty;
}

/** On a line of its own, below a mark that nothing before has written. */
async function typedThere(pty: Pty, typed: string, sight: RegExp): Promise<void> {
  const mark = `mark-${Math.random().toString(36).slice(2)}`;
  pty.type(`\u0015echo '${mark.slice(0, 4)}''${mark.slice(4)}'\r`);
  await pty.until(new RegExp(`^${mark}`, "m"));
  pty.type(typed);
  await pty.until((screen) => sight.test(screen.slice(screen.lastIndexOf(mark))));
}
