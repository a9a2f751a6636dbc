/** `groundplan scout`: the files that matter for a task. */
import { stat } from "node:fs/promises";
import { parseArgs } from "node:util";
import { rank, type Ranking } from "../../scout/rank/rank.ts";
import type { Command } from "../command.ts";

const usage = "usage: groundplan scout <task> [--json] [--cwd <dir>]";

export const scout: Command = async (args, { stdout, stderr }) => {
  const asked = read(args);
  if (asked === undefined) {
    stderr.write(`${usage}\n`);
    return 2;
  }
  if (asked.isHelp) {
    stdout.write(`${usage}\n`);
    return 0;
  }
  const { task, cwd } = asked;
  const isFolder = await stat(cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) {
    stderr.write(`groundplan: ${plain(cwd)} is not a folder.\n`);
    return 2;
  }
  const ranking = await rank(task, { cwd, onProgress: (line) => void stderr.write(`groundplan: ${line}\n`) });
  if (ranking.notes.length > 0) stderr.write(`groundplan: ${plain(ranking.notes.join("; "))}\n`);
  stdout.write(asked.isJson ? `${JSON.stringify(answerOf(ranking))}\n` : describe(ranking));
  return 0;
};

/** Exactly what `cli.md` promises. */
function answerOf({ files, commands }: Ranking): Pick<Ranking, "commands"> & { files: readonly object[] } {
  return { files: files.map(({ path, score, why }) => ({ path, score, why })), commands };
}

function read(args: readonly string[]): { task: string; cwd: string; isJson: boolean; isHelp: boolean } | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { json: { type: "boolean" }, cwd: { type: "string" }, help: { type: "boolean", short: "h" } },
    });
    const task = positionals.join(" ").trim();
    const isHelp = values.help === true;
    if (task === "" && !isHelp) return undefined;
    return { task, cwd: values.cwd ?? process.cwd(), isJson: values.json === true, isHelp };
  } catch {
    return undefined;
  }
}

function describe({ files, commands }: Ranking): string {
  const rows = files.map(({ path, score, why }) => `${score.toFixed(3)}  ${plain(path)}\n       ${plain(why)}`);
  const verify = commands.length === 0 ? [] : ["", "To verify:", ...commands.map((command) => `  ${plain(command)}`)];
  return `${(files.length === 0 ? ["No files to rank."] : rows).concat(verify).join("\n")}\n`;
}

/** What a terminal can show without being steered by it. */
function plain(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "�");
}
