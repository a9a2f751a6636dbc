/** `groundplan scout`: the files that matter for a task. */
import { stat } from "node:fs/promises";
import { rank, type Ranking } from "../../scout/rank/rank.ts";
import { commandWith, flag, value } from "../options.ts";

const usage = "usage: groundplan scout <task> [--json] [--cwd <dir>]\n";
const options = { json: flag, cwd: value };

export const scout = commandWith({ name: "scout", usage, options }, async ({ values, positionals }, streams) => {
  const { stdout, stderr } = streams;
  const task = positionals.join(" ").trim();
  if (task === "") {
    stderr.write(usage);
    return 2;
  }
  const cwd = values.cwd ?? process.cwd();
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
  stdout.write(values.json === true ? `${JSON.stringify(answerOf(ranking))}\n` : describe(ranking));
  return 0;
});

/** Exactly what `cli.md` promises. */
function answerOf({ files, commands }: Ranking): Pick<Ranking, "commands"> & { files: readonly object[] } {
  return { files: files.map(({ path, score, why }) => ({ path, score, why })), commands };
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
