/** `groundplan scout`: the files that matter for a task. */
import { stat } from "node:fs/promises";
import { visibleJson } from "../../core/wire/visible.ts";
import { rank, type Ranking } from "../../scout/rank/rank.ts";
import { complain, tellPerson, visibleLine } from "../complaint.ts";
import { commandWith, flag, folder } from "../options.ts";

const usage = "usage: groundplan scout <task> [--json] [--cwd <dir>]\n";
const options = { json: flag, cwd: folder };

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
  if (!isFolder) return complain(streams, `${visibleLine(cwd)} is not a folder.`, 2);
  const ranking = await rank(task, { cwd, onProgress: (line) => tellPerson(streams, line) });
  if (ranking.notes.length > 0) tellPerson(streams, visibleLine(ranking.notes.join("; ")));
  stdout.write(values.json === true ? `${visibleJson(answerOf(ranking))}\n` : describe(ranking));
  return 0;
});

/** Exactly what `cli.md` promises. */
function answerOf({ files, commands }: Ranking): Pick<Ranking, "commands"> & { files: readonly object[] } {
  return { files: files.map(({ path, score, why }) => ({ path, score, why })), commands };
}

function describe({ files, commands }: Ranking): string {
  const rows = files.map(
    ({ path, score, why }) => `${score.toFixed(3)}  ${visibleLine(path)}\n       ${visibleLine(why)}`,
  );
  const verify =
    commands.length === 0 ? [] : ["", "To verify:", ...commands.map((command) => `  ${visibleLine(command)}`)];
  return `${(files.length === 0 ? ["No files to rank."] : rows).concat(verify).join("\n")}\n`;
}
